import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport

/// A query for rows, or for groups of them.
enum Pipeline: CustomStringConvertible {
    case rows(Query)
    case groups(Grouping)

    var description: String {
        switch self {
        case .rows(let query): "\(query.condition.format)\n\(Self.tail(query))"
        case .groups(let groups):
            """
            \(groups.query.condition.format)
            by \(groups.keys), \(groups.reducers), having \(groups.having?.format ?? "-")
            \(Self.tail(groups.query))
            """
        }
    }

    private static func tail(_ query: Query) -> String {
        let order = query.order.map { "\($0.isAscending ? "" : "-")\($0.path.dotted)[\($0.options.text)]" }
        return "order \(order), skip \(query.skip ?? -1), limit \(query.limit ?? -1), fields "
            + "\(query.fields?.map(\.dotted) ?? ["-"]), computed \(query.computed)"
    }
}

/// Random orders, pages, fields, computed fields and groups over some paths.
struct RandomPipelines {
    /// The paths of orders, fields and groups.
    let paths: [String]
    /// Generates the conditions of three in ten queries.
    var conditions: ConditionGenerator
    /// True if computed fields and group keys may be arbitrary terms.
    let computesAnyTerm: Bool
    /// True for what the store computes; most terms mix kinds that a schema keeps apart.
    let computes: (Term) -> Bool
    private var random: SeededGenerator

    init(
        _ paths: [String],
        _ conditions: ConditionGenerator,
        seed: UInt64,
        computesAnyTerm: Bool = false,
        computes: @escaping (Term) -> Bool = { _ in true }
    ) {
        self.paths = paths
        self.conditions = conditions
        self.computesAnyTerm = computesAnyTerm
        self.computes = computes
        random = SeededGenerator(seed)
    }

    mutating func next() -> Pipeline {
        var query = Query(random.chance(30) ? conditions.condition() : .constant(true))
        if random.chance(30) { query.skip = random.pick([0, 1, 3, 20, 100]) }
        if random.chance(40) { query.limit = random.pick([0, 1, 2, 7, 30, 100]) }
        guard random.chance(45) else {
            query.order = (0..<random.below(4)).map { _ in key(FieldPath(dotted: random.pick(paths))) }
            if random.chance(35) { query.fields = distinctPaths(1 + random.below(3)) }
            if random.chance(40) {
                query.computed = (0...random.below(2)).map { number in ComputedField(computed(), as: "c\(number)") }
                if random.chance(50) {
                    query.order.insert(key(FieldPath(keys: ["c0"])), at: random.below(query.order.count + 1))
                }
            }
            return .rows(query)
        }
        var keys = distinctPaths(random.below(3)).map { GroupKey($0) }
        if random.chance(40) { keys.append(GroupKey(computed(), as: "key")) }
        let reducers = self.reducers()
        let names = keys.map(\.name) + reducers.map(\.name)
        query.order = (0..<random.below(3)).map { _ in key(FieldPath(keys: [random.pick(names)])) }
        return .groups(
            Grouping(query, by: keys, computing: reducers, having: random.chance(40) ? having(names) : nil)
        )
    }

    private mutating func computed() -> Term {
        for _ in 0..<12 {
            let term = conditions.groupKey(any: computesAnyTerm)
            if computes(term) { return term }
        }
        return conditions.groupKey(any: computesAnyTerm)
    }

    /// `price * qty` and similar.
    private mutating func product() -> Term {
        func field() -> Term { .field(FieldPath(dotted: random.pick(paths)), .none) }
        let operation: ArithmeticOperator = random.pick([.multiply, .add, .subtract])
        let right = random.chance(50) ? field() : .constant(.int(Int64(random.below(4))))
        return .arithmetic(Arithmetic(first: field(), rest: [.init(operation, right)]), .none)
    }

    private mutating func key(_ path: FieldPath) -> SortKey {
        let options: StringOptions = random.pick([[], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]])
        return SortKey(path, ascending: random.chance(50), options: options)
    }

    private mutating func distinctPaths(_ count: Int) -> [FieldPath] {
        var found: [String] = []
        for _ in 0..<count {
            let path = random.pick(paths)
            // A field and a part of it cannot both be requested.
            if !found.contains(where: { $0.hasPrefix(path) || path.hasPrefix($0) }) { found.append(path) }
        }
        return found.map { FieldPath(dotted: $0) }
    }

    private mutating func reducers() -> [Reducer] {
        (0..<(1 + random.below(3))).map { number in
            let path = FieldPath(dotted: random.pick(paths))
            let value =
                random.chance(40) ? GroupKey(random.chance(50) ? computed() : product(), as: nil) : GroupKey(path)
            let kinds: [Reducer.Kind] = [.count, .sum, .average, .min, .max, .countDistinct, .median]
            let kind = random.pick(kinds)
            return Reducer(kind.operation(kind == .count ? nil : value) ?? .count, as: "r\(number)")
        }
    }

    /// Conditions on results that are lists, or may be.
    private static let overLists = [
        "%K == %@", "%K != %@", "%K IN %@", "%K CONTAINS %@", "ANY %K == %@", "ALL %K > %@", "NONE %K IN %@",
        "%K.@count >= %@",
        "%K[0] == %@", "%K.@max > %@", "{%K, 3} CONTAINS %@", "%K BETWEEN {%@, 5}", "TERNARY(%K == nil, 1, 2) == %@",
        "SUBQUERY(%K, $x, $x == %@).@count > 0",
    ]

    private mutating func having(_ names: [String]) -> Condition {
        if random.chance(40) {
            let lists: [QueryValue] = [
                .list([]), .list([.int(1), .int(2)]), .list([Hostile.scalar(&random)]), .int(2), .null,
            ]
            let value = random.chance(50) ? random.pick(lists) : Hostile.scalar(&random)
            let format = random.pick(Self.overLists)
            if let condition = try? Query(parsing: format, arguments: [.string(random.pick(names)), value]).condition {
                return random.chance(20) ? .not(condition) : condition
            }
        }
        var field = Term.field(FieldPath(keys: [random.pick(names)]), .none)
        if random.chance(30) {
            let other = Term.field(FieldPath(keys: [random.pick(names)]), .none)
            let greatest = Term.aggregate(.max, of: .list([field, other], .none), FieldPath(keys: []), .none)
            field = random.pick([.call(.absolute, [field], .none), greatest])
        }
        let value = random.pick([Hostile.scalar(&random), .int(1), .int(2)])
        let asked = Comparison(
            field,
            random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
            .constant(value),
            options: random.chance(20) ? .caseInsensitive : []
        )
        return random.chance(20) ? .not(.comparison(asked)) : .comparison(asked)
    }
}
