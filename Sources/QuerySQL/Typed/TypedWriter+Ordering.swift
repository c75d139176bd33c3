import QueryMeaning
import QueryTree
import QueryValues

// `< <= > >=` and BETWEEN (S2, S3, S7, S13).

extension TypedWriter {
    func ordered(_ node: Node, _ test: OrderTest, _ value: QueryValue, _ origin: Origin) throws(QueryError) -> Leaf {
        let relation = test.relation
        let node = try known(node, value.kind)
        if let kind = node.stored.kind, kind != value.kind { return .never }
        switch value {
        case .null, .list, .object, .shape: return .never
        case .int, .double:
            if value.isNaN { return .never }
            if node.stored != .document { return try orderedNumber(node, relation, value, origin) }
        case .date(let instant) where node.stored == .date(.native):
            return try ordered(node, relation, instant, origin)
        case .bool, .string, .date, .data, .uuid: break
        }
        if node.stored == .document { return try orderedDocument(node, test, value, origin) }
        guard node.stored != .nested, let bound = try constant(value, for: node, test.options, origin) else {
            return .never
        }
        let subject = bytewise(node, try folded(node, test.options, origin))
        return Leaf(subject, relation.sql, bound: bound, opposite: relation.oppositeSQL, orNull: node.value)
    }

    /// Texts in byte order, everything else unchanged.
    func bytewise(_ node: Node, _ value: SQLText) -> SQLText {
        switch node.stored {
        case .text: return forms.byBytes(value.above(.unary))
        case .date(let encoding) where encoding.isText: return forms.byBytes(value.above(.unary))
        case .bool, .int, .double, .decimal, .bytes, .uuid, .date, .document, .nested, .row, .unknown, .null:
            return value
        }
    }

    // MARK: Numbers

    private func orderedNumber(
        _ node: Node,
        _ relation: Comparison.Operator,
        _ value: QueryValue,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        switch node.stored {
        case .int:
            try checkReach(of: node, value, origin)
            guard let (relation, bound) = relation.whole(value) else { return .never }
            guard let bound else { return Leaf(isNotNil(node), fails: self.isNil(node)) }
            let constant = bind(.int(bound), as: forms.int)
            return ordered(node.value, relation, constant)
        case .decimal:
            let constant = try decimal(value, for: node, origin)
            return ordered(node.value, relation, constant)
        case .double:
            let (relation, bound) = relation.real(value)
            return bounded(node, relation, bind(.double(bound), as: forms.double))
        default: return bounded(node, relation, try anyNumber(value, origin))
        }
    }

    private func ordered(_ value: SQLText, _ relation: Comparison.Operator, _ bound: SQLText) -> Leaf {
        Leaf(value, relation.sql, bound: bound, opposite: relation.oppositeSQL, orNull: value)
    }

    /// The store orders NaN above every number, but here it is never ordered.
    private func bounded(_ node: Node, _ relation: Comparison.Operator, _ bound: SQLText) -> Leaf {
        guard relation == .greater || relation == .greaterOrEqual else { return ordered(node.value, relation, bound) }
        let compared = SQLText.compare(node.value, relation.sql, bound)
        guard let notANumber = forms.notANumber else { return leaf(compared) }
        // A sum is computed once.
        if node.isComputed {
            return leaf(.compare(.call("nullif", node.value, .word(notANumber)), relation.sql, bound))
        }
        return leaf(all(compared, .compare(node.value, "<", .word(notANumber))))
    }

    // MARK: Documents

    private func orderedDocument(
        _ node: Node,
        _ test: OrderTest,
        _ value: QueryValue,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        let (relation, options) = (test.relation, test.options)
        guard let documents = forms.documents else { throw noDocuments(origin) }
        if try isNeverDate(value, node, origin) { return .never }
        if case .double(let number) = value, number.isInfinite {
            let isNumber = SQLText.compare(documents.kind(node.value), "=", .literal("number"))
            let isBelow = relation == .less || relation == .lessOrEqual
            return isBelow == (number > 0) ? leaf(isNumber) : .never
        }
        let stored = try SQLConstant.json(value, node.type, origin, keepsDigits: true)
        let kind = documents.kind(node.value)
        guard case .string(let text) = stored else {
            var (relation, value) = (relation, value)
            if value.isLargeInt, node.type == .double {
                let (real, near) = relation.real(value)
                (relation, value) = (real, .double(near))
            }
            guard let bound = try documentConstant(value, node.type, origin) else { return .never }
            let word = stored.kind == .bool ? "boolean" : "number"
            return leaf(all(.compare(node.value, relation.sql, bound), .compare(kind, "=", .literal(word))))
        }
        var subject = documents.text(node.value)
        var constant = text
        if case .string = value, !options.folding.isEmpty {
            subject = try folded(subject, options, origin)
            constant = Folding.folded(text, options.folding)
        }
        if case .uuid = value { subject = .call("lower", subject) }
        let compared = SQLText.compare(
            forms.byBytes(subject.above(.unary)),
            relation.sql,
            try bind(text: constant, at: origin)
        )
        if case .date = value {
            let isDate = isDateText(documents.text(node.value), node.type.dateEncoding)
            return leaf(all(.compare(kind, "=", .literal("string")), compared, isDate))
        }
        let isOfKind = value.kind == .uuid ? .compare(kind, "=", .literal("string")) : isText(node, documents)
        return leaf(all(isOfKind, compared))
    }

