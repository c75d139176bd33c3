import Foundation
import SpecSupport

/// `Tests/Data/golden.txt`: one line per question, its name's hash and a hash for each target, sorted.
struct GoldenFile {
    /// The hashes of the targets in order, by the hash of the question's name.
    var lines: [String: Substring]

    static let url = SpecFile.repository.appendingPathComponent("Tests/Data/golden.txt")
    /// The texts behind the hashes when the file was last written here; not tracked.
    static let texts = SpecFile.repository.appendingPathComponent(".build/golden-texts.ndjson")

    static let heading = "# Made by: GOLDEN=write swift test --filter GoldenTests\n"

    init(lines: [String: Substring]) { self.lines = lines }

    init(reading url: URL) throws {
        lines = [:]
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.firstIndex(of: " ") else { continue }
            lines[String(line[..<space])] = line[line.index(after: space)...]
        }
    }

    var text: String {
        Self.heading + lines.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    }

    /// The hash of a question's name: 30 bits.
    static func key(_ name: String) -> String { hash(name, characters: 5) }

    /// The hashes of outputs, 12 bits each: a collision hides one change in 4,096.
    static func line(_ outputs: [String]) -> String { outputs.map { hash($0, characters: 2) }.joined() }

    /// The hash of a target in a line.
    static func hash(of target: GoldenTarget, in line: Substring) -> Substring? {
        guard let at = GoldenTarget.allCases.firstIndex(of: target) else { return nil }
        return line.dropFirst(2 * at).prefix(2)
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
