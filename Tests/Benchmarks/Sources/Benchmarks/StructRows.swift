import Foundation
import PredicateQL

extension Benchmarks {
    /// Counts over structs, compared with a hand-written expression, an ordinary filter and `#Predicate`.
    func structs() throws {
        let documents = People.documents(rows)
        let people = documents.map { Person($0) }
        var hand = Comparison(work: "count over structs", rival: "by hand, borrowed", goal: 1)
        hand.note =
            "\(rows) structs of \(MemoryLayout<Person>.stride) bytes; an expression written by hand behind a"
            + " function value that borrows its row; thread CPU time, best of five rounds"
        var filter = Comparison(work: "count over structs", rival: "filter { }")
        var macro = Comparison(work: "count over structs", rival: "#Predicate")
        macro.note = "#Predicate counts a twentieth of the people"
        for predicate in predicates {
            guard let test = StructTests.borrowed[predicate.id], let oracle = HandWritten.tests[predicate.id] else {
                continue
            }
            let plan = try QueryPlan<Person>(Query(parsing: predicate.format))
            // The expected counts come from other code over another form of the same people.
            let expected = countByHand(documents, oracle)
            check(predicate, try plan.count(in: people), expected)
            check(predicate, Self.count(people, test), expected)
            let ours = each(try stopwatch.measure { keep(try plan.count(in: people)) })
            func add(_ comparison: inout Comparison, _ theirs: Double?) {
                comparison.entries.append(.init(name: predicate.name, found: expected, ours: ours, theirs: theirs))
            }
            add(&hand, hasRivals ? each(stopwatch.measure { keep(Self.count(people, test)) }) : nil)
            guard hasRivals else { continue }
            add(
                &filter,
                StructTests.filtered[predicate.id].map { count in each(stopwatch.measure { keep(count(people)) }) }
            )
            add(&macro, try FoundationPredicates.all[predicate.id].map { try time(people, $0) })
        }
        report.add(hand)
        if hasRivals { for comparison in [filter, macro] { report.add(comparison) } }
    }

    private func each(_ cost: Cost) -> Double { cost.nanoseconds / Double(rows) }

    /// A loop over borrowed rows; the test is a value, like that of any query.
    @inline(never) static func count(_ people: [Person], _ test: StructTests.Borrowed) -> Int {
        people.withUnsafeBufferPointer { people in
            guard let first = people.baseAddress else { return 0 }
            var count = 0
            for index in people.indices where test(first + index) { count += 1 }
            return count
        }
    }

    func time(_ people: [Person], _ predicate: Foundation.Predicate<Person>) throws -> Double {
        let some = Array(people.prefix(max(1, people.count / 20)))
        let cost = try stopwatch.measure { keep(try some.filter(predicate).count) }
        return cost.nanoseconds / Double(some.count)
    }

    /// Sorting and grouping, compared with hand-written loops.
    func pipelines() throws {
        let people = Person.all(rows)
        let note = "\(rows) structs; thread CPU time, best of five rounds"
        var sorts = Comparison(work: "sort structs by score, limit 20", rival: "top-k by hand", goal: 1.3, note: note)
        let sorted = try QueryPlan<Person>(Query(order: ["score"], limit: 20))
        let expected = StructPipelines.lowestScores(people, 20)
        guard try sorted.results(in: people).map(\.id) == expected.map(\.id) else {
            stop("the sorted people differ from those by hand")
        }
        sorts.entries.append(
            .init(
                name: "score, limit 20",
                found: expected.count,
                ours: each(try stopwatch.measure { keep(try sorted.results(in: people)) }),
                theirs: each(stopwatch.measure { keep(StructPipelines.lowestScores(people, 20)) })
            )
        )
        report.add(sorts)
        var groups = Comparison(work: "group structs", rival: "dictionary by hand", goal: 0.5, note: note)
        let grouping = Query().grouped(by: "city", computing: [.count, .average("score")])
        let byHand = StructPipelines.cities(people)
        let found = try grouping.results(in: people)
        guard found.count == byHand.count,
            found.allSatisfy({ group in
                guard case .string(let city)? = group["city"], let hand = byHand[city],
                    case .double(let average)? = group["avg_score"]
                else { return false }
                return group["count"] == .int(Int64(hand.count))
                    && abs(average - hand.sum / Double(hand.count)) < 1e-9
            })
        else { stop("the groups differ from those by hand") }
        groups.entries.append(
            .init(
                name: "by city: count, average of score",
                found: found.count,
                ours: each(try stopwatch.measure { keep(try grouping.results(in: people)) }),
                theirs: each(stopwatch.measure { keep(StructPipelines.cities(people)) })
            )
        )
        report.add(groups)
    }

    /// Ends the run, so that wrong answers are never timed.
    private func stop(_ reason: String) -> Never {
        print(reason)
        exit(1)
    }

