import QueryMeaning
import QueryTree
import QueryValues

// `== !=` (S2, S3, S7, S8).

extension TypedWriter {
    func equal(
        _ node: Node,
        _ value: QueryValue,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        assumeSingle(node)
        if value.kind == .list || value.kind == .object { try check(node, maybeList: origin) }
        let node = try known(node, value.kind)
        if let kind = node.stored.kind, kind != value.kind { return .never }
        switch node.stored {
        case .document: return try documentEqual(node, value, options, origin)
        case .null: return .never
        case .row: throw unsupported("a whole row is not compared in SQL", at: origin, hint: "compare its fields")
        case .nested: return try nestedEqual(node, value, options, origin)
        case .date(let encoding):
            guard case .date(let instant) = value else { return .never }
            if encoding == .native { return try sameInstant(node, instant, origin) }
        case .bool, .int, .double, .decimal, .text, .bytes, .uuid, .unknown: break
        }
        guard let bound = try constant(value, for: node, options, origin) else { return .never }
        let subject = try folded(node, options, origin)
        if node.isRequired { return Leaf(subject, "=", bound: bound, opposite: "<>") }
        return Leaf(subject, equals: bound, differs: forms.differs)
    }

    /// The constant in the node's type; nil if no value there can equal it.
    func constant(
        _ value: QueryValue,
        for node: Node,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> SQLText? {
        switch value {
        case .null, .list, .object, .shape: return nil
        case .bool(let flag): return .word(flag ? "TRUE" : "FALSE")
        case .int, .double: return try number(value, for: node, origin)
        case .string(let text): return try bind(text: options.folded(text), at: origin)
        case .date(let instant): return try date(instant, node, origin)
        case .data: return forms.bytes(.bind(value))
        case .uuid(let uuid): return forms.uuid(.bind(.string(uuid.uuidString.lowercased())))
        }
    }

    /// Numbers are equal by exact value, so a number outside the column's type equals none (S3).
    private func number(_ value: QueryValue, for node: Node, _ origin: Origin) throws(QueryError) -> SQLText? {
        if value.isNaN { return nil }
        switch node.stored {
        case .int:
            try checkReach(of: node, value, origin)
            return value.exactInt.map { bind(.int($0), as: forms.int) }
        case .double: return value.exactDouble.map { bind(.double($0), as: forms.double) }
        case .decimal: return try decimal(value, for: node, origin)
        default: return try anyNumber(value, origin)
        }
    }

    /// A computed value may overflow 64 bits, which is an error in the store; comparing it with a number out there must
    /// not be decided without computing it.
    func checkReach(of node: Node, _ value: QueryValue, _ origin: Origin) throws(QueryError) {
        guard node.isComputed, node.stored == .int, case .double(let number) = value, number.isFinite,
            number >= 0x1p63 || number < -0x1p63
        else { return }
        throw unsupported("computed whole numbers are limited to 64 bits in this store", at: origin)
    }

    /// A number compared with a column of which only the kind is known: exact whatever the column's type.
    func anyNumber(_ value: QueryValue, _ origin: Origin) throws(QueryError) -> SQLText {
        let most: Int64 = 9_007_199_254_740_992
        if let whole = value.exactInt, (-most...most).contains(whole) { return bind(.int(whole), as: forms.int) }
        guard case .double(let number) = value, number.magnitude < 9_007_199_254_740_992 || number.isInfinite else {
            throw Self.undeclaredLargeNumber(origin)
        }
        return bind(value, as: forms.double)
    }

    /// A number compared with decimal digits: those of a column are compared with the constant's.
    func decimal(_ value: QueryValue, for node: Node, _ origin: Origin) throws(QueryError) -> SQLText {
        guard !node.isComputed, let type = forms.documents?.decimal else { return try anyNumber(value, origin) }
        if case .double(let number) = value, number.isFinite { return bind(value, as: type) }
        if case .int = value { return bind(value, as: forms.int) }
        return try anyNumber(value, origin)
    }

    static func undeclaredLargeNumber(_ origin: Origin) -> QueryError {
        QueryError(
            .unsupported,
            "a number of 2^53 or more is compared exactly only with a declared type",
            at: origin,
            hint: "declare the field as int or double in the schema, or name a numeric column in decimalColumns"
        )
    }

    /// A column of unknown type is assumed to have the kind that it is compared with.
    func known(_ node: Node, _ kind: Kind) throws(QueryError) -> Node {
        guard node.stored == .unknown else { return node }
        var known = node
        switch kind {
        case .bool: known.stored = .bool
        case .string: (known.stored, known.value) = (.text, forms.textColumn(node.value))
        case .data: known.stored = .bytes
        case .uuid: known.stored = .uuid
        case .date: known.stored = .date(.native)
        case .number: break
        case .null, .list, .object, .shape: return node
        }
        if let name = node.name { assume(.kind(name.joined(separator: "."), kind)) }
        return known
    }

    /// True for two equal values and for two nils.
    func same(_ left: SQLText, _ right: SQLText) -> SQLText {
        forms.same([left.above(.equality), right.above(.equality)], .equality)
    }

    /// The opposite of ``same(_:_:)``.
    func differs(_ left: SQLText, _ right: SQLText) -> SQLText {
        forms.differs([left.above(.equality), right.above(.equality)], .equality)
    }

    // MARK: Nil

    /// True when the value is nil.
    func isNil(_ node: Node) -> SQLText { node.isPresent ? .zero : scalarText(node).followed(by: "IS NULL") }

    func isNotNil(_ node: Node) -> SQLText { node.isPresent ? .one : scalarText(node).followed(by: "IS NOT NULL") }

    /// NULL exactly for nil.
    private func scalarText(_ node: Node) -> SQLText {
        guard node.stored == .document, let documents = forms.documents else { return node.value }
        return documents.text(node.value)
    }

    func nilTest(_ node: Node, _ meaning: NilMeaning, _ origin: Origin) throws(QueryError) -> Leaf {
        assumeSingle(node)
        if meaning == .nullOrAbsent || node.isComputed {
            return meaning == .absent ? .never : Leaf(isNil(node), fails: self.isNotNil(node))
        }
        guard node.stored == .document, let documents = forms.documents else { throw absenceIsUnknown(origin) }
        let kind = documents.kind(node.value)
        return meaning == .absent
            ? Leaf(kind.followed(by: "IS NULL"), fails: kind.followed(by: "IS NOT NULL"))
            : Leaf(kind, equals: .literal("null"), differs: forms.differs)
    }

    // MARK: Documents

    private func documentEqual(
        _ node: Node,
        _ value: QueryValue,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        if value.kind == .list || value.kind == .object { try checkOrder(node, origin) }
        if !options.folding.isEmpty, value.holdsText {
            guard case .string(let text) = value else {
                throw unsupported("comparing texts in a list with options is not supported by this store", at: origin)
            }
            let isText = isText(node, documents)
            let folded = try folded(documents.text(node.value), options, origin)
            let bound = try bind(text: Folding.folded(text, options.folding), at: origin)
            return leaf(all(isText, .compare(folded, "=", bound)))
        }
        if node.type.readsAsDate(value) { return .never }
        if try isNeverDate(value, node, origin) { return .never }
        guard let bound = try documentConstant(value, node.type, origin) else { return .never }
        if case .uuid(let uuid) = value, let upper = try documentConstant(.string(uuid.uuidString), .string, origin) {
            let both = [bound, upper]
            return leaf(node.value.isIn(both), orNull: node.value, fails: node.value.isIn(both, "NOT IN"))
        }
        return Leaf(node.value, equals: bound, differs: forms.differs)
    }

    /// True for a date compared with a field of another type; a field of no declared type is assumed to hold ISO text
    /// (S5).
    func isNeverDate(_ value: QueryValue, _ node: Node, _ origin: Origin) throws(QueryError) -> Bool {
        guard case .date = value else { return false }
        switch node.type {
        case .date:
            try noteForm(node, origin)
            return false
        case .any:
            assume(try .date(at: node.name ?? node.mappedName, .iso8601Milliseconds, origin))
            return false
        case .bool, .int, .double, .string, .data, .uuid, .objectID, .object, .list: return true
        }
    }

    /// True if a document is a text, and not a date stored as one (S5).
    func isText(_ node: Node, _ documents: SQLForms.Documents) -> SQLText {
        if node.type == .uuid { return .zero }
        let isText = SQLText.compare(documents.kind(node.value), "=", .literal("string"))
        guard case .date(let encoding) = node.type, encoding.isText else { return isText }
        return all(isText, isDateText(documents.text(node.value), encoding).isNotTrueInWords)
    }

    /// A constant as a document; nil if no document can contain it.
    func documentConstant(_ value: QueryValue, _ type: FieldType, _ origin: Origin) throws(QueryError) -> SQLText? {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        if case .double(let number) = value, !number.isFinite { return nil }
        let json = try SQLConstant.json(value, type, origin, keepsDigits: true)
        if !forms.allowsNul, json.holdsNul {
            throw unsupported("the store's texts cannot hold a NUL character", at: origin)
        }
        return documents.constant(.bind(.string(JSONWriter().text(json))))
    }

    func noDocuments(_ origin: Origin) -> QueryError {
        let hint = "keep the fields in columns of their own"
        return unsupported("this store compares JSON differently from values", at: origin, hint: hint)
    }

    private func nestedEqual(
        _ node: Node,
        _ value: QueryValue,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        guard value.kind == .list || value.kind == .object else { return .never }
        guard case .list(let elements) = value, case .list(let type) = node.type, let nested = forms.nested,
            type.isEqualInLists, options.folding.isEmpty || !value.holdsText
        else { throw unsupported("comparing this list or object is not supported by this store", at: origin) }
        let element = Node(value: .null, stored: StoredType(type), type: type)
        var pieces: [SQLText] = []
        for value in elements {
            guard value.isNull || value.kind == element.stored.kind else { return .never }
            guard let piece = value.isNull ? SQLText.null : try constant(value, for: element, [], origin) else {
                return .never
            }
            pieces.append(piece)
        }
        if pieces.isEmpty { return leaf(.compare(nested.length(node.value), "=", .zero)) }
        let list = nested.list(.list(pieces))
        return Leaf(node.value, equals: list, differs: forms.differs)
    }
}

extension FieldType {
    /// True for values that a store compares inside a list as it does alone.
    var isEqualInLists: Bool {
        switch self {
        case .bool, .int, .double, .string, .objectID, .uuid: true
        case .any, .date, .data, .object, .list: false
        }
    }
}
