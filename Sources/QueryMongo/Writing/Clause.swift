import QueryChecking
import QueryTree
import QueryValues

/// A find filter that is not written yet, with the structure that AND, OR and NOT need.
package indirect enum Clause {
    /// Matches every document, or none.
    case constant(Bool)
    /// Operators on one field.
    case field(String, FieldTest)
    /// A filter whose only key is an operator, such as `$expr`.
    case document(Document)
    /// All parts, as in the tree.
    case and([Clause])
    /// At least one part.
    case or([Clause])
    /// None of the parts.
    case nor([Clause])
}

/// Operators on one field: `{"$gt": 21}`.
package struct FieldTest {
    /// The operators and their operands.
    var operators: Document
    /// True if NOT can be written inside the field, as for `==`, `<` and IN.
    var isNegatable = false

    /// The value alone in place of `{"$eq": v}`, unless `v` could be read as operators or a pattern.
    var shortened: QueryValue {
        guard operators.count == 1, let value = operators["$eq"] else { return .object(operators) }
        switch value {
        case .object, .list, .shape: return .object(operators)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid: return value
        }
    }

    /// The test with `$ne` and `$nin` in place of a negated `$eq` and `$in`.
    var direct: FieldTest {
        guard operators.count == 1, case .object(let inner)? = operators["$not"], inner.count == 1,
            let key = inner.keys.first, let value = inner.values.first, let opposite = Self.opposites[key]
        else { return self }
        return FieldTest(operators: Document(pairs: [(opposite, value)]))
    }

    private static let opposites = ["$eq": "$ne", "$in": "$nin"]

    /// The values that the only operator compares with, one or a list; nil for another operator.
    func values(_ one: String, _ several: String) -> [QueryValue]? {
        guard operators.count == 1 else { return nil }
        if let value = operators[one] { return [value] }
        return if case .list(let values)? = operators[several] { values } else { nil }
    }

    /// The operators of both, or nil if one operator has two different operands.
    func merged(with other: FieldTest) -> FieldTest? {
        // `$options` applies only to its own `$regex`.
        if operators["$regex"] != nil, other.operators["$regex"] != nil,
            operators["$options"] != other.operators["$options"]
        {
            return nil
        }
        var merged = operators
        for (key, value) in other.operators.pairs {
            if let own = merged[key], own != value { return nil }
            merged[key] = value
        }
        return FieldTest(operators: merged)
    }
}

extension Clause {
    /// One operator on a field.
    static func test(_ name: String, _ operation: String, _ value: QueryValue, isNegatable: Bool = false) -> Clause {
        .field(name, FieldTest(operators: Document(pairs: [(operation, value)]), isNegatable: isNegatable))
    }

    /// All parts; constants fold.
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

    /// At least one part; constants fold.
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

    /// The negation: `$not` inside the field for one plain operator, `$nor` for everything else.
    var negated: Clause {
        switch self {
        case .constant(let holds): return .constant(!holds)
        case .field(let name, let test) where test.isNegatable && test.operators.count == 1:
            return .test(name, "$not", .object(test.operators))
        case .field(let name, let test):
            guard test.operators.count == 1 else { return .nor([self]) }
            if let value = test.operators["$ne"] { return .test(name, "$eq", value, isNegatable: true) }
            guard case .bool(let exists)? = test.operators["$exists"] else { return .nor([self]) }
            return .test(name, "$exists", .bool(!exists))
        case .nor(let parts): return .some(parts)
        case .document, .and, .or: return .nor([self])
        }
    }

    /// The filter as a document.
    ///
    /// - Parameter isMerged: true to join parts in one object and drop duplicate tests; false to keep the tree as it
    ///   is.
    /// - Returns: the filter.
    package func document(isMerged: Bool = true) -> Document {
        switch self {
        case .constant(true): return [:]
        case .constant(false): return ["_id": .object(["$in": []])]
        case .field(let name, let test):
            return Document(pairs: [(name, (isMerged ? test.direct : test).shortened)])
        case .document(let document): return document
        case .and(let parts): return isMerged ? MergedObject(parts).document : Self.conjunction(parts)
        case .or(let parts):
            let filters = Self.filters(parts, isMerged: isMerged)
            if filters.count == 1, case .object(let only) = filters[0] { return only }
            return ["$or": .list(filters)]
        case .nor(let parts): return ["$nor": .list(Self.filters(parts, isMerged: isMerged))]
        }
    }

    /// The filters of the parts, without duplicates if merged.
    fileprivate static func filters(_ parts: [Clause], isMerged: Bool) -> [QueryValue] {
        let parts = isMerged ? joined(parts, "$eq", "$in") : parts
        let filters = parts.map { QueryValue.object($0.document(isMerged: isMerged)) }
        var seen: Set<QueryValue> = []
        return isMerged ? filters.filter { seen.insert($0).inserted } : filters
    }

