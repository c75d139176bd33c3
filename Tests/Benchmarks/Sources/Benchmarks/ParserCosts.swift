import Foundation
import PredicateQL

/// One valid text of `Tests/Data/syntax.json` with its arguments.
private struct SyntaxCase {
    var format: String
    var arguments: [QueryValue]

    static func all() throws -> [SyntaxCase] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Data/syntax.json").standardized
        guard case .list(let cases) = try QueryValue(json: String(contentsOf: file, encoding: .utf8)) else { return [] }
        return cases.compactMap { item in
            guard case .object(let object) = item, case .bool(true)? = object["valid"],
                case .string(let format)? = object["format"], case .list(let arguments)? = object["args"]
            else { return nil }
            return SyntaxCase(format: format, arguments: arguments)
        }
    }
}

/// Parsing and canonical text over every valid text of the syntax cases, compared with GNUstep.
struct ParserCosts {
    private static let title = "The valid texts of the syntax cases"

    private struct Row {
        var bytes: Double
        var parse: Double
        var print: Double
        var theirs: Double?
    }

    private let rows: [Row]
    private let withArguments: Int
    private let note: String

    init(_ stopwatch: Stopwatch) throws {
        let cases = try SyntaxCase.all()
        // GNUstep gets one text per line and no arguments.
        let shared = cases.indices.filter { cases[$0].arguments.isEmpty && !cases[$0].format.utf8.contains(0x0A) }
        let gnustep = GNUstep.parse(shared.map { cases[$0].format })
        let theirs = Dictionary(uniqueKeysWithValues: zip(shared, gnustep.nanoseconds))
        note = gnustep.note
        // A round for one text is short, because there are hundreds of texts.
        var stopwatch = stopwatch
        stopwatch.seconds = min(stopwatch.seconds, 0.02)
        var rows: [Row] = []
        for (index, item) in cases.enumerated() {
            let query = try Query(parsing: item.format, arguments: item.arguments)
            let parse = try stopwatch.measure { keep(try Query(parsing: item.format, arguments: item.arguments)) }
            let print = stopwatch.measure { keep(query.format) }
            rows.append(
                Row(
                    bytes: Double(item.format.utf8.count),
                    parse: parse.nanoseconds,
                    print: print.nanoseconds,
                    theirs: theirs[index].flatMap { $0 }
                )
            )
        }
        self.rows = rows
        withArguments = cases.count - shared.count
    }

    func print() {
        let both = rows.filter { $0.theirs != nil }
        var table = Table(["work", "texts", "a text", "a byte", "geometric mean"])
        add("parse", rows, \.parse, to: &table)
        add("canonical text", rows, \.print, to: &table)
        guard !both.isEmpty else {
            table.print(title: Self.title)
            return Swift.print("\n\(note).")
        }
        add("parse, what GNUstep reads", both, \.parse, to: &table)
        add("GNUstep's parse", both, { $0.theirs ?? 0 }, to: &table)
        table.print(title: Self.title)
        let ratios = both.compactMap { row in row.theirs.map { $0 / row.parse } }
        let refused = rows.count - withArguments - both.count
        Swift.print("\n\(note).")
        Swift.print("GNUstep refuses \(refused) of \(rows.count - withArguments) texts and is not asked")
        Swift.print("\(withArguments) with arguments or line breaks. It takes \(ratio(geometricMean(ratios)))")
        Swift.print("times our time where it answers (geometric mean). A byte is a byte of the format.")
    }

    private func add(_ work: String, _ rows: [Row], _ cost: (Row) -> Double, to table: inout Table) {
        guard !rows.isEmpty else { return }
        let sum = rows.map(cost).reduce(0, +)
        table.add([
            work, String(rows.count), duration(sum / Double(rows.count)),
            duration(sum / rows.map(\.bytes).reduce(0, +)), duration(geometricMean(rows.map(cost))),
        ])
    }
}
