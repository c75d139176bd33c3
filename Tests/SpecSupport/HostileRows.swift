import QueryValues

/// Rows of about 2 KB of JSON that are expensive to process: many small elements, long texts, nested lists.
package struct HostileRows {
    package var random: SeededGenerator
    /// The keys of every object.
    package static let keys = ["a", "b", "c"]
    /// The maximum length of a row's JSON.
    package static let bytes = 2_048

    package init(seed: UInt64) {
        random = SeededGenerator(seed)
    }

    /// JSON of one object.
    package mutating func row() -> String {
        // One value that fills the row, or several.
        if random.chance(40) { return #"{"a":\#(full(Self.bytes - 8))}"# }
        return object(Self.bytes, 4)
    }

    private mutating func full(_ room: Int) -> String {
        let units = [
            "1", "[]", "{}", "\"\"", "\"x\"", "\"é\"", "null", "2.5", "[1]", #"{"a":1}"#, #"{"a":[1,1]}"#,
            #"{"b":"aab"}"#, #"{"a":{"b":[1]}}"#,
        ]
        if random.chance(25) { return text(room) }
        let unit = random.pick(units)
        let count = (room - 2) / (unit.utf8.count + 1)
        return "[" + Array(repeating: unit, count: max(1, count)).joined(separator: ",") + "]"
    }

    private mutating func text(_ room: Int) -> String {
        let letter = random.pick(["a", "é", "中", "😀", "İ", "ΐ"])
        return "\"" + String(repeating: letter, count: max(0, room - 2) / letter.utf8.count) + "\""
    }

    private mutating func value(_ room: Int, _ depth: Int) -> String {
        if room < 8 { return "1" }
        switch depth <= 0 ? random.below(3) : random.below(8) {
        case 0: return random.pick(["1", "\"x\"", "\"\"", "true", "null", "2.5"])
        case 1: return text(room)
        case 2: return full(room)
        case 3, 4, 5:
            var parts: [String] = []
            var left = room - 2
            while left > 8, parts.count < 1_000 {
                parts.append(value(min(left - 1, random.pick([4, 20, 100, left - 1])), depth - 1))
                left -= (parts.last?.utf8.count ?? 0) + 1
            }
            return "[" + parts.joined(separator: ",") + "]"
        default: return object(room, depth)
        }
    }

    private mutating func object(_ room: Int, _ depth: Int) -> String {
        var parts: [String] = []
        var left = room - 2
        for key in Self.keys where left > 16 && random.chance(70) {
            parts.append("\"\(key)\":" + value(random.chance(50) ? left - 6 : (left - 6) / 2, depth - 1))
            left -= (parts.last?.utf8.count ?? 0) + 1
        }
        return "{" + parts.joined(separator: ",") + "}"
    }
}
