import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// The same answer from every source: documents, JSON text, Swift values, rows read in place.
///
/// The tests run one after another, because the row types take their names from the current test.
@Suite(.serialized) struct SourceTests {
    private static let now: Int64 = 978_308_200_000

    @Test func everySpecCase() async throws {
        let agreement = SourceAgreement()
        for (number, spec) in try SpecFile.allCases().enumerated()
        where (spec["finds"] != nil || spec["results"] != nil) && SeededGenerator.isAsked(number, oneIn: 16) {
            let now = spec.now ?? Self.now
            if let grouping = try? spec.makeGrouping() {
                agreement.check(grouping, try spec.documents(), now: now, at: spec.place)
                continue
            }
            guard let query = try? spec.makeQuery() else {
                agreement.skip("rows", "a query that is refused")
                continue
            }
            guard query.computed.isEmpty else {
                agreement.skip("rows", "computed fields, which only documents have")
                continue
            }
            await agreement.check(query, try spec.documents(), now: now, at: spec.place)
        }
        print("sources, spec cases: \(agreement.summary)")
        #expect(agreement.failures.isEmpty, "\(agreement.failures.joined(separator: "\n"))")
    }

    @Test func everyTruthCase() async throws {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/truth.json")
        guard
            case .object(let file) = try QueryValue(json: String(contentsOf: url, encoding: .utf8), extended: true),
            case .object(let row)? = file["object"], case .list(let cases)? = file["cases"]
        else {
            Issue.record("truth.json has no object and cases")
            return
        }
        let agreement = SourceAgreement()
        for (number, entry) in cases.enumerated() where SeededGenerator.isAsked(number, oneIn: 8) {
            guard case .object(let entry) = entry, case .string(let format)? = entry["format"] else { continue }
            let query: Query
            do {
                query = try Query(parsing: format, arguments: [])
            } catch {
                agreement.skip("truth", "a query that is refused")
                continue
            }
            await agreement.check(query, [row], now: Self.now, at: "truth.json")
        }
        print("sources, truth cases: \(agreement.summary)")
        #expect(agreement.failures.isEmpty, "\(agreement.failures.joined(separator: "\n"))")
    }

    /// `SEED` and `SCALE` choose them.
    @Test func randomQueries() async throws {
        let queries = SeededGenerator.count(12)
        let seed = SeededGenerator.seed(2_024)
        let agreement = SourceAgreement()
        var random = SeededGenerator(seed)
        var conditions = ConditionGenerator(seed: seed)
        for number in 0..<queries {
            let rows = RandomRows.rows(&random, count: random.pick([0, 1, 2, 7, 63, 64, 65, 130, 200]))
            guard let condition = number % 3 == 2 ? conditions.parsed(anyTerms: 50) : conditions.condition() else {
                continue
            }
            var query = Query(condition)
            if random.chance(40) { query.order = RandomRows.order(&random) }
            if random.chance(30) { query.skip = random.below(6) }
            if random.chance(30) { query.limit = random.below(8) }
            await agreement.check(query, rows, now: Self.now, at: "seed \(seed), query \(number)")
            if random.chance(30) {
                var grouping = RandomRows.grouping(query, &random)
                if random.chance(40) {
                    grouping.keys.append(GroupKey(conditions.groupKey(any: true), as: "key"))
                }
                if random.chance(40) {
                    let term = GroupKey(conditions.groupKey(any: true), as: nil)
                    let kind = random.pick([.sum, .average, .min, .max, .median, .distinct, .first] as [Reducer.Kind])
                    grouping.reducers.append(Reducer(kind.operation(term) ?? .count, as: "value"))
                }
                agreement.check(grouping, rows, now: Self.now, at: "seed \(seed), groups of query \(number)")
            }
            if agreement.failures.count > 5 { break }
        }
        print("sources, random queries of seed \(seed): \(agreement.summary)")
        #expect(agreement.failures.isEmpty, "SEED=\(seed)\n\(agreement.failures.joined(separator: "\n"))")
    }
}

/// Random rows and orders.
enum RandomRows {
    /// Rows of any values, or rows whose keys each hold one kind, like typed properties.
    static func rows(_ random: inout SeededGenerator, count: Int) -> [Document] {
        let rows = (0..<count).map { _ in Hostile.row(&random) }
        guard random.chance(70) else { return rows }
        var kinds: [String: Int] = [:]
        return rows.map { row in
            var kept = Document()
            for (key, value) in row.pairs {
                let kind = value.kindNumber
                if value.isNull || kinds[key, default: kind] == kind {
                    if !value.isNull { kinds[key] = kind }
                    kept[key] = value
                }
            }
            return kept
        }
    }

    static func grouping(_ query: Query, _ random: inout SeededGenerator) -> Grouping {
        let paths: [FieldPath] = ["x", "n", "m", "s", "t", "o.a"]
        var query = query
        query.order = []
        let keys = (0..<random.below(3)).map { paths[($0 * 3 + random.below(3)) % paths.count] }
        let makers: [(FieldPath) -> Reducer] = [
            Reducer.sum, Reducer.average, Reducer.min, Reducer.max, Reducer.countDistinct, Reducer.distinct,
            Reducer.median, Reducer.first, Reducer.last,
        ]
        // Half of the groupings can be computed in lanes, which keep no values.
        let reducers = makers.prefix(random.chance(50) ? 4 : makers.count).map { $0(random.pick(paths)) }
        return Grouping(query, by: keys.map { GroupKey($0) }, computing: [.count] + reducers)
    }

    static func order(_ random: inout SeededGenerator) -> [SortKey] {
        (0...random.below(2)).map { _ in
            let path = FieldPath(dotted: random.pick(["x", "y", "n", "m", "s", "t", "o.a", "k.a", "l"]))
            let options: StringOptions = random.pick([[], [], .caseInsensitive, .diacriticInsensitive])
            return random.chance(50) ? .ascending(path, options: options) : .descending(path, options: options)
        }
    }
}

extension QueryValue {
    /// Kinds distinguished as by properties of Swift types.
    fileprivate var kindNumber: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int: 2
        case .double: 3
        case .string: 4
        case .date: 5
        case .data: 6
        case .uuid: 7
        case .list: 8
        case .object: 9
        case .shape: 10
        }
    }
}
