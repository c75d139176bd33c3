import Foundation

/// Reads `Tests/Spec/*.spec`; `Tests/Spec/README.md` explains the format.
public enum SpecFile {
    /// A line of a spec file that is not in the format.
    public struct Malformed: Error, CustomStringConvertible {
        /// `file:line: what is wrong`.
        public var description: String
    }

    /// The folder of the spec files, found from this source file.
    public static var folder: URL { repository.appendingPathComponent("Tests/Spec") }

    /// The top folder of the repository.
    public static var repository: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Every case of every spec file, and of every `spec` fence in the pages of `Grammar`.
    ///
    /// - Returns: the cases, files in order of their names.
    /// - Throws: `Malformed`, or the file system's error.
    public static func allCases() throws -> [SpecCase] { try everyCase.get() }

    /// Read once: a dozen tests ask for them.
    private static let everyCase = Result { try readCases() }

    private static func readCases() throws -> [SpecCase] {
        let specs = try files(in: folder, ending: "spec").flatMap { file in
            try cases(of: String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
        }
        let pages = try files(in: repository.appendingPathComponent("Grammar"), ending: "md").flatMap { file in
            try cases(of: fences(in: String(contentsOf: file, encoding: .utf8)), file: file.lastPathComponent)
        }
        return specs + pages
    }

    private static func files(in folder: URL, ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// A page with all but its `spec` fences blanked, so that lines keep their numbers.
    private static func fences(in page: String) -> String {
        var isInside = false
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            if line.hasPrefix("```") {
                isInside = line == "```spec"
                return ""
            }
            return isInside ? line : ""
        }
        return lines.joined(separator: "\n")
    }

    /// The cases of one text.
    ///
    /// - Parameters:
    ///   - text: the text of a spec file.
    ///   - file: its name, for messages.
    /// - Returns: the cases in order.
    /// - Throws: `Malformed` for a line that is not in the format.
    public static func cases(of text: String, file: String) throws -> [SpecCase] {
        var reader = SpecReader(file: file)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            try reader.read(line, number: index + 1)
        }
        try reader.endBlock()
        return reader.cases
    }
}

/// Reads a spec file line by line; a block without a query is context for the blocks after it.
private struct SpecReader {
    var file: String
    var cases: [SpecCase] = []
    private var context = Block()
    private var block = Block()
    private var lastKey: String?

    private struct Block {
        var entries: [String: SpecCase.Entry] = [:]
        var rows: [SpecCase.Row] = []
        var isEmpty: Bool { entries.isEmpty && rows.isEmpty }
    }

    init(file: String) {
        self.file = file
    }

    mutating func read(_ line: Substring, number: Int) throws {
        if line.hasPrefix("#") { return }
        if line.allSatisfy(\.isWhitespace) { return try endBlock() }
        if line.hasPrefix("    ") { return try continueEntry(line.dropFirst(4), number: number) }
        guard let colon = line.firstIndex(of: ":") else { throw malformed(number, "expected `key: value`") }
        let key = String(line[..<colon])
        let raw = String(line[line.index(after: colon)...])
        let value = raw.trimmingCharacters(in: .whitespaces)
        if key.hasPrefix("row ") {
            block.rows.append(SpecCase.Row(label: String(key.dropFirst(4)), json: value))
            lastKey = nil
        } else {
            guard SpecGiven.keys.contains(key) || SpecColumn(rawValue: key) != nil else {
                throw malformed(number, "unknown key `\(key)`")
            }
            guard block.entries[key] == nil else { throw malformed(number, "`\(key)` stands twice") }
            block.entries[key] = SpecCase.Entry(line: number, text: value, raw: raw)
            lastKey = key
        }
    }

    private mutating func continueEntry(_ line: Substring, number: Int) throws {
        guard let lastKey, var entry = block.entries[lastKey] else { throw malformed(number, "nothing to continue") }
        entry.text += (entry.text.isEmpty ? "" : "\n") + line
        block.entries[lastKey] = entry
    }

    mutating func endBlock() throws {
        defer {
            block = Block()
            lastKey = nil
        }
        if block.isEmpty { return }
        guard let query = block.entries["query"] else {
            context = block
            return
        }
        guard block.entries.keys.contains(where: { SpecColumn(rawValue: $0) != nil }) else {
            throw malformed(query.line, "the block expects nothing")
        }
        cases.append(
            SpecCase(
                file: file,
                line: query.line,
                entries: context.entries.merging(block.entries) { _, own in own },
                rows: block.rows.isEmpty ? context.rows : block.rows
            )
        )
    }

    private func malformed(_ line: Int, _ what: String) -> SpecFile.Malformed {
        SpecFile.Malformed(description: "\(file):\(line): \(what)")
    }
}
