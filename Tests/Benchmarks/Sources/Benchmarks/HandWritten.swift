import Foundation
import PredicateQL

/// The 20 predicates written by hand over documents: the baseline, and the reference for the counts.
enum HandWritten {
    typealias Test = @Sendable (borrowing Document) -> Bool

    static let tests: [String: Test] = [
        "P01": { int($0["age"]) > 42 },
        "P02": { text($0["city"]) == "Kyoto" },
        "P03": { text($0["name"]).utf8.starts(with: "Mar".utf8) },
        "P04": { contains(text($0["name"]), "son") },
        "P05": { int($0["age"]) >= 30 && isTrue($0["active"]) && number($0["score"]) < 50 },
        "P06": { text($0["city"]) == "Kyoto" || int($0["age"]) < 5 || number($0["score"]) > 99 },
        "P07": { ($0["nickname"] ?? .null).isNull },
        "P08": { list($0["tags"]).count > 2 },
        "P09": { int($0["age"]) * 2 + 10 > 100 },
        "P10": { folded(text($0["name"])).hasPrefix("mar") },
        "P11": { isMason(text($0["name"])) },
        "P12": { ["Kyoto", "Lagos", "Oslo", "Lima", "Quito"].contains(text($0["city"])) },
        "P13": { (30...40).contains(int($0["age"])) },
        "P14": { number(object(object($0["address"])["geo"])["lat"]) > 45 },
        "P15": { list($0["tags"]).contains { text($0) == "red" } },
        "P16": { list($0["orders"]).contains { number(object($0)["amount"]) > 500 } },
        "P17": {
            list($0["orders"]).lazy
                .filter { number(object($0)["amount"]) > 100 && int(object($0)["qty"]) >= 5 }.count >= 2
        },
        "P18": { list($0["orders"]).reduce(0) { $0 + number(object($1)["amount"]) } > 1_000 },
        "P19": { text($0["name"]).hasPrefix("Mar") && text($0["name"]).hasSuffix("n") },
        "P20": { text($0["city"]).lowercased() == "kyoto" },
    ]

    private static func int(_ value: QueryValue?) -> Int64 { if case .int(let int)? = value { int } else { 0 } }
    private static func isTrue(_ value: QueryValue?) -> Bool { if case .bool(true)? = value { true } else { false } }
    private static func text(_ value: QueryValue?) -> String { if case .string(let text)? = value { text } else { "" } }
    private static func list(_ value: QueryValue?) -> [QueryValue] {
        if case .list(let list)? = value { list } else { [] }
    }
    private static func object(_ value: QueryValue?) -> Document {
        if case .object(let object)? = value { object } else { Document() }
    }
    private static func number(_ value: QueryValue?) -> Double {
        switch value {
        case .double(let double): double
        case .int(let int): Double(int)
        default: 0
        }
    }

    private static func contains(_ text: String, _ needle: StaticString) -> Bool {
        var text = text
        let wanted = UnsafeBufferPointer(start: needle.utf8Start, count: needle.utf8CodeUnitCount)
        return text.withUTF8 { bytes in
            guard bytes.count >= wanted.count else { return false }
            return (0...(bytes.count - wanted.count)).contains { start in
                bytes[start] == wanted[0] && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
            }
        }
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// `M.*son` over the whole text, which has no line breaks here.
    private static func isMason(_ text: String) -> Bool { text.hasPrefix("M") && text.hasSuffix("son") }
}
