import Foundation

/// A file of outputs: one line per question, its name's hash and a hash for each output, sorted.
package struct GoldenFile {
    /// The hashes of the outputs in order, by the hash of the question's name.
    package var lines: [String: Substring]

    package init(lines: [String: Substring]) { self.lines = lines }

    package init(_ names: [String], _ outputs: [[String]]) {
        lines = Dictionary(
            zip(names, outputs).map { (Self.key($0), Substring(Self.line($1))) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    package init(reading url: URL) throws {
        lines = [:]
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.firstIndex(of: " ") else { continue }
            lines[String(line[..<space])] = line[line.index(after: space)...]
        }
    }

    /// The file's text, which begins with the command that makes it.
    package func text(by command: String) -> String {
        "# Made by: \(command)\n" + lines.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    }

    /// The hash of a question's name: 30 bits.
    package static func key(_ name: String) -> String { hash(name, characters: 5) }

    /// The hashes of outputs, 12 bits each: a collision hides one change in 4,096.
    package static func line(_ outputs: [String]) -> String { outputs.map { hash($0, characters: 2) }.joined() }

    /// The hash of the output at a position of a line.
    package static func hash(at position: Int, in line: Substring) -> Substring {
        line.dropFirst(2 * position).prefix(2)
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// FNV-1a, with a final mix so that the low bits are as good as the high ones.
    private static func hash(_ text: String, characters: Int) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 31)) &* 0xBF58_476D_1CE4_E5B9
        hash ^= hash >> 29
        return String((0..<characters).map { digits[Int((hash >> (6 * UInt64($0))) & 63)] })
    }
}
