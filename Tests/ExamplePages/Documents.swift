import Foundation

/// The repository's files, by line.
enum Documents {
    /// The top of the checkout.
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Files with an extension, in folders or given directly.
    static func files(in places: [String], ending: String) throws -> [URL] {
        var files: [URL] = []
        for place in places {
            let root = repository.appendingPathComponent(place)
            if root.pathExtension == ending {
                if FileManager.default.fileExists(atPath: root.path) { files.append(root) }
                continue
            }
            // Not what packages inside the repository were built from.
            let options = FileManager.DirectoryEnumerationOptions.skipsHiddenFiles
            let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil, options: options)
            while let file = found?.nextObject() as? URL {
                if file.pathExtension == ending { files.append(file) }
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The lines of a file with `file:line`.
    static func lines(of file: URL) throws -> [(place: String, line: String)] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated().map { ("\(file.lastPathComponent):\($0 + 1)", String($1)) }
    }

    /// The fenced blocks of a language in a page.
    static func fences(_ language: String, in file: URL) throws -> [(place: String, lines: [String])] {
        var blocks: [(String, [String])] = []
        var open: (place: String, lines: [String])?
        var isOther = false
        for (place, line) in try lines(of: file) {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(block)
                    open = nil
                } else if isOther {
                    isOther = false
                } else if line == "```" + language {
                    open = (place, [])
                } else {
                    isOther = true
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }
}
