import PredicateQL

/// Queries from choices, over the fields of `RowGenerator`; operators and functions come from the tables.
///
/// Every literal is an argument, so the text holds only the shape.
public struct QueryGenerator {
    /// The text so far made.
    public private(set) var arguments: [QueryValue] = []
    private var source: ByteSource

    /// A query's text and arguments.
    ///
    /// - Parameter source: the choices; what is left of them stays.
    /// - Returns: the format string and its arguments.
    public static func query(_ source: inout ByteSource) -> (text: String, arguments: [QueryValue]) {
        var generator = QueryGenerator(source: source)
        let text = generator.condition(depth: 0)
        source = generator.source
        return (text, generator.arguments)
    }

    private init(source: ByteSource) {
        self.source = source
    }

    private mutating func condition(depth: Int) -> String {
        switch source.below(depth > 2 ? 6 : 10) {
        case 0, 1, 2: comparison(term(depth: depth + 1), depth: depth)
        case 3: quantified(depth: depth)
        case 4: textComparison()
        case 5: aggregate()
        case 6: "NOT (\(condition(depth: depth + 1)))"
        case 7: "(\(condition(depth: depth + 1))) AND (\(condition(depth: depth + 1)))"
        case 8: "(\(condition(depth: depth + 1))) OR (\(condition(depth: depth + 1)))"
        default: subquery(depth: depth)
        }
    }

    private mutating func comparison(_ left: String, depth: Int) -> String {
        switch source.below(4) {
        case 0: "\(left) BETWEEN {\(literal()), \(literal())}"
        case 1: "\(left) IN {\(literal()), \(literal()), \(term(depth: depth + 1))}"
        default: "\(left) \(ordering()) \(source.below(3) == 0 ? term(depth: depth + 1) : literal())"
        }
    }

    private mutating func quantified(depth: Int) -> String {
        let word = source.pick(["ANY", "ALL", "NONE", "SOME"])
        return word + " " + comparison(source.pick(RowGenerator.lists + RowGenerator.scalars), depth: 3)
    }

    private mutating func textComparison() -> String {
        let word = source.pick([Comparison.Operator.contains, .beginsWith, .endsWith, .like]).spelling
        let option = source.pick(["", "[c]", "[d]", "[cd]"])
        let field = source.pick(RowGenerator.scalars + ["l"])
        return "\(field) \(word)\(option) \(text())"
    }

    private mutating func aggregate() -> String {
        let name = source.pick(["@count", "@sum", "@min", "@max", "@avg"])
        let path =
            if name == "@count" {
                source.pick(["l", "m", "kids"]) + "." + name
            } else if source.below(2) == 0 {
                source.pick(["l", "m"]) + "." + name + ".self"
            } else {
                "kids." + name + ".age"
            }
        return "\(path) \(ordering()) \(literal())"
    }

    private mutating func subquery(depth: Int) -> String {
        let key = source.pick(RowGenerator.keys)
        let inner = "$k.\(key) \(ordering()) \(source.below(3) == 0 ? source.pick(RowGenerator.scalars) : literal())"
        return "SUBQUERY(kids, $k, \(inner)).@count \(ordering()) \(literal())"
    }

    private mutating func term(depth: Int) -> String {
        switch source.below(depth > 2 ? 4 : 7) {
        case 0, 1, 2: source.pick(RowGenerator.scalars)
        case 3: "-" + source.pick(["a", "b", "o.x"])
        case 4: source.pick(["l", "m"]) + source.pick(["[0]", "[1]", "[FIRST]", "[LAST]", "[SIZE]"])
        default: "(\(source.pick(["a", "b"])) \(source.pick(["+", "-", "*", "/"])) \(literal()))"
        }
    }

    private mutating func ordering() -> String {
        source.pick([Comparison.Operator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]).spelling
    }

    private mutating func literal() -> String {
        arguments.append(RowGenerator.literal(&source))
        return "%@"
    }

    private mutating func text() -> String {
        arguments.append(.string(RowGenerator.text(&source)))
        return "%@"
    }
}
