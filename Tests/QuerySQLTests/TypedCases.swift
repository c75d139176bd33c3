import PredicateQL
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport

/// Rows of declared types with the expected rows of many queries, for a judge to run in a real store.
struct TypedCases {
    /// How the rows are stored.
    enum Layout: String, CaseIterable {
        /// A column for each field, a table for the list of objects.
        case columns
        /// Documents of any shape.
        case documents
        /// Documents of declared types.
        case typedDocuments
        /// Columns that hold lists and objects.
        case nested
    }

    let layout: Layout
    let dialect: SQLDialect
    let rows: [Document]
    private(set) var generator: ConditionGenerator
    private var meanings: SeededGenerator
    private var asked = 0
    /// How `d` and `e` are stored.
    private let dates: (d: DateEncoding, e: DateEncoding)

    init(
        _ layout: Layout,
        _ dialect: SQLDialect,
        seed: UInt64,
        keepsNegativeZero: Bool = true,
        dates: (d: DateEncoding, e: DateEncoding)? = nil
    ) {
        self.layout = layout
        self.dialect = dialect
        let form: DateEncoding = layout == .typedDocuments ? .iso8601Milliseconds : .native
        let dates = dates ?? (form, form)
        self.dates = dates
        let hasInfinities = dialect.forms.map { $0.notANumber != nil } ?? true
        var random = SeededGenerator(seed)
        generator = ConditionGenerator(seed: seed)
        meanings = SeededGenerator(seed)
        let isDocument = layout == .documents
        rows = (0..<(layout == .columns ? 48 : 40)).map { number in
            var row = isDocument ? Hostile.row(&random) : Self.row(&random, layout, dates, hasInfinities: hasInfinities)
            if number >= 40 {
                for name in ["x", "n"] { row[name] = random.pick(Self.ofFewBits.ints) }
                for name in ["y", "m"] { row[name] = random.pick(Self.ofFewBits.doubles) }
            }
            row["id"] = .int(Int64(number))
            if !keepsNegativeZero {
                for (name, value) in row.pairs where value == .double(-0.0) { row[name] = .double(0.0) }
            }
            return row
        }
        guard !isDocument else { return }
        generator.fields = ["x", "y", "n", "m", "s", "t", "b", "d", "e"]
        generator.collections = layout == .nested ? ["l", "s", "n"] : ["k", "k.a", "k.b", "k.a", "s"]
        if layout == .nested { generator.fields?.append("o.a") }
        let instants = (Self.instants + Self.far).map(QueryValue.date)
        generator.constants = instants + [.bool(true), .bool(false)] + (hasInfinities ? [.double(.infinity)] : [])
    }

    /// Dates beyond the years whose texts sort.
    private static let far: [Int64] = [9_467_000_000_000_000, -90_000_000_000_000_000]

    private static let instants: [Int64] = [0, -1, 1, 1_479_117_955_787, 253_402_300_799_999, -62_135_596_800_000]

    /// The fields with a single value.
    private var scalars: [Schema.Field] {
        [
            .field("id", .int), .field("x", .int), .field("y", .double), .field("n", .int), .field("m", .double),
            .field("s", .string), .field("t", .string), .field("b", .bool), .field("d", .date(dates.d)),
            .field("e", .date(dates.e)),
        ]
    }

    var schema: Schema? {
        let kid = FieldType.object(Schema([.field("a", .int), .field("b", .string)]))
        switch layout {
        case .columns:
            let relation = Schema.Relation(table: "kids", foreignKey: "owner", key: "id")
            return Schema(scalars + [.field("k", .list(kid), relation: relation)])
        case .documents: return nil
        case .typedDocuments: return Schema(scalars + [.field("k", .list(kid))])
        case .nested:
            return Schema(
                scalars + [.field("l", .list(.string)), .field("o", .object(Schema([.field("a", .int)])))]
            )
        }
    }

    var storage: SQLStorage {
        var storage: SQLStorage = layout == .columns || layout == .nested ? .columns : .document()
        if layout == .columns {
            // The other column is folded by a function.
            storage.foldedColumns["s"] = ["c": "s_c", "d": "s_d", "cd": "s_cd"]
        }
        return storage
    }

    /// Numbers whose shortest digits are not their exact value.
    private static let large: [QueryValue] = [
        .double(0x1p60), .double(-0x1p63), .double(-0x1p62), .double(0x1p63 - 1024), .int(1 << 60), .int(-(1 << 62)),
    ]

    /// Numbers that 16 and 32 bits hold, whose sums and products they do not.
    private static let ofFewBits: (ints: [QueryValue], doubles: [QueryValue]) = (
        [.null, 32_767, -32_768, 30_000, 255, 1], [.null, .double(0x1p24), 1.0, 0.5, .double(0x1p127), -1.0]
    )

