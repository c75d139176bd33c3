import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Query {
    /// The rows after a cursor: the next page of this query, with this query's limit.
    ///
    /// A page does not count rows, it asks for greater keys (S22): rows that are added or removed before it move nothing,
    /// and it is found by an index however far it lies. Every backend takes the result as any other query.
    ///
    ///     let query = Query(order: ["-population"], limit: 2)
    ///     let first = try query.page(after: nil).results(in: cities)
    ///     let cursor = try first.last.map { try query.cursor(after: $0) }
    ///     let second = try query.page(after: cursor).results(in: cities)
    ///     second.count  // → 2
    ///
    /// - Parameters:
    ///   - cursor: the last row's place, nil for the first page.
    ///   - identity: the field that tells rows apart; it ends the order.
    /// - Returns: the query of the page.
    /// - Throws: `QueryError` of code `pipeline` for a query with a skip, and for a cursor of another order.
    public func page(after cursor: PageCursor?, by identity: FieldPath = "_id") throws(QueryError) -> Query {
        try validatePipeline()
        if skip != nil {
            throw QueryError(.pipeline, "a page goes on after a row and has no skip", hint: "leave out skip")
        }
        var page = self
        page.order = totalOrder(identity)
        guard let cursor else { return page }
        guard cursor.order == page.order else {
            throw QueryError(.pipeline, "the cursor belongs to another order", hint: "begin again without a cursor")
        }
        guard page.order.count <= Self.mostPageKeys else {
            throw QueryError(
                .limit,
                "a page goes on after a row in an order of at most \(Self.mostPageKeys) keys",
                hint: "order by fewer keys"
            )
        }
        let places = zip(page.order, cursor.values).map { KeyPlace($0, $1, in: self) }
        let after = KeyPlace.after(places[...])
        page.condition = condition == .constant(true) ? after : .and([condition, after])
        return page
    }

    /// The condition of a page is two levels high for each key (S26).
    private static let mostPageKeys = 100

    /// The query whose order ends in the key that tells rows apart, where skip or limit cuts an order (S22).
    ///
    /// The key is the schema's, else `_id`, in the last key's direction; rows that have it not stay as they lie.
    package var breakingTies: Query {
        guard let last = order.last, skip != nil || limit != nil else { return self }
        var copy = self
        let key = schema.map(\.primaryKey) ?? []
        for stored in key.isEmpty ? ["_id"] : key {
            let name = copy.name(ofStored: stored)
            if order.contains(where: { $0.path.keys.count == 1 && $0.path.keys[0].hasSameUTF8(as: name) }) { continue }
            copy.order.append(SortKey(FieldPath(keys: [name]), ascending: last.isAscending))
        }
        return copy
    }

    /// The property name of a stored name, which the schema is taught where it does not know it.
    private mutating func name(ofStored stored: String) -> String {
        guard let schema else { return stored }
        if let field = schema.fields.first(where: { $0.storedName.hasSameUTF8(as: stored) && $0.relation == nil }) {
            return field.name
        }
        if schema.allowsOthers, schema.field(named: stored) == nil { return stored }
        // No text can name a field with NUL.
        self.schema?.fields.append(.field("\0" + stored, .any, storedAs: stored))
        self.schema?.index()
        return "\0" + stored
    }

    /// The order with the identity last, in the last key's direction (S22).
    package func totalOrder(_ identity: FieldPath) -> [SortKey] {
        if order.contains(where: { $0.path == identity }) { return order }
        return order + [SortKey(identity, ascending: order.last?.isAscending ?? true)]
    }
}

/// One key of a cursor: conditions for rows that come after its value, and for rows that have it.
private struct KeyPlace {
    let key: SortKey
    let value: QueryValue
    let nilMeaning: NilMeaning
    /// True when a schema says the kind of the values, so that there is no other.
    let isOneKind: Bool
    /// True when no row lacks the key.
    let isRequired: Bool

