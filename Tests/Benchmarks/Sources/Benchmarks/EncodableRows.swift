import Foundation
import PredicateQL

extension Benchmarks {
    /// Counts over rows that are only `Encodable`, compared with `#Predicate` on the same structs.
    func encodable() throws {
        let documents = People.documents(rows)
        let people = documents.map { Person($0) }
        var macro = Comparison(work: "count over Encodable rows", rival: "#Predicate")
        macro.note =
            "\(rows) structs, read through Encodable; #Predicate counts a twentieth; thread CPU time, best of five rounds"
        for predicate in predicates {
            guard let test = HandWritten.tests[predicate.id] else { continue }
            let query = try Query(parsing: predicate.format)
            let expected = countByHand(documents, test)
            check(predicate, try Self.count(encoded: people, query), expected)
            let ours = try stopwatch.measure { keep(try Self.count(encoded: people, query)) }
            let theirs = hasRivals ? try FoundationPredicates.all[predicate.id].map { try time(people, $0) } : nil
            macro.entries.append(
                .init(name: predicate.name, found: expected, ours: ours.nanoseconds / Double(rows), theirs: theirs)
            )
        }
        report.add(macro)
    }

    /// Here a row is only known to be encodable.
    private static func count<Row: Encodable>(encoded rows: [Row], _ query: Query) throws -> Int {
        try query.count(in: rows)
    }
}