    /// The parts, with all values that one field is compared with as one list: `$in` for `$eq`, or `$nin` for `$ne`.
    fileprivate static func joined(_ parts: [Clause], _ one: String, _ several: String) -> [Clause] {
        var kept: [Clause] = []
        var slots: [UTF8Key: Int] = [:]
        var joined: [Int: (name: String, values: [QueryValue], seen: Set<QueryValue>)] = [:]
        for part in parts {
            guard case .field(let name, let test) = part, let values = test.direct.values(one, several) else {
                kept.append(part)
                continue
            }
            let slot = slots[UTF8Key(name), default: kept.count]
            if slot == kept.count {
                slots[UTF8Key(name)] = slot
                kept.append(part)
            }
            for value in values where joined[slot, default: (name, [], [])].seen.insert(value).inserted {
                joined[slot]?.values.append(value)
            }
        }
        if kept.count == parts.count { return parts }
        for (slot, (name, values, _)) in joined where values.count > 1 {
            kept[slot] = .test(name, several, .list(values), isNegatable: several == "$in")
        }
        return kept
    }

    /// The parts of an AND, those of ANDs in it among them.
    fileprivate static func flat(_ parts: [Clause]) -> [Clause] {
        parts.flatMap { part -> [Clause] in if case .and(let inner) = part { flat(inner) } else { [part] } }
    }

    /// The parts in one object if no key repeats and no part is itself an AND; else `$and`.
    ///
    /// Each part is written only once, because writing it twice would double the work at every level.
    private static func conjunction(_ parts: [Clause]) -> Document {
        let documents = parts.map { $0.document(isMerged: false) }
        let holdsAnd = parts.contains { if case .and = $0 { true } else { false } }
        var seen: Set<UTF8Key> = []
        let isOneEach = documents.allSatisfy { $0.keys.allSatisfy { seen.insert(UTF8Key($0)).inserted } }
        if holdsAnd || !isOneEach { return ["$and": .list(documents.map(QueryValue.object))] }
        return Document(pairs: documents.flatMap { Array($0.pairs) })
    }
}

/// The parts of an AND as one object: the tests of a field together, repeated keys in `$and`.
private struct MergedObject {
    private enum Member {
        case test(FieldTest)
        case filter(QueryValue)
        case nor
        case moved

        /// True for `{"$not": {"$type": "array"}}` alone.
        var isGuard: Bool {
            if case .test(let test) = self { test.operators == ["$not": FilterWriter.isArray] } else { false }
        }
    }

    private var members: [(key: String, member: Member)] = []
    private var slots: [UTF8Key: Int] = [:]
    private var nors: [Clause] = []
    /// The contents of `$and` without duplicates, and the member that `$and` is written before.
    private var others: [QueryValue] = []
    private var seen: Set<QueryValue> = []
    private var place: Int?

    init(_ parts: [Clause]) {
        for part in Clause.joined(Clause.flat(parts), "$ne", "$nin") { add(part) }
    }

    var document: Document {
        var pairs: [(String, QueryValue)] = []
        for (slot, (key, member)) in members.enumerated() {
            if slot == place { pairs.append(("$and", .list(others))) }
            if let value = value(member) { pairs.append((key, value)) }
        }
        return Document(pairs: pairs)
    }

    private func value(_ member: Member) -> QueryValue? {
        switch member {
        case .test(let test): test.shortened
        case .filter(let value): value
        case .nor: .list(Clause.filters(nors, isMerged: true))
        case .moved: nil
        }
    }

    private mutating func add(_ part: Clause) {
        switch part {
        case .field(let name, let test): add(name, .test(test.direct))
        case .nor(let parts):
            nors += parts
            add("$nor", .nor)
        case .constant, .document, .or, .and:
            for (key, value) in part.document().pairs { add(key, .filter(value)) }
        }
    }

    private mutating func add(_ key: String, _ member: Member) {
        guard let slot = slots[UTF8Key(key)] else {
            slots[UTF8Key(key)] = members.count
            return members.append((key, member))
        }
        switch (members[slot].member, member) {
        case (.test(let own), .test(let other)):
            if let merged = own.merged(with: other) { return members[slot].member = .test(merged) }
        case (.filter(let own), .filter(let other)) where own == other: return
        case (.nor, .nor): return
        default: break
        }
        if place == nil { place = slot }
        // A guard stays with the tests that rely on it.
        let guardian = [members[slot].member, member].first(where: \.isGuard)
        for moved in [members[slot].member, member] where !moved.isGuard {
            if let value = value(moved) { move(key, value) }
        }
        members[slot].member = guardian ?? .moved
    }

    private mutating func move(_ key: String, _ value: QueryValue) {
        let filter = QueryValue.object(Document(pairs: [(key, value)]))
        if seen.insert(filter).inserted { others.append(filter) }
    }
}

extension QueryValue {
    /// The nesting depth of objects and lists.
    package var depth: Int {
        switch self {
        case .list(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.values.map(\.depth).max() ?? 0)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: 0
        }
    }
}
