import QueryTree
import QueryValues

// Lists of computed values: `sum({price, tax})`, `ANY {home, work} == 'Rome'`.

extension SQLWriter {
    /// The list as a table with a row per element and the columns of `json_each`.
    func computedList(_ terms: [Term], _ origin: Origin, _ scope: Scope) throws(QueryError) -> Collection {
        guard terms.count <= dialect.compoundLimit else {
            throw QueryError(
                .limit,
                "a list of \(terms.count) computed values is longer than the \(dialect.compoundLimit) of this store",
                at: origin
            )
        }
        let operands = try terms.map { (term) throws(QueryError) in try operand(term, scope) }
        return try table(of: operands, origin)
    }

    /// The same for existing operands.
    func table(of operands: [Operand], _ origin: Origin) throws(QueryError) -> Collection {
        let (operands, type) = try holdingDates(operands, elementType(operands, origin))
        let rows = try operands.map { (operand) throws(QueryError) in try row(operand, type) }
        let alias = try alias("e")
        let table = SQLText.rows(rows).named(alias)
        try check(term: table, at: origin)
        return Collection(from: [table], element: try element(alias, type, operands, origin), isList: .one)
    }

    /// The element, with the facts known about its operands.
    private func element(
        _ alias: String,
        _ type: FieldType,
        _ operands: [Operand],
        _ origin: Origin
    ) throws(QueryError) -> Place {
        var place = Place(site: .element(alias: alias), type: type, isScalar: true)
        place.hasAtoms = false
        for operand in operands {
            switch operand {
            case .constant(let value, _):
                if case .string = value { place.mayHoldNul = true }
                if value.kind == .list || value.kind == .object { place.isScalar = false }
            case .node(let node, _):
                if node.isColumnText { place.mayHoldNul = true }
                if node.mayBeBytes || node.isUndeclared { place.mayBeBytes = true }
                switch node.kinds {
                case .storage: break
                case .known: if node.json != nil { place.isScalar = false }
                case .json: place.isScalar = false
                }
            }
        }
        if place.mayBeBytes, !place.isScalar { throw mayBeBytes(origin) }
        return place
    }

    /// Undeclared columns may hold bytes, but a list as a whole is JSON text.
    func mayBeBytes(_ origin: Origin) -> QueryError {
        unsupported(
            "columns without a declared kind cannot form a JSON list in SQL",
            at: origin,
            hint: "declare the columns in the schema"
        )
    }

    /// The type of every element; `.any` if they differ.
    ///
    /// Stores keep dates and UUIDs as texts or numbers, so they can be compared only with their own type.
    private func elementType(_ operands: [Operand], _ origin: Origin) throws(QueryError) -> FieldType {
        var types: [FieldType] = []
        var constants: Set<Kind> = []
        for operand in operands {
            switch operand {
            case .constant(let value, _): constants.insert(value.kind)
            case .node(let node, _):
                if case .known(.null) = node.kinds { continue }
                if !types.contains(node.type) { types.append(node.type) }
            }
        }
        let kinds = Set(types.map(\.kind)).union(constants).subtracting([.null])
        guard kinds.contains(.date) || kinds.contains(.uuid) else {
            return types.count == 1 && constants.isEmpty ? types[0] : .any
        }
        guard types.count == 1, kinds.count == 1 else { throw datesBesideOthers("list", origin) }
        return types[0]
    }

    /// The elements in the form that holds any date, if theirs cannot hold one of the query's.
    private func holdingDates(_ operands: [Operand], _ type: FieldType) throws(QueryError) -> ([Operand], FieldType) {
        guard case .date(let encoding) = type, encoding.storedForm == encoding else { return (operands, type) }
        let place = operands.lazy.compactMap { operand in
            if case .constant(let value, let origin) = operand, !encoding.holds(value) { origin } else { nil }
        }.first
        guard let place else { return (operands, type) }
        var converted: [Operand] = []
        for operand in operands {
            guard case .node(let node, let origin) = operand, node.type == type else {
                converted.append(operand)
                continue
            }
            // JSON may hold texts of other forms, which are no dates.
            guard case .known = node.kinds, let date = sortableText(node, encoding) else {
                throw unsupported(
                    "the stored form of these dates cannot hold this date",
                    at: place,
                    hint: "compare each of them with the date"
                )
            }
            converted.append(.node(encoding == .iso8601Milliseconds ? node : date, origin))
        }
        return (converted, .date(.iso8601))
    }

