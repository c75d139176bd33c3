import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Every construct of the language occurs in the spec files with its tree, its translations and its results.
@Suite struct ConstructTests {
    private static let columns: [SpecColumn] = [.tree, .mongo, .sqlite, .sqliteDocument, .finds]

    @Test func noConstructLacksAColumn() throws {
        var stated: [SpecColumn: Set<String>] = [:]
        for spec in try SpecFile.allCases() where Self.columns.contains(where: { spec[$0.rawValue] != nil }) {
            guard let query = try? spec.makeQuery() else { continue }
            var constructs = ConstructCollector()
            try constructs.add(query)
            for column in Self.columns where spec[column.rawValue] != nil {
                stated[column, default: []].formUnion(constructs.found)
            }
        }
        for column in Self.columns {
            let missing = ConstructCollector.all.subtracting(stated[column] ?? []).sorted()
            #expect(missing.isEmpty, "no `\(column.rawValue)` for: \(missing.joined(separator: ", "))")
        }
    }
}

/// Names the constructs in a query.
private struct ConstructCollector {
    private(set) var found: Set<String> = []

    /// All names, from the tables and the enums.
    static var all: Set<String> {
        var names: Set<String> = ["constant", "and", "or", "not", "list", "path", "field", "self", "negated"]
        names.formUnion(["subquery", "subquery in subquery", "outer field in subquery", "ternary"])
        names.formUnion(["index first", "index last", "index size", "index number", "index key", "index computed"])
        names.formUnion(Comparison.Operator.allCases.map { "operator \($0.spelling)" })
        for row in Comparison.Operator.table where row.allowsOptions { names.insert("options on \(row.spellings[0])") }
        names.formUnion(StringOptions.letters.map { "option \($0.0)" })
        names.formUnion(["quantifier any", "quantifier all"])
        names.formUnion(Aggregate.allCases.map { "aggregate \($0.spelling)" })
        names.formUnion(Function.allCases.map { "function \($0.entry.name)" })
        names.formUnion(ArithmeticOperator.allCases.map { "arithmetic \($0.entry.spelling)" })
        names.formUnion(CastTarget.allCases.map { "cast \($0.rawValue)" })
        names.formUnion(NilMeaning.allCases.map { "nil \($0.rawValue)" })
        let kinds: [Kind] = [.null, .bool, .number, .string, .date, .data, .uuid, .object, .shape]
        names.formUnion(kinds.map { "value \($0)" })
        return names.union(["variable", "assignment"])
    }

    mutating func add(_ query: Query) throws {
        found.insert("nil \(query.nilMeaning.rawValue)")
        try add(query.condition, insideSubquery: false)
    }

    private mutating func add(_ condition: Condition, insideSubquery: Bool) throws {
        switch condition {
        case .constant: found.insert("constant")
        case .comparison(let comparison): try add(comparison, insideSubquery)
        case .and(let parts):
            found.insert("and")
            for part in parts { try add(part, insideSubquery: insideSubquery) }
        case .or(let parts):
            found.insert("or")
            for part in parts { try add(part, insideSubquery: insideSubquery) }
        case .not(let part):
            found.insert("not")
            try add(part, insideSubquery: insideSubquery)
        }
    }

    private mutating func add(_ comparison: Comparison, _ insideSubquery: Bool) throws {
        found.insert("operator \(comparison.operator.spelling)")
        if !comparison.options.isEmpty { found.insert("options on \(comparison.operator.spelling)") }
        for (letter, option) in StringOptions.letters where comparison.options.contains(option) {
            found.insert("option \(letter)")
        }
        switch comparison.quantifier {
        case .any: found.insert("quantifier any")
        case .all: found.insert("quantifier all")
        case nil: break
        }
        try add(comparison.left, insideSubquery)
        try add(comparison.right, insideSubquery)
    }

    private mutating func add(_ term: Term, _ insideSubquery: Bool) throws {
        found.formUnion(Self.names(of: term, insideSubquery))
        if case .subquery(let subquery, _) = term {
            try add(subquery.collection, insideSubquery)
            return try add(subquery.condition, insideSubquery: true)
        }
        for child in term.children {
            switch child {
            case .condition(let condition): try add(condition, insideSubquery: insideSubquery)
            case .term(let term): try add(term, insideSubquery)
            }
        }
    }

    private static func names(of term: Term, _ insideSubquery: Bool) -> [String] {
        switch term {
        case .value(let value, _): ["value \(value.kind)"]
        case .field(let path, _):
            [path.startsAtSelf ? "self" : "field"] + (insideSubquery ? ["outer field in subquery"] : [])
        case .variable: ["variable"]
        case .list: ["list"]
        case .path: ["path"]
        case .index(_, let index, _): ["index " + name(of: index)]
        case .aggregate(let aggregate, of: _, _, _): ["aggregate \(aggregate.spelling)"]
        case .arithmetic(let chain, _): chain.rest.map { "arithmetic \($0.operation.entry.spelling)" }
        case .negated: ["negated"]
        case .call(let function, _, _): ["function \(function.entry.name)"]
        case .subquery: ["subquery"] + (insideSubquery ? ["subquery in subquery"] : [])
        case .conditional: ["ternary"]
        case .cast(_, let target, _): ["cast \(target.rawValue)"]
        case .assignment: ["assignment"]
        }
    }

    private static func name(of index: Index) -> String {
        switch index {
        case .first: "first"
        case .last: "last"
        case .size: "size"
        case .at(.value(let value, _)): value.kind == .string ? "key" : "number"
        case .at: "computed"
        }
    }
}