    private static func row(
        _ random: inout SeededGenerator,
        _ layout: Layout,
        _ dates: (d: DateEncoding, e: DateEncoding),
        hasInfinities: Bool
    ) -> Document {
        var row = Document()
        func number(_ random: inout SeededGenerator, whole: Bool) -> QueryValue {
            let special: [QueryValue] =
                layout == .typedDocuments || whole || !hasInfinities
                ? [] : [.double(.nan), .double(.infinity), .double(-.infinity)]
            let some = (Hostile.numbers + large + special).filter { if case .int = $0 { whole } else { !whole } }
            return random.chance(15) ? .null : random.pick(some)
        }
        for name in ["x", "n"] { row[name] = number(&random, whole: true) }
        for name in ["y", "m"] { row[name] = number(&random, whole: false) }
        for name in ["s", "t"] { row[name] = random.chance(15) ? .null : .string(random.pick(Hostile.texts)) }
        row["b"] = random.pick([.null, .bool(true), .bool(false)])
        for (name, encoding) in [("d", dates.d), ("e", dates.e)] {
            row[name] = random.chance(15) ? .null : encoding.encode(random.pick(instants))
        }
        if layout == .nested {
            row["l"] =
                random.chance(20)
                ? .null
                : .list(
                    (0..<random.below(4)).map { _ in
                        random.chance(20) ? .null : .string(random.pick(Hostile.texts))
                    }
                )
            if random.chance(80) { row["o"] = .object(Document(pairs: [("a", number(&random, whole: true))])) }
            return row
        }
        if layout == .typedDocuments {
            for (name, value) in row.pairs where value.isNull && random.chance(50) { row[name] = nil }
        }
        row["k"] = .list(
            (0..<random.below(4)).map { _ in
                .object(
                    Document(pairs: [
                        ("a", number(&random, whole: true)),
                        ("b", random.chance(20) ? .null : .string(random.pick(Hostile.texts))),
                    ])
                )
            }
        )
        return row
    }

    /// One query with its expected rows; nil if the store's SQL does not support the attempt.
    mutating func next() -> Document? {
        // Most generated conditions compare kinds that the schema keeps apart, and are not valid queries.
        for _ in 0..<(schema == nil ? 1 : 5) {
            if let found = tried() { return found }
        }
        return nil
    }

    private mutating func tried() -> Document? {
        asked += 1
        let nilMeaning = meanings.pick([.nullOrAbsent, .nullOrAbsent, .nullOrAbsent, .absent, .null] as [NilMeaning])
        guard asked.isMultiple(of: 3) else { return judged(generator.condition(), nilMeaning) }
        return generator.parsed(anyTerms: 50, schema: schema).flatMap { judged($0, nilMeaning) }
    }

    /// The hand-written queries that the store's SQL supports.
    func writtenCases() throws -> [Document] {
        try Self.written.compactMap { judged(try Condition(parsing: $0), .nullOrAbsent) }
    }

    private func judged(_ condition: Condition, _ nilMeaning: NilMeaning) -> Document? {
        let query = Query(condition, nilMeaning: nilMeaning, schema: schema)
        return try? query.checked().judged(in: dialect, storage, rows)
    }

    // MARK: Whole statements

    /// Statements with order, skip and limit, pages and groups, with their expected results in order.
    func statements() throws -> [Document] {
        var found: [Document] = []
        for names in [["s"], ["-s", "t"], ["n", "-s"], ["-n"], ["t", "n"]] + scalarOrders {
            let order = names.map { SortKey(stringLiteral: $0) } + [SortKey("id")]
            for (skip, limit) in [(nil, nil), (3, 10), (35, nil), (nil, 7)] as [(Int?, Int?)] {
                var query = Query(.constant(true), order: order, skip: skip, limit: limit)
                query.schema = schema
                found.append(try ordered(query))
            }
            var page = Query(.constant(true), order: order, limit: 9)
            page.schema = schema
            let first = try page.results(in: rows)
            guard layout == .columns, let last = first.last, last["y"]?.isNaN != true else { continue }
            found.append(try ordered(page.page(after: page.cursor(after: last, by: "id"), by: "id")))
        }
        return layout == .documents ? found : found + (try groups())
    }

    private var scalarOrders: [[String]] {
        layout == .documents ? [] : [["y", "x"], ["-m"], ["b", "-y"], ["-d", "s"]]
    }

    private func ordered(_ query: Query) throws -> Document {
        var narrow = query
        if layout == .columns || layout == .nested { narrow.fields = ["id"] }
        let statement = try narrow.sql(dialect, from: SQLTable("docs", storage: storage, primaryKey: "id"), now: 0)
        let expected = try query.results(in: rows).map { QueryValue.list([$0["id"] ?? .null]) }
        return result(statement, expected, "ORDER BY")
    }

    private func groups() throws -> [Document] {
        var found: [Document] = []
        for keys in [["b"], ["s"], ["b", "t"], ["x"], []] as [[GroupKey]] {
            for having in ["TRUEPREDICATE", "count > 1", "max_n >= 2 OR min_s < 'b'"] {
                var query = try Query(format: "n BETWEEN {-100, 100} AND m BETWEEN {-100, 100}")
                query.schema = schema
                let grouping = Grouping(
                    query,
                    by: keys,
                    computing: [.count, .sum("n"), .average("m"), .min("s"), .max("n"), .max("y")],
                    having: try Query(parsing: having).condition
                )
                let statement = try grouping.sql(
                    dialect,
                    from: SQLTable("docs", storage: storage, primaryKey: "id"),
                    now: 0
                )
                let expected = try grouping.results(in: rows).map { QueryValue.list($0.values) }
                var group = result(statement, expected, "GROUP BY \(keys.map(\.name)) HAVING \(having)")
                if layout == .typedDocuments { group["json"] = .int(Int64(keys.count)) }
                found.append(group)
            }
        }
        return found
    }

    func result(_ statement: SQLQuery, _ expected: [QueryValue], _ name: String) -> Document {
        Document(pairs: [
            ("sql", .string(statement.sql)),
            ("bindings", .list(statement.bindings.map(Self.encoded))),
            (
                "rows",
                .list(
                    expected.map { row in
                        guard case .list(let values) = row else { return .null }
                        return .list(values.map(Self.encoded))
                    }
                )
            ),
            ("query", .string(name)),
        ])
    }
}
