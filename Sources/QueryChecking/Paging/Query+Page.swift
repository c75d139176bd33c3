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
    /// A page does not skip rows, it selects greater keys (S22): rows added or removed before it shift nothing, and an
    /// index finds it at any depth. Every backend treats the result like any other query.
    ///
    ///     let query = Query(order: ["-population"], limit: 2)
    ///     let first = try query.page(after: nil).results(in: cities)
    ///     let cursor = try first.last.map { try query.cursor(after: $0) }
    ///     let second = try query.page(after: cursor).results(in: cities)
    ///     second.count  // → 2
    ///
    /// - Parameters:
    ///   - cursor: the position of the last row, nil for the first page.
    ///   - identity: the field that identifies rows, which ends the order; nil for the schema's primary key, else `_id`.
    /// - Returns: the query of the page.
    /// - Throws: `QueryError` of code `pipeline` for a query with a skip, and for a cursor of another order.
    public func page(after cursor: PageCursor?, by identity: FieldPath? = nil) throws(QueryError) -> Query {
        try validatePipeline()
        if skip != nil {
            throw QueryError(.pipeline, "a page continues after a row and takes no skip", hint: "leave out skip")
        }
        var page = self
        page.order = totalOrder(identity).keys
        guard let cursor else { return page }
        guard cursor.order == page.order else {
            throw QueryError(.pipeline, "the cursor belongs to another order", hint: "start again without a cursor")
        }
        guard page.order.count <= Self.mostPageKeys else {
            throw QueryError(
                .limit,
                "paging supports at most \(Self.mostPageKeys) sort keys",
                hint: "order by fewer keys"
            )
        }
        let places = try zip(page.order, cursor.values).map { (key, value) throws(QueryError) in
            try KeyPlace(key, value, in: self)
        }
        let after = KeyPlace.after(places[...])
        page.condition = condition == .constant(true) ? after : .and([condition, after])
        return page
    }

    /// Each key adds two levels to the condition of a page (S26).
    private static let mostPageKeys = 100

    /// The query with its order extended by the key that identifies rows, if skip or limit cuts the order (S22).
    ///
    /// The key is the schema's, else `_id`, in the last key's direction; rows without it keep their order.
    package var breakingTies: Query {
        guard let last = order.last, isCut else { return self }
        var copy = self
        for stored in storedIdentity {
            let name = copy.name(ofStored: stored)
            if sortedFields.contains(where: { $0.keys.count == 1 && $0.keys[0].hasSameUTF8(as: name) }) { continue }
            copy.order.append(SortKey(FieldPath(keys: [name]), ascending: last.isAscending))
        }
        return copy
    }

    /// The stored names of the fields that identify rows.
    private var storedIdentity: [String] {
        let key = schema?.primaryKey ?? []
        return key.isEmpty ? ["_id"] : key
    }

    /// The schema's field of a stored name.
    private func field(ofStored stored: String) -> Schema.Field? {
        schema?.fields.first { $0.storedName.hasSameUTF8(as: stored) && $0.relation == nil }
    }

    /// The property name of a stored name; added to the schema if it is missing.
    private mutating func name(ofStored stored: String) -> String {
        guard let schema else { return stored }
        if let field = field(ofStored: stored) { return field.name }
        if schema.allowsOthers, schema.field(named: stored) == nil { return stored }
        // No format string can name a field with NUL.
        self.schema?.fields.append(.field("\0" + stored, .any, storedAs: stored))
        self.schema?.index()
        return "\0" + stored
    }

    /// The order with the given identity last, or with the rows' own, in the last key's direction (S22).
    package func totalOrder(_ identity: FieldPath?) -> (keys: [SortKey], identity: [FieldPath]) {
        let identity =
            identity.map { [$0] } ?? storedIdentity.map { FieldPath(keys: [field(ofStored: $0)?.name ?? $0]) }
        let missing = identity.filter { path in !order.contains { $0.path == path } }
        return (order + missing.map { SortKey($0, ascending: order.last?.isAscending ?? true) }, identity)
    }
}

/// One key of a cursor: conditions for rows after its value, and for rows with the same value.
private struct KeyPlace {
    let key: SortKey
    let value: QueryValue
    let nilMeaning: NilMeaning
    /// True if a schema declares the values' kind, so that there is no other.
    let isOneKind: Bool
    /// True for a field of dates in any form, whose other texts sort below all dates.
    let mayHoldTexts: Bool
    /// The place of constants: without a schema, structs have one kind, and tests of others hold for none of them.
    let origin: Origin
    /// True if every row has the key.
    let isRequired: Bool