    /// All cores compared with one, in wall-clock time.
    func cores() throws {
        let count = stopwatch.seconds < 0.1 ? rows : 1_000_000
        let people = Person.all(count)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        var comparison = Comparison(work: "structs on \(cores) cores", rival: "one core", goal: 1 / 1.7)
        comparison.note = "\(count) structs; wall time, best of nine rounds; a machine that does other work shows less"
        var work = Comparison(work: "CPU time on \(cores) cores together", rival: "one core", goal: 2 / 1.7)
        work.note = "the same work in CPU time of all threads, which other work on the machine disturbs less"
        func add(_ name: String, _ body: (Bool) throws -> Void) throws {
            var best = (one: Times(), all: Times())
            for _ in 0..<9 {
                best.one.take(try times { try body(false) })
                best.all.take(try times { try body(true) })
            }
            func each(_ path: KeyPath<Times, Double>) -> Comparison.Entry {
                let (ours, theirs) = (best.all[keyPath: path], best.one[keyPath: path])
                return .init(name: name, found: nil, ours: ours / Double(count), theirs: theirs / Double(count))
            }
            comparison.entries.append(each(\.wall))
            work.entries.append(each(\.cpu))
        }
        for predicate in predicates where ["P04", "P06", "P10", "P17"].contains(predicate.id) {
            let plan = try QueryPlan<Person>(Query(parsing: predicate.format))
            try add(predicate.name) { keep(try plan.count(in: people, concurrently: $0)) }
        }
        let sorted = try QueryPlan<Person>(Query(order: ["score"]))
        try add("sort by score") { keep(try sorted.results(in: people, concurrently: $0).count) }
        let grouping = Query().grouped(by: "city", computing: [.count, .average("score")])
        try add("group by city") { keep(try grouping.results(in: people, concurrently: $0).count) }
        report.add(comparison)
        report.add(work)
    }

    /// Wall-clock nanoseconds, and CPU nanoseconds of all threads together.
    private struct Times {
        var wall = Double.infinity
        var cpu = Double.infinity

        mutating func take(_ other: Times) {
            wall = min(wall, other.wall)
            cpu = min(cpu, other.cpu)
        }
    }

    private func times(_ work: () throws -> Void) rethrows -> Times {
        func cpu() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        let start = cpu()
        let wall = try ContinuousClock().measure(work) / .nanoseconds(1)
        return Times(wall: wall, cpu: cpu() - start)
    }
}

/// Hand-written pipelines.
enum StructPipelines {
    /// The people with the lowest scores, by a sorted list of the best so far.
    @inline(never) static func lowestScores(_ people: [Person], _ count: Int) -> [Person] {
        let best = people.withUnsafeBufferPointer { people in
            var best: [(score: Double, index: Int)] = []
            best.reserveCapacity(count + 1)
            // Equal scores are ordered by key, as the library breaks ties (S22).
            func isBefore(_ a: (score: Double, index: Int), _ b: (score: Double, index: Int)) -> Bool {
                a.score < b.score || a.score == b.score && people[a.index].id < people[b.index].id
            }
            for index in people.indices {
                let score = people[index].score
                if best.count == count, let last = best.last, !isBefore((score, index), last) { continue }
                let place = best.firstIndex { isBefore((score, index), $0) } ?? best.count
                best.insert((score, index), at: place)
                if best.count > count { best.removeLast() }
            }
            return best
        }
        return best.map { people[$0.index] }
    }

    /// The count and sum of scores by city, in a dictionary.
    @inline(never) static func cities(_ people: [Person]) -> [String: (count: Int, sum: Double)] {
        people.withUnsafeBufferPointer { people in
            var groups: [String: (count: Int, sum: Double)] = [:]
            for index in people.indices {
                groups[people[index].city, default: (0, 0)].count += 1
                groups[people[index].city, default: (0, 0)].sum += people[index].score
            }
            return groups
        }
    }
}

/// The predicates that `#Predicate` supports.
enum FoundationPredicates {
    static let all: [String: Foundation.Predicate<Person>] = [
        "P01": #Predicate { $0.age > 42 },
        "P02": #Predicate { $0.city == "Kyoto" },
        "P03": #Predicate { $0.name.starts(with: "Mar") },
        "P05": #Predicate { $0.age >= 30 && $0.active && $0.score < 50 },
        "P06": #Predicate { $0.city == "Kyoto" || $0.age < 5 || $0.score > 99 },
        "P07": #Predicate { $0.nickname == nil },
        "P08": #Predicate { $0.tags.count > 2 },
        "P09": #Predicate { $0.age * 2 + 10 > 100 },
        "P13": #Predicate { $0.age >= 30 && $0.age <= 40 },
        "P14": #Predicate { $0.address.geo.lat > 45 },
        "P15": #Predicate { $0.tags.contains("red") },
        "P16": #Predicate { $0.orders.contains { $0.amount > 500 } },
    ]
}
