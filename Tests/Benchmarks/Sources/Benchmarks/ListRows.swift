import Foundation
import PredicateQL

extension Benchmarks {
    /// Counts by conditions over the lists in structs, each beside the same loop written by hand.
    func lists() throws {
        let people = Person.all(rows)
        var comparison = Comparison(work: "count by lists in structs", rival: "loop by hand", goal: 1.2)
        comparison.note = "\(rows) structs; thread CPU time, best of nine alternating rounds"
        for (format, loop) in ListLoops.all {
            let plan = try QueryPlan<Person>(Query(parsing: format))
            let found = loop(people)
            guard try plan.count(in: people) == found else {
                print("\(format): the count differs from that by hand, \(found)")
                exit(1)
            }
            let cost = try stopwatch.compare {
                keep(try plan.count(in: people))
            } _: {
                keep(loop(people))
            }
            let count = Double(rows)
            comparison.entries.append(
                .init(
                    name: format,
                    found: found,
                    ours: cost.ours.nanoseconds / count,
                    theirs: cost.theirs.nanoseconds / count
                )
            )
        }
        report.add(comparison)
    }
}

/// The loops by hand.
private enum ListLoops {
    static let all: [(format: String, loop: @Sendable ([Person]) -> Int)] = [
        ("ANY tags == 'red'", { $0.count { $0.tags.contains("red") } }),
        ("ANY orders.amount > 500", { $0.count { $0.orders.contains { $0.amount > 500 } } }),
        ("SUBQUERY(orders, $o, $o.amount > 100).@count > 0", { $0.count { $0.orders.contains { $0.amount > 100 } } }),
        ("SUBQUERY(orders, $o, $o.qty > 10).@count > 0", { $0.count { $0.orders.contains { $0.qty > 10 } } }),
        ("SUBQUERY(orders, $o, $o.qty > 10).@count >= 2", { $0.count { $0.orders.count { $0.qty > 10 } >= 2 } }),
        (
            "SUBQUERY(orders, $o, $o.amount > 100 AND $o.qty >= 5).@count >= 2",
            { $0.count { $0.orders.count { $0.amount > 100 && $0.qty >= 5 } >= 2 } }
        ),
        ("orders.@sum.amount > 500", { $0.count { $0.orders.reduce(0) { $0 + $1.amount } > 500 } }),
        ("orders.@sum.qty > 20", { $0.count { $0.orders.reduce(0) { $0 + $1.qty } > 20 } }),
    ]
}
