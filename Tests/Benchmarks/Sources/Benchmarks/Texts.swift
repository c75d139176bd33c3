import Foundation
import PredicateQL

extension Benchmarks {
    /// Parsing compared with GNUstep, canonical text, and translations.
    func text() throws {
        let gnustep = GNUstep.parse(predicates.map(\.format))
        var table = Table(["predicate", "parse", "blocks", "GNUstep", "ratio", "print", "Mongo", "SQL"])
        var costs: [[Double]] = []
        var ratios: [Double] = []
        for (predicate, theirs) in zip(predicates, gnustep.nanoseconds) {
            let query = try Query(parsing: predicate.format)
            let parse = try stopwatch.measure { keep(try Query(parsing: predicate.format)) }
            let print = stopwatch.measure { keep(query.format) }
            let mongo = try stopwatch.measure { keep(try query.mongo()) }
            let sql = try stopwatch.measure {
                keep(try query.sql(.sqlite, from: SQLTable("people", storage: .document())))
            }
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
}
