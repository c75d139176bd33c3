import Foundation
import PredicateQL

/// Prints tables with ratios: `swift run -c release Benchmarks [--quick] [--rows N]`.
@main struct Benchmarks {
    var stopwatch = Stopwatch(seconds: 0.25)
    var rows = 100_000
    var predicates: [Predicate20]

    static func main() throws {
        var benchmarks = Benchmarks(predicates: try Predicate20.all())
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--quick":
                benchmarks.stopwatch.seconds = 0.01
                benchmarks.rows = 2_000
            case "--rows":
                if let count = arguments.popFirst().flatMap({ Int($0) }), count > 0 { benchmarks.rows = count }
            default:
                print("usage: Benchmarks [--quick] [--rows N]")
                exit(64)
            }
        }
        try benchmarks.text()
        try ParserCosts(benchmarks.stopwatch).print()
        try benchmarks.evaluation()
    }

    /// Parsing beside GNUstep, canonical text, and translations.
    func text() throws {
        let gnustep = GNUstep.parse(predicates.map(\.format))
        var table = Table(["predicate", "parse", "blocks", "GNUstep", "ratio", "print", "Mongo", "SQL"])
        var costs: [[Double]] = []
        var ratios: [Double] = []
        for (predicate, theirs) in zip(predicates, gnustep.nanoseconds) {
            let query = try Query(format: predicate.format)
            let parse = try stopwatch.measure { keep(try Query(format: predicate.format)) }
            let print = stopwatch.measure { keep(query.format) }
            let mongo = try stopwatch.measure { keep(try query.mongo()) }
            let sql = try stopwatch.measure { keep(try query.sql(.sqlite, from: "people", storage: .document())) }
            costs.append([parse, print, mongo, sql].map(\.nanoseconds))
            let ours = theirs.map { parse.nanoseconds / $0 }
            if let ours { ratios.append(ours) }
            table.add([
                "\(predicate.id) \(predicate.label)", duration(parse.nanoseconds), String(Int(parse.allocations)),
                duration(theirs), ratio(ours), duration(print.nanoseconds), duration(mongo.nanoseconds),
                duration(sql.nanoseconds),
            ])
        }
        let means = (0..<4).map { column in geometricMean(costs.map { $0[column] }) }
        table.add([
            "geometric mean", duration(means[0]), "", duration(geometricMean(gnustep.nanoseconds.compactMap { $0 })),
            ratio(geometricMean(ratios)), duration(means[1]), duration(means[2]), duration(means[3]),
        ])
        table.print(title: "One query: parse, canonical text, translations")
        print("\n\(gnustep.note); thread CPU time, best of five rounds; blocks are heap allocations of one parse.")
    }

    /// Evaluation over documents beside a loop written by hand, whose counts are the judge.
    func evaluation() throws {
        let people = People.documents(rows)
        var table = Table(["predicate", "found", "ours, a row", "by hand, a row", "ratio"])
        var ratios: [Double] = []
        for predicate in predicates {
            guard let test = HandWritten.tests[predicate.id] else { continue }
            let query = try Query(format: predicate.format)
            let expected = countByHand(people, test)
            let found = try query.count(in: people)
            guard found == expected else {
                print("\(predicate.id) \(predicate.format): finds \(found), the loop written by hand \(expected)")
                exit(1)
            }
            let ours = try stopwatch.measure { keep(try query.count(in: people)) }
            let hand = stopwatch.measure { keep(countByHand(people, test)) }
            ratios.append(ours.nanoseconds / hand.nanoseconds)
            table.add([
                "\(predicate.id) \(predicate.label)", String(found), duration(ours.nanoseconds / Double(rows)),
                duration(hand.nanoseconds / Double(rows)), ratio(ours.nanoseconds / hand.nanoseconds),
            ])
        }
        table.add(["geometric mean", "", "", "", ratio(geometricMean(ratios))])
        table.print(title: "Count over \(rows) documents")
    }

    @inline(never) private func countByHand(_ people: [Document], _ test: HandWritten.Test) -> Int {
        var count = 0
        for person in people where test(person) { count += 1 }
        return count
    }
}
