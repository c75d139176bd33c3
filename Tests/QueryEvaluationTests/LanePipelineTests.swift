import PredicateQL
import QueryEvaluation
import QueryTree
import QueryValues
import Testing

@Suite("Sorts, groups and cores: structs against documents (S18, S22, S23, S27)")
struct LanePipelineTests {
    struct Sale: Queryable, Equatable {
        var id: Int
        var amount: Double
        var weight: Double?
        var rank: Int?
        var city: String
        var nick: String?
        var flag: Bool
        var small: Int32
        var pattern: String

        static let fields: FieldTable<Sale> = [
            "id": \.id, "amount": \.amount, "weight": \.weight, "rank": \.rank, "city": \.city, "nick": \.nick,
            "flag": \.flag, "small": \.small, "pattern": \.pattern,
        ]
    }

    private static let doubles: [Double] = [0, -0.0, .nan, .infinity, -.infinity, 1.5, 0.1, 1e16, -1e16, 3]
    private static let cities = [
        "Kyoto", "kyoto", "Oslo", "", "a", "fifteen bytes..", "sixteen bytes...", "abcdefgh1", "abcdefgh2", "É",
        "e\u{301}",
    ]

    static func sales(_ count: Int, seed: UInt64) -> [Sale] {
        var dice = Dice(seed)
        return (0..<count).map { id in
            var city = cities[dice.below(cities.count)]
            // The same short text, laid out like long text.
            if dice.below(5) == 0 { city.reserveCapacity(64) }
            return Sale(
                id: id,
                amount: doubles[dice.below(doubles.count)],
                weight: dice.below(3) == 0 ? nil : Double(dice.below(1_000)) / 7,
                rank: dice.below(4) == 0 ? nil : [.min, .max, 0, 1, 2, 3][dice.below(6)],
                city: city,
                nick: dice.below(3) == 0 ? nil : cities[dice.below(cities.count)],
                flag: dice.below(2) == 0,
                small: Int32(dice.below(5)),
                pattern: "a+"
            )
        }
    }

    private static let orders: [[SortKey]] = [
        ["amount"], ["-amount"], ["weight"], ["-weight", "id"], ["rank"], ["-rank"], ["city"], ["-nick", "amount"],
        [.ascending("city", options: [.caseInsensitive, .diacriticInsensitive])], ["flag", "-small"], ["small"],
    ]

    @Test("every order, skip and limit agrees with documents, in any pieces")
    func sorts() throws {
        for count in [0, 1, 64, 65, 1_500] {
            let sales = Self.sales(count, seed: UInt64(count) + 7)
            let documents = sales.map { Document(queryable: $0) }
            for order in Self.orders {
                for (skip, limit) in [(0, Int?.none), (0, 1), (5, 20), (0, 2_000)] {
                    let query = Query(compare(field("small"), .less, value(4)), order: order, skip: skip, limit: limit)
                    let wanted = try query.results(in: documents).map { $0["id"] }
                    let plan = try QueryPlan<Sale>(query)
                    #expect(
                        try plan.results(in: sales).map { .int(Int64($0.id)) } == wanted,
                        "\(count) \(order) \(skip)"
                    )
                    for piece in [64, 512] {
                        let found = try plan.withSource(sales) { (source) throws(QueryError) in
                            try plan.core.resultIndices(in: source, concurrently: true, piece: piece)
                        }
                        #expect(
                            found.map { .int(Int64($0)) } == wanted,
                            "\(count) \(order) \(skip) in pieces of \(piece)"
                        )
                    }
                }
            }
        }
    }

    @Test("groups by keys of every kind agree with documents, on one core and on all")
    func groups() throws {
        for count in [0, 1_000, 70_000] {
            let sales = Self.sales(count, seed: UInt64(count) + 3)
            let documents = sales.map { Document(queryable: $0) }
            let keys: [[GroupKey]] =
                count > 10_000
                ? [["city"]] : [["city"], ["nick"], ["rank"], ["amount"], ["weight"], ["flag", "city"], []]
            for key in keys {
                let grouping = Grouping(
                    Query(compare(field("small"), .less, value(4))),
                    by: key,
                    computing: [
                        .count, .average("weight"), .sum("rank"), .sum("weight"), .sum("small"), .min("nick"),
                        .max("rank"), .min("amount"), .average("rank"),
                    ]
                )
                let wanted = try grouping.results(in: documents)
                let one = try grouping.results(in: sales)
                let all = try grouping.results(in: sales, concurrently: true)
                #expect(one.count == wanted.count)
                for (a, (b, c)) in zip(wanted, zip(one, all)) {
                    #expect(Self.isSame(a, b), "\(count) \(key): \(a) and \(b)")
                    #expect(Self.isSame(a, c), "\(count) \(key), all cores: \(a) and \(c)")
                }
            }
        }
    }

    /// NaN equals itself here; every bit of a double counts, except the sign of a zero key.
    private static func isSame(_ left: Document, _ right: Document) -> Bool {
        left.keys == right.keys && zip(left.values, right.values).allSatisfy { EqualityKey($0) == EqualityKey($1) }
    }

    @Test("all cores find the same rows, counts and first error")
    func cores() throws {
        var sales = Self.sales(200_000, seed: 5)
        let query = Query(compare(field("rank"), .greater, value(1)))
        let plan = try QueryPlan<Sale>(query)
        #expect(try plan.results(in: sales, concurrently: true).map(\.id) == plan.results(in: sales).map(\.id))
        #expect(try plan.count(in: sales, concurrently: true) == plan.count(in: sales))
        sales[150_000].pattern = "("
        sales[70_000].pattern = "("
        let match = Query(compare(value("aa"), .matches, field("pattern")))
        for limit in [Int?.none, 60_000, 90_000] {
            var query = match
            query.limit = limit
            let plan = try QueryPlan<Sale>(query)
            let (one, all) = (
                Self.outcome { try plan.results(in: sales).count },
                Self.outcome {
                    try plan.results(in: sales, concurrently: true).count
                }
            )
            #expect(one == all)
            #expect(all.contains("70000") == (limit != 60_000), "\(all)")
        }
    }

    private static func outcome(_ work: () throws -> Int) -> String {
        do { return "\(try work())" } catch { return "\(error)" }
    }

    @Test("the limits bound sorted rows and groups of structs")
    func budgets() throws {
        var limits = Limits.default
        limits.sortedRows = 100
        limits.groups = 5
        let sales = Self.sales(5_000, seed: 1)
        let plan = try QueryPlan<Sale>(Query(order: ["id"]), limits: limits)
        #expect(throws: QueryError.self) { try plan.results(in: sales) }
        let grouping = Query().grouped(by: "city", computing: [.count])
        #expect(throws: QueryError.self) { try grouping.results(in: sales, limits: limits) }
    }
}
