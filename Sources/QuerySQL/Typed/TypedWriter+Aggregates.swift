import QueryMeaning
import QueryTree
import QueryValues

// `@count @sum @avg @min @max` (S18).

extension TypedWriter {
    func aggregateNode(_ aggregation: Aggregation, _ scope: Scope) throws(QueryError) -> Node {
        let (aggregate, origin) = (aggregation.aggregate, aggregation.origin)
        switch aggregate {
        case .count: return computed(try count(aggregation.base, scope), .int)
        case .sum, .average, .min, .max:
            let chain = try elements(aggregation.base, aggregation.path, origin, scope)
            if chain.isSet, aggregate == .sum || aggregate == .average {
                throw unsupported("the sum of distinct values is not supported by this store", at: origin)
            }
            return try reduced(aggregate, chain, origin)
        case .unionOfObjects, .unionOfArrays, .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets:
            throw unsupported("a computed list is not a single value in this store", at: origin)
        }
    }

    /// The greatest is above a bound exactly if any is: neither nil nor NaN is, and the first that is found ends the
    /// search.
    func anyBeyond(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf? {
        let given = comparison.withConstantOnTheRight
        guard case .aggregate(let aggregate, of: let base, let path, let origin) = given.left,
            let value = given.right.constantValue, given.options.folding.isEmpty
        else { return nil }
        let isAbove = aggregate == .max && [.greater, .greaterOrEqual].contains(given.operator)
        guard isAbove || aggregate == .min && [.less, .lessOrEqual].contains(given.operator) else { return nil }
        guard try place(of: base, scope) == nil else { return nil }
        let chain = try elements(base, path, origin, scope)
        let node = read(chain.element)
        // A value of any kind may be the greatest, and is of no order with the bound.
        guard chain.link != nil, node.stored.kind == value.kind else { return nil }
        let test = OrderTest(relation: given.operator, nilEqualsNil: false)
        return exists(chain, try ordered(.node(node, origin), test, .constant(value, origin)).holds)
    }

    /// The elements that an aggregate works on; none if the value is not a list.
    func elements(_ base: Term, _ path: FieldPath, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Collection {
        var chain = try knownList(collection(of: base, scope), base.origin)
        // Rows without a parent have no elements.
        if !chain.isList.isTrue, chain.link == nil { chain.conditions.append(chain.isList) }
        var flag = SQLText.one
        for key in path.keys { (chain, flag) = try mapped(chain, key, flag, origin) }
        return chain
    }

    /// The chain, unless it is undeclared whether its column holds lists: treating it as a single value would give the
    /// same answer for every row.
    private func knownList(_ chain: Collection, _ origin: Origin) throws(QueryError) -> Collection {
        guard chain.from.isEmpty, chain.isList.isFalse else { return chain }
        try check(read(chain.element), maybeList: origin)
        return chain
    }

    func count(_ base: Term, _ scope: Scope) throws(QueryError) -> SQLText {
        if let list = try documentList(base, scope) { return try length(of: list, base.origin) }
        if forms.nested != nil, scope.results == nil, let place = try place(of: base, scope), case .list = place.type,
            case .column = place.site
        {
            return try length(of: place, base.origin)
        }
        let chain = try knownList(collection(of: base, scope), base.origin)
        if chain.from.isEmpty {
            // A single value that SUBQUERY tested is a list of one or none.
            if chain.isList.isFalse { return SQLText.null.cast(to: forms.int) }
            let number = SQLText.choice([(spelled(all(chain.conditions)), .one)], else: .zero)
            return when(chain.isList, number)
        }
        if chain.isOfSet { throw unsupported("values of distinct elements cannot be counted", at: base.origin) }
        let number = chain.isSet ? try distinctCount(read(chain.element), base.origin) : .call("count", .star)
        return when(chain.isList, select(number, chain))
    }

    /// The number of elements of a list; NULL for other values.
    func length(of place: Place, _ origin: Origin) throws(QueryError) -> SQLText {
        switch place.site {
        case .json(let document, _, _):
            guard let documents = forms.documents else { throw noDocuments(origin) }
            if let column = place.declared?.array?.column {
                let length = SQLText.call("array_length", column, .one)
                return place.throughJoins(.call("coalesce", length, .call("cardinality", column)))
            }
            let isList = SQLText.compare(documents.kind(document), "=", .literal("array"))
            return place.throughJoins(when(isList, documents.length(document)))
        case .column(let column):
            try check(read(place), maybeList: origin)
            guard case .list = place.type, let nested = forms.nested else { return SQLText.null.cast(to: forms.int) }
            return place.throughJoins(nested.length(column))
        case .row, .element, .computed: throw unsupported("this has no positions", at: origin)
        }
    }

    private func reduced(_ aggregate: Aggregate, _ chain: Collection, _ origin: Origin) throws(QueryError) -> Node {
        let chain = try tabled(chain)
        let node = read(chain.element)
        switch aggregate {
        case .min, .max: return try extreme(node, isLeast: aggregate == .min, chain, origin)
        default: break
        }
        guard let (value, stored) = try summand(node, origin) else {
            let none = SQLText.zero.cast(to: forms.int)
            return computed(
                aggregate == .sum ? none : SQLText.null.cast(to: forms.double),
                aggregate == .sum ? .int : .double
            )
        }
        if aggregate == .average { return computed(select(average(value, stored), chain), .double) }
        return computed(select(sum(value, stored), chain), stored)
    }

    /// The chain with a FROM: an aggregate of a value of the outer row would belong to the outer statement.
    func tabled(_ chain: Collection) throws(QueryError) -> Collection {
        guard chain.from.isEmpty else { return chain }
        var node = read(chain.element)
        let name = try alias("e")
        let condition = spelled(all(chain.conditions))
        let row = SQLText.select(SQLSelect([node.value.named("value")], where: condition)).named(name)
        (node.value, node.summand) = (.word(name + ".value"), nil)
        return Collection(from: [row], element: Place(site: .computed(node), type: node.type), isList: .one)
    }

    /// The mean of numbers; NULL for none.
    func average(_ value: SQLText, _ stored: StoredType) -> SQLText {
        guard let areWhole = areWhole(value, stored) else { return forms.average(value) }
        return .choice([(areWhole, forms.average(value))], else: forms.average(value.cast(to: forms.double)))
    }

    /// True if all numbers of a group are ints, which their digits tell; nil for numbers of one type.
    private func areWhole(_ value: SQLText, _ stored: StoredType) -> SQLText? {
        guard stored == .decimal, let documents = forms.documents else { return nil }
        return .call("bool_and", documents.isWhole(value))
    }

    /// The sum of numbers; 0 for none.
    func sum(_ value: SQLText, _ stored: StoredType) -> SQLText {
        if let areWhole = areWhole(value, stored), let documents = forms.documents {
            let real = documents.fromDouble(forms.doubleSum(value.cast(to: forms.double)))
            return .call("coalesce", .choice([(areWhole, forms.wholeSum(value))], else: real), .zero)
        }
        let sum = stored == .int ? forms.wholeSum(value) : forms.doubleSum(value)
        // Decimal numbers are added exactly.
        return .call("coalesce", stored == .int || isWide(value) ? sum : sum.cast(to: forms.double), .zero)
    }

    /// A number to add, NULL for other values; nil if no value is a number.
    func summand(_ node: Node, _ origin: Origin) throws(QueryError) -> (SQLText, StoredType)? {
        switch node.stored {
        case .decimal where !node.isComputed: return (node.value, .double)
        case .double: return (node.summand ?? wide(node.value, .double), .double)
        case .int, .decimal: return (node.value, node.stored)
        case .document: return try numberOfDocument(node, origin)
        case .unknown:
            let hint = "declare the field in a schema"
            throw unsupported("it is unknown whether these numbers are whole", at: origin, hint: hint)
        case .bool, .text, .bytes, .uuid, .date, .nested, .row, .null: return nil
        }
    }

    /// The minimum or maximum; nil and NaN are skipped (S18, S22).
    func extreme(_ node: Node, isLeast: Bool, _ chain: Collection, _ origin: Origin) throws(QueryError) -> Node {
        if node.stored == .document, node.type == .any { return try ranked(node, isLeast: isLeast, chain) }
        var result = computed(select(try extreme(node, isLeast: isLeast, origin), chain), node.stored)
        result.type = node.type
        if node.stored == .document { result.stored = Self.stored(of: node.type) ?? .unknown }
        return result
    }

    /// The first or last of values of any kind, in the order of a sort.
    private func ranked(_ node: Node, isLeast: Bool, _ chain: Collection) throws(QueryError) -> Node {
        let keys = try documentKeys(node, []).map { $0.sorted(isLeast ? "" : "DESC") }
        let first = SQLText.select(rows([node.value], chain, where: [isNotNil(node)], order: keys, limit: .number(1)))
        var result = computed(first, .document)
        result.mappedName = node.name ?? node.mappedName
        result.isExtreme = true
        return result
    }

    /// Rejects what would depend on which of several lists or objects is the least or greatest.
    func checkOrder(_ node: Node, _ origin: Origin) throws(QueryError) {
        guard node.isExtreme else { return }
        throw unsupported("this store has no order for lists and objects", at: origin, hint: "declare the field")
    }

    func extreme(_ node: Node, isLeast: Bool, _ origin: Origin) throws(QueryError) -> SQLText {
        var value = node.value
        switch node.stored {
        case .int, .decimal: break
        case .double: if let isNumber = isNumber(value) { value = when(isNumber, value) }
        case .text: value = forms.byBytes(value.above(.unary))
        case .date(.native): value = milliseconds(node)
        case .date(let encoding): if encoding.isText { value = forms.byBytes(value.above(.unary)) }
        case .document: value = try scalar(node, origin)
        case .bool:
            let number = SQLText.choice([(value, .one), (value.followed(by: "IS NOT NULL"), .zero)])
            return .compare(.call(isLeast ? "min" : "max", number), "=", .one)
        case .bytes, .uuid: return forms.sortedElement([value, isLeast ? .one : .call("count", value)], adding: 8)
        case .nested, .row, .unknown, .null:
            throw unsupported("min and max of these values are not supported by this store", at: origin)
        }
        return .call(isLeast ? "min" : "max", value)
    }

    /// The type of a document's value declared by a schema.
    static func stored(of type: FieldType) -> StoredType? {
        switch type {
        case .int: .int
        case .double: .double
        case .string, .objectID: .text
        case .any, .bool, .date, .data, .uuid, .object, .list: nil
        }
    }

    /// A document's value converted to its declared type.
    func scalar(_ node: Node, _ origin: Origin) throws(QueryError) -> SQLText {
        guard let documents = forms.documents, let stored = Self.stored(of: node.type) else {
            let message = "min and max of values without a declared kind are not supported by this store"
            throw unsupported(message, at: origin, hint: "declare the field in a schema")
        }
        let kind = documents.kind(node.value)
        if stored == .text {
            let text = forms.byBytes(documents.text(node.value).above(.unary))
            return when(.compare(kind, "=", .literal("string")), text)
        }
        let number = documents.number(node.value).cast(to: stored == .int ? forms.int : forms.double)
        return when(.compare(kind, "=", .literal("number")), number)
    }

    // MARK: Counts that stop early

    /// True if a list in a document has so many elements: the last of them exists.
    ///
    /// No other value has a second element.
    func shortCount(_ test: CountTest, _ scope: Scope) throws(QueryError) -> Leaf? {
        guard let asked = test.threshold, asked.count > 1, asked.count <= Int32.max, let documents = forms.documents,
            let place = try documentList(test.counted, scope), place.declared?.array == nil
        else { return nil }
        let value = read(place).value
        let last = documents.member(value, .number(asked.count - 1))
        let (exists, lacks) = (last.followed(by: "IS NOT NULL"), last.followed(by: "IS NULL"))
        if asked.isEnough { return Leaf(exists, fails: lacks) }
        return leaf(all(.compare(documents.kind(value), "=", .literal("array")), lacks))
    }
}