    init(_ key: SortKey, _ value: QueryValue, in query: Query) throws(QueryError) {
        self.key = key
        nilMeaning = query.nilMeaning
        let path = query.schema.flatMap { FieldType.object($0).resolve(key.path.keys) }
        if let type = path?.type, !type.mayGive(value) {
            throw QueryError(
                .kindMismatch,
                "the cursor's row holds another kind of value in \(key.path) than \(type.name), which the schema declares",
                hint: type == .date(.native) && value.kind == .number
                    ? "declare the form in which the store keeps the dates, as .date(.epochMilliseconds)"
                    : "mend the row, or declare the field without a kind: any"
            )
        }
        switch path?.type {
        case .uuid?: self.value = value.asUUID
        case .date(.native)?: self.value = DateEncoding.iso8601.decode(value).map { .date($0) } ?? value
        default: self.value = value
        }
        isOneKind = path?.type.kind == self.value.kind
        // The stores of SQLite read `native` dates as they read any form.
        mayHoldTexts = path?.type == .date(.iso8601) || path?.type == .date(.native)
        origin = query.schema == nil ? .ofAnyKind : .ofOrder
        isRequired = path.map { path in path.steps.allSatisfy { !$0.isOptional } } ?? false
    }

    /// Selects rows after the keys' values: the first key decides, then the second, and so on.
    static func after(_ places: ArraySlice<KeyPlace>) -> Condition {
        guard let first = places.first else { return .constant(false) }
        guard places.count > 1 else { return first.after }
        let among = Condition.and([first.isSame, rest(places.dropFirst())])
        if first.after == .constant(false) { return among }
        let either = Condition.or([first.after, among])
        // A bound on the first key alone lets an index start at the position.
        return first.bound.map { .and([$0, either]) } ?? either
    }

    private static func rest(_ places: ArraySlice<KeyPlace>) -> Condition {
        guard let first = places.first else { return .constant(false) }
        guard places.count > 1 else { return first.after }
        let among = Condition.and([first.isSame, rest(places.dropFirst())])
        return first.after == .constant(false) ? among : .or([first.after, among])
    }

    private var bound: Condition? {
        guard isOneKind, !value.isNull, key.isAscending || isRequired && !mayHoldTexts else { return nil }
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
        if isOneKind, mayHoldTexts { return .not(compare(.greaterOrEqual, value)) }
        if isOneKind { return isRequired ? less : .or([less, isNil]) }
        switch value.kind {
        case .number: return .or([less, isNil])
        case .string: return .or([less, isNumber, isNil])
        case .null, .list, .object, .data, .uuid, .bool, .date, .shape:
            return .and([.not(compare(.greaterOrEqual, value))] + higherKinds.map { .not($0) })
        }
    }

    /// Tests for the kinds that sort after the value's own, from data on.
    private var higherKinds: [Condition] {
        let tests: [(rank: Int, test: Condition)] = [
            (Kind.uuid.sortRank, isOfKind(.uuid(Self.leastUUID))),
            (Kind.bool.sortRank, .or([false, true].map { compare(.equal, .bool($0), .ofOwnKind) })),
            (Kind.date.sortRank, isOfKind(.date(0))),
        ]
        return tests.filter { $0.rank > value.kind.sortRank }.map(\.test)
    }

    private static let leastUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private var isNumber: Condition { isOfKind(.int(0)) }

    /// Tests the kind by whether a value is below some value of that kind, or not.
    private func isOfKind(_ value: QueryValue) -> Condition {
        .or([compare(.less, value, .ofOwnKind), compare(.greaterOrEqual, value, .ofOwnKind)])
    }

    /// `<= nil` is `== nil` whatever the query's nil meaning is (S7, S8).
    private var isNil: Condition { compare(nilMeaning == .nullOrAbsent ? .equal : .lessOrEqual, .null) }

    private func compare(_ relation: Comparison.Operator, _ value: QueryValue, _ place: Origin? = nil) -> Condition {
        let options: StringOptions = if case .string = value { key.options } else { [] }
        let test = Condition.comparison(
            Comparison(.field(key.path, .none), relation, .value(value, place ?? origin), options: options)
        )
        guard case .date = value, !isOneKind else { return test }
        // A text in the form of a date is sorted as text.
        return .and([test, .not(compare(.greaterOrEqual, .string(""), .ofOwnKind))])
    }
}

extension FieldType {
    /// False for values that rows with a field of this type cannot hold in any form.
    fileprivate func mayGive(_ value: QueryValue) -> Bool {
        if case .date(let encoding) = self, value.kind == .number || value.kind == .string {
            // A text that is no date sorts below the dates where a field may have any form.
            let isOpen = encoding == .iso8601 || encoding == .native
            return encoding.decode(value) != nil || isOpen && value.kind == .string
        }
        return switch (kind, value.kind) {
        case (_, .null), (nil, _), (.uuid?, .string), (.uuid?, .data): true
        case (.data?, .uuid), (.data?, .string): true
        case (let declared?, let kind): declared == kind
        }
    }
}

extension QueryValue {
    /// The UUID that 16 bytes are, as rows of tables hold it; any other value unchanged.
    fileprivate var asUUID: QueryValue {
        guard case .data(let bytes) = self, bytes.count == MemoryLayout<uuid_t>.size else { return self }
        return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    }
}
