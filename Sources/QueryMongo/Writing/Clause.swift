import QueryChecking
import QueryTree
import QueryValues

/// A find filter before it is written: what AND, OR and NOT still need to know.
package indirect enum Clause {
    /// Every document, or none.
    case constant(Bool)
    /// Operators on one field.
    case field(String, FieldTest)
    /// A filter that needs nothing more.
    case document(Document)
    /// Every part, as the tree has them.
    case and([Clause])
    /// Some part.
    case or([Clause])
    /// No part.
    case nor([Clause])
}

/// Operators on one field: `{"$gt": 21}`.
package struct FieldTest {
    /// The operators and their operands.
    var operators: Document
    /// True when NOT may stand inside the field, as for `==`, `<` and IN.
    var isNegatable = false

    /// `{"$eq": v}` is written as `v` alone when `v` cannot be read as operators or a pattern.
    var shortened: QueryValue {
        guard operators.count == 1, let value = operators["$eq"] else { return .object(operators) }
        switch value {
        case .object, .list, .shape: return .object(operators)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid: return value
        }
    }
}

extension Clause {
    /// One operator on a field.
    static func test(_ name: String, _ operation: String, _ value: QueryValue, isNegatable: Bool = false) -> Clause {
        .field(name, FieldTest(operators: Document(pairs: [(operation, value)]), isNegatable: isNegatable))
    }

    /// Every part; constants fold.
    static func all(_ parts: [Clause]) -> Clause {
        var kept: [Clause] = []
        for part in parts {
            guard case .constant(let holds) = part else {
                kept.append(part)
                continue
            }
            if !holds { return .constant(false) }
        }
        guard let first = kept.first else { return .constant(true) }
        return kept.count == 1 ? first : .and(kept)
    }

    /// Some part; constants fold.
    static func some(_ parts: [Clause]) -> Clause {
        var kept: [Clause] = []
        for part in parts {
            guard case .constant(let holds) = part else {
                kept.append(part)
                continue
            }
            if holds { return .constant(true) }
        }
        guard let first = kept.first else { return .constant(false) }
        return kept.count == 1 ? first : .or(kept)
    }

    /// The opposite: `$not` inside the field for one plain operator, `$nor` for everything else.
    var negated: Clause {
        switch self {
        case .constant(let holds): return .constant(!holds)
        case .field(let name, let test) where test.isNegatable && test.operators.count == 1:
            return .test(name, "$not", .object(test.operators))
        case .nor(let parts): return .some(parts)
        case .field, .document, .and, .or: return .nor([self])
        }
    }

    /// The filter.
    package var document: Document {
        switch self {
        case .constant(true): [:]
        case .constant(false): ["_id": .object(["$in": []])]
        case .field(let name, let test): Document(pairs: [(name, test.shortened)])
        case .document(let document): document
        case .and(let parts): Self.conjunction(parts)
        case .or(let parts): ["$or": Self.list(parts)]
        case .nor(let parts): ["$nor": Self.list(parts)]
        }
    }

    private static func list(_ parts: [Clause]) -> QueryValue {
        .list(parts.map { .object($0.document) })
    }

    /// The parts in one object when no key comes twice and no part is an AND of its own; else `$and`.
    ///
    /// Each part is written once: twice would double the work at every level.
    private static func conjunction(_ parts: [Clause]) -> Document {
        let documents = parts.map(\.document)
        let holdsAnd = parts.contains { if case .and = $0 { true } else { false } }
        var seen: Set<UTF8Key> = []
        let isOneEach = documents.allSatisfy { $0.keys.allSatisfy { seen.insert(UTF8Key($0)).inserted } }
        if holdsAnd || !isOneEach { return ["$and": .list(documents.map(QueryValue.object))] }
        return Document(pairs: documents.flatMap { Array($0.pairs) })
    }
}

extension QueryValue {
    /// Levels of objects and lists inside each other.
    package var depth: Int {
        switch self {
        case .list(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.values.map(\.depth).max() ?? 0)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: 0
        }
    }
}