    init(_ key: SortKey, _ value: QueryValue, in query: Query) {
        self.key = key
        self.value = value
        nilMeaning = query.nilMeaning
        let path = query.schema.flatMap { FieldType.object($0).resolve(key.path.keys) }
        isOneKind = path?.type.kind == value.kind
        isRequired = path.map { path in path.steps.allSatisfy { !$0.isOptional } } ?? false
    }

    /// Rows after the keys' values: the first key decides, then the second, and so on.
    static func after(_ places: ArraySlice<KeyPlace>) -> Condition {
        guard let first = places.first else { return .constant(false) }
        guard places.count > 1 else { return first.after }
        let among = Condition.and([first.isSame, rest(places.dropFirst())])
        if first.after == .constant(false) { return among }
        let either = Condition.or([first.after, among])
        // A bound on the first key alone lets an index begin at the place.
        return first.bound.map { .and([$0, either]) } ?? either
    }

    private static func rest(_ places: ArraySlice<KeyPlace>) -> Condition {
        guard let first = places.first else { return .constant(false) }
        guard places.count > 1 else { return first.after }
        let among = Condition.and([first.isSame, rest(places.dropFirst())])
        return first.after == .constant(false) ? among : .or([first.after, among])
    }

    private var bound: Condition? {
        guard isOneKind, !value.isNull, key.isAscending || isRequired else { return nil }
        return compare(key.isAscending ? .greaterOrEqual : .lessOrEqual, value)
    }

    private var isSame: Condition { value.isNull ? isNil : compare(.equal, value) }

    private var after: Condition { key.isAscending ? above : below }

    // MARK: Above and below in the order of S22

    private var above: Condition {
        if value.isNull { return isRequired ? .constant(true) : .not(isNil) }
        if isOneKind { return compare(.greater, value) }
        switch value.kind {
        case .number: return .and([.not(compare(.lessOrEqual, value)), .not(isNil)])
        case .string: return .and([.not(compare(.lessOrEqual, value)), .not(isNumber), .not(isNil)])
        case .null, .list, .object, .data, .uuid, .bool, .date, .shape:
            return .or([compare(.greater, value)] + higherKinds)
        }
    }

    private var below: Condition {
        if value.isNull { return .constant(false) }
        let less = compare(.less, value)
        if isOneKind { return isRequired ? less : .or([less, isNil]) }
        switch value.kind {
        case .number: return .or([less, isNil])
        case .string: return .or([less, isNumber, isNil])
        case .null, .list, .object, .data, .uuid, .bool, .date, .shape:
            return .and([.not(compare(.greaterOrEqual, value))] + higherKinds.map { .not($0) })
        }
    }

    /// Tests for the kinds that come after the value's own, from data on.
    private var higherKinds: [Condition] {
        let tests: [(rank: Int, test: Condition)] = [
            (Kind.uuid.sortRank, isOfKind(.uuid(Self.leastUUID))),
            (Kind.bool.sortRank, .or([compare(.equal, .bool(false)), compare(.equal, .bool(true))])),
            (Kind.date.sortRank, isOfKind(.date(0))),
        ]
        return tests.filter { $0.rank > value.kind.sortRank }.map(\.test)
    }

    private static let leastUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private var isNumber: Condition { isOfKind(.int(0)) }

    /// Values of a kind are below any one of it, or not.
    private func isOfKind(_ value: QueryValue) -> Condition {
        .or([compare(.less, value), compare(.greaterOrEqual, value)])
    }

    /// `<= nil` is `== nil` whatever the query's nil meaning is (S7, S8).
    private var isNil: Condition { compare(nilMeaning == .nullOrAbsent ? .equal : .lessOrEqual, .null) }

    private func compare(_ relation: Comparison.Operator, _ value: QueryValue) -> Condition {
        let options: StringOptions = if case .string = value { key.options } else { [] }
        let test = Condition.comparison(
            Comparison(.field(key.path, .none), relation, .value(value, .none), options: options)
        )
        guard case .date = value, !isOneKind else { return test }
        // A text in the form of a date is sorted as a text.
        return .and([test, .not(compare(.greaterOrEqual, .string("")))])
    }
}