    /// Stores keep dates and UUIDs as texts or numbers, so mixed with others their kind is lost.
    func datesBesideOthers(_ what: String, _ origin: Origin) -> QueryError {
        unsupported("dates and UUIDs mixed with other values cannot form a \(what) in SQL", at: origin)
    }

    /// `SELECT … AS value, … AS type, … AS json, '$' AS fullkey` of one element.
    private func row(_ operand: Operand, _ type: FieldType) throws(QueryError) -> SQLSelect {
        switch operand {
        case .constant(let value, let origin):
            switch value {
            case .double(let number) where number.isNaN:
                throw unsupported("a list in SQL cannot contain NaN", at: origin)
            case .null, .int, .double, .string: return row(of: .bind(value))
            case .bool(let flag): return row(of: .truth(flag), isTruth: true)
            case .date, .uuid, .list, .object, .data, .shape:
                let list = SQLText.call("json_each", .bind(.string(try jsonText(.list([value]), .list(type), origin))))
                return SQLSelect(["value", "type", "json", "fullkey"], from: [list])
            }
        case .node(let node, let origin):
            assumeSingle(node)
            switch node.kinds {
            case .json(let kind):
                return row(node.value, kind, node.json ?? jsonText(of: node.value, kind))
            case .known(.bool): return row(of: node.value, isTruth: true)
            case .known(.number), .known(.string), .known(.date), .known(.uuid), .known(.null), .storage:
                return row(of: node.value)
            case .known(.object), .known(.list), .known(.data), .known(.shape):
                guard let json = node.json else {
                    throw unsupported("rows of another table and bytes cannot be elements of a list in SQL", at: origin)
                }
                return row(json, .literal("object"), json)
            }
        }
    }

    /// The row of a value whose storage class shows its kind, or of a bool.
    private func row(of value: SQLText, isTruth: Bool = false) -> SQLSelect {
        let named = SQLText.word("v")
        let kind: SQLText =
            isTruth
            ? "CASE WHEN v IS NULL THEN 'null' WHEN v THEN 'true' ELSE 'false' END" : .call("typeof", named)
        let source = SQLText.select(SQLSelect([value.named("v")]))
        return row(named, kind, jsonText(of: named, kind), from: [source])
    }

    private func row(_ value: SQLText, _ kind: SQLText, _ json: SQLText, from: [SQLText] = []) -> SQLSelect {
        let kind = SQLText.call("coalesce", kind, .literal("null"))
        return SQLSelect(Self.elementColumns(value.withoutAffinity, kind, json), from: from)
    }

    /// The columns of an element of a computed list, named as those of `json_each`.
    static func elementColumns(_ value: SQLText, _ kind: SQLText, _ json: SQLText) -> [SQLText] {
        [value.named("value"), kind.named("type"), json.named("json"), SQLText.literal("$").named("fullkey")]
    }

    /// A value as JSON text, NULL for nil.
    func jsonText(of value: SQLText, _ kind: SQLText) -> SQLText {
        // json_quote() rounds doubles to 15 digits, and JSON has no infinities.
        let digits = SQLText.choice(
            [
                (.compare(value, ">", .word("1.7976931348623157e308")), .literal("9e999")),
                (.compare(value, "<", .word("-1.7976931348623157e308")), .literal("-9e999")),
            ],
            else: .call("printf", .literal("%!.17g"), value)
        )
        return .choice(
            of: kind,
            [
                (["array", "object"], value), (["true"], .literal("true")), (["false"], .literal("false")),
                (["integer", "text"], .call("json_quote", value)), (["real"], digits),
            ]
        )
    }
}