    // MARK: Two nodes

    func ordered(_ left: Node, _ test: OrderTest, _ right: Node, _ origin: Origin) throws(QueryError) -> Leaf {
        let addsNil = test.holdsForNils
        if left.stored == .document || right.stored == .document {
            let compared = try orderedDocuments(left, test, right, origin)
            return leaf(addsNil ? some(compared, all(isNil(left), isNil(right))) : compared)
        }
        let (left, right) = try pair(left, right, origin)
        let bothNil = all(isNil(left), isNil(right))
        let isOrdered = left.stored.kind == right.stored.kind && left.stored.kind != nil && left.stored != .row
        guard isOrdered else {
            return addsNil ? Leaf(bothNil, fails: self.some(self.isNotNil(left), self.isNotNil(right))) : .never
        }
        let compared = try compared(left, test, right, origin)
        return leaf(addsNil ? some(compared, bothNil) : compared)
    }

    private func orderedDocuments(
        _ left: Node,
        _ test: OrderTest,
        _ right: Node,
        _ origin: Origin
    ) throws(QueryError) -> SQLText {
        let (word, options) = (test.relation.sql, test.options)
        guard let documents = forms.documents else { throw noDocuments(origin) }
        let (a, b) = try self.documents(left, right, keepsNaN: false, origin)
        let kind = documents.kind(a)
        let x = try folded(documents.text(a), options, origin)
        let y = try folded(documents.text(b), options, origin)
        let texts = SQLText.compare(forms.byBytes(x.above(.unary)), word, forms.byBytes(y.above(.unary)))
        let scalars = SQLText.compare(a, word, b)
        return all(
            [
                .compare(kind, "=", documents.kind(b)),
                .choice(of: kind, [(["string"], texts), (["number", "boolean"], scalars)]),
            ] + (try areAlikeDates(left, right, origin))
        )
    }

    // MARK: BETWEEN

    func between(_ subject: Operand, stored bounds: Term, _ scope: Scope) throws(QueryError) -> Leaf {
        guard let place = try place(of: bounds, scope), case .json(let list, _, _) = place.site,
            let documents = forms.documents
        else { throw unsupported("these bounds are not supported in SQL", at: bounds.origin) }
        if place.mayLeadThroughLists {
            throw unsupported("bounds from a path that may cross a list are not supported in SQL", at: bounds.origin)
        }
        let isList = SQLText.compare(documents.kind(list), "=", .literal("array"))
        let sides = [0, 1].map { position -> Operand in
            let element = documents.element(list, .number(position))
            return .node(Node(value: element, stored: .document, type: place.type.element), bounds.origin)
        }
        let inside = try within(subject, sides[0], sides[1])
        let length = when(isList, documents.length(list))
        return leaf(all(.compare(length, "=", .number(2)), inside.holds))
    }

    func shortBetween(_ subject: Operand, _ low: Operand, _ high: Operand) throws(QueryError) -> Leaf? {
        // NaN lies above every upper bound.
        guard case .node(let node, _) = subject, node.stored == .double,
            case .constant(let least, _) = low, let least = least.exactDouble, !least.isNaN,
            case .constant(let most, _) = high, let most = most.exactDouble, !most.isNaN
        else { return nil }
        let bounds = [least, most].map { bind(.double($0), as: forms.double) }
        return leaf(.between(node.value, bounds[0], bounds[1]))
    }
}

extension Comparison.Operator {
    /// The same comparison with an int: nil if no int satisfies it, without a bound if all do.
    fileprivate func whole(_ value: QueryValue) -> (Comparison.Operator, Int64?)? {
        if let number = value.exactInt { return (self, number) }
        guard case .double(let number) = value else { return nil }
        let isBelow = self == .less || self == .lessOrEqual
        if number >= 0x1p63 { return isBelow ? (self, nil) : nil }
        if number < -0x1p63 { return isBelow ? nil : (self, nil) }
        return isBelow
            ? (.lessOrEqual, Int64(number.rounded(.down))) : (.greaterOrEqual, Int64(number.rounded(.up)))
    }

    /// The same comparison with a double: no double lies between an int and its nearest double.
    fileprivate func real(_ value: QueryValue) -> (Comparison.Operator, Double) {
        if let number = value.exactDouble { return (self, number) }
        guard case .int(let number) = value else { return (self, .nan) }
        let near = Double(number)
        let isBelow = self == .less || self == .lessOrEqual
        let isAbove = Int64(exactly: near).map { $0 > number } ?? true
        return (isBelow ? (isAbove ? .less : .lessOrEqual) : (isAbove ? .greaterOrEqual : .greater), near)
    }
}
