import QueryChecking
import QueryMeaning
import QueryMongo
import QueryTree
import QueryValues

// Combinations of several conditions that represent one comparison.
extension FilterReader {
    /// A list of at least this many elements, as written without `$expr`.
    struct CountAtLeast {
        var field: String
        var nor = "$nor"
        var condition: Condition
    }

    /// `{"t": {"$type": "array"}, "$nor": [{"t": {"$size": 0}}, …]}` is `t.@count > …`; nil for anything else.
    func countAtLeast(_ node: MongoNode) throws(QueryError) -> CountAtLeast? {
        guard let nor = node.member("$nor"), let (name, sizes) = sizes(nor), sizes == Array(0..<sizes.count),
            let member = node.member(name), member.value == FilterWriter.isArray
        else { return nil }
        let field = try field(name, member)
        guard isPrefixSingle(field) else { throw containers(field, member) }
        let least = Term.value(.int(Int64(sizes.count - 1)), nor.origin)
        return CountAtLeast(field: name, condition: counts(field, .greater, least, member))
    }

    /// `{"tags.0": "a"}` where the schema says that `tags` is a list: `tags[0] == "a"`; nil for anything else.
    func tests(atPosition key: String, _ node: MongoNode) throws(QueryError) -> [Condition]? {
        let names = FieldPath(dotted: key).keys
        guard let place = names.firstIndex(where: \.isPosition), place > 0, names.count <= reading.limits.pathParts,
            let position = Int64(names[place]), String(position) == names[place],
            let keys = base.propertyNames(ofStored: Array(names[..<place])), let resolved = base.resolve(keys),
            case let types = resolved.steps.map(\.type), let last = types.last, last.isList,
            !last.mayHavePositionKeys, types.dropLast().allSatisfy({ !$0.isList && $0 != .any })
        else { return nil }
        let list = MongoField(names: Array(names[..<place]), types: types, path: path + keys, origin: node.origin)
        var inner = self
        inner.element = .index(term(list), .at(.value(.int(position), node.origin)), node.origin)
        inner.subject = subject ?? Variable("x")
        (inner.base, inner.path, inner.storedPath) = (last.element, list.path, storedPath + list.names)
        var none = ListGuards([]).inside
        let rest = names[(place + 1)...].joined(separator: ".")
        if rest.isEmpty {
            if node.members.count == 1, node.member("$exists") != nil { return nil }
            let element = MongoField(names: [], types: [last.element], path: list.path, origin: node.origin)
            return try inner.tests(element, node, &none)
        }
        if let tests = try inner.tests(atPosition: rest, node) { return tests }
        if let count = try inner.count(atPosition: rest, node, none) { return [count] }
        return try inner.tests(inner.field(rest, node, none), node, &none)
    }

    /// `{"t.2": {"$exists": true}}` of a list is `t.@count > 2`; nil for anything else.
    ///
    /// Of what may hold anything it is that, or an object with the key, which may be in a list.
    func count(atPosition key: String, _ node: MongoNode, _ guards: ListGuards) throws(QueryError) -> Condition? {
        guard let dot = key.utf8.lastIndex(of: UInt8(ascii: ".")), case let digits = String(key[dot...].dropFirst()),
            let position = Int64(digits), digits.isPosition, String(position) == digits, node.members.count == 1,
            case .bool(let exists)? = node.member("$exists")?.value
        else { return nil }
        let list = try field(String(key[..<dot]), node, guards)
        let isList = list.last.isList && !list.last.mayHavePositionKeys
        guard isPrefixSingle(list) else { return nil }
        let count = counts(list, .greater, .value(.int(position), node.origin), node)
        if isList || list.last.mayHavePositionKeys && reading.isList(list.pathText) {
            return exists ? count : Self.not(count)
        }
        guard list.last == .any, !reading.isNamedSingle(list.pathText + "." + digits) else { return nil }
        let variable = reading.freshVariable()
        let element = Term.variable(variable, node.origin)
        let keyed = try Condition.and([noList(element, node), isThere(element, [digits], node)])
        let either = Condition.or([count, Self.finds(Subquery(term(list), variable, where: keyed), node)])
        return exists ? either : Self.not(either)
    }

    /// `$or` of lengths, and `CONTAINS`; nil for anything else.
    func recognizedOr(_ node: MongoNode) throws(QueryError) -> Condition? {
        guard case .list(let elements) = node.value, elements.count > 1 else { return nil }
        if elements.count == 2, let contains = try contains(node) { return contains }
        guard let (name, sizes) = sizes(node), let first = node.elements.first?.member(name) else { return nil }
        let field = try field(name, first)
        guard isPrefixSingle(field) else { throw containers(field, first) }
        func term(_ size: Int) -> Term { .value(.int(Int64(size)), node.origin) }
        guard let low = sizes.first, let high = sizes.last, sizes == Array(low...max(low, high)) else {
            return counts(field, .in, .list(sizes.map(term), node.origin), node)
        }
        if low == 0 { return counts(field, .less, term(high + 1), node) }
        return counts(field, .between, .list([term(low), term(high)], node.origin), node)
    }

    /// The one field and the lengths of `[{"t": {"$size": 1}}, …]`, or nil.
    private func sizes(_ node: MongoNode) -> (String, [Int])? {
        guard case .list(let elements) = node.value, !elements.isEmpty else { return nil }
        var name: String?
        var sizes: [Int] = []
        for element in elements {
            guard case .object(let object) = element, object.count == 1, let key = object.keys.first,
                key.utf8.first != UInt8(ascii: "$"), name == nil || name?.hasSameUTF8(as: key) == true,
                case .object(let test)? = object.values.first, test.count == 1, case .int(let size)? = test["$size"],
                let size = Int(exactly: size), 0..<(1 << 30) ~= size
            else { return nil }
            name = key
            sizes.append(size)
        }
        return name.map { ($0, sizes) }
    }

    /// `{"$or": [no list and a substring, a list that holds the text]}` is `f CONTAINS text`.
    ///
    /// The apparent meaning of the first half is written again; it counts only if that gives the whole form.
    private func contains(_ node: MongoNode) throws(QueryError) -> Condition? {
        guard case .list(let halves) = node.value, case .object(let substring) = halves[0], subject == nil,
            let (name, test) = substring.pairs.reversed().first, case .object(let operators) = test,
            operators["$not"] == FilterWriter.isArray, case .string(let pattern)? = operators["$regex"],
            let first = node.elements.first, let member = first.member(name)
        else { return nil }
        let field = try field(name, member, ListGuards(first.members))
        var letters: String?
        if case .string(let text)? = operators["$options"] { letters = text }
        for reading in PatternReader.readings(pattern, letters ?? "") where reading.operation == .contains {
            for profile in [MongoProfile.mongoDB, .kinvey] {
                for isGuarded in [false, true] {
                    let right = Term.value(.string(reading.text), node.origin)
                    let comparison = Comparison(
                        term(field),
                        .contains,
                        right,
                        options: reading.options,
                        origin: node.origin
                    )
                    let context = MongoContext(profile, isGuarded: isGuarded, nilMeaning: self.reading.nilMeaning)
                    let writer = FilterWriter(context: context, scope: TypeScope(row: self.reading.row))
                    guard let clause = try? writer.find(comparison), clause.document()["$or"] == node.value,
                        self.reading.accepts(context.assumptions)
                    else { continue }
                    return .comparison(comparison)
                }
            }
        }
        return nil
    }
}

extension GeoShape {
    /// The radius in metres that is written as these radians; the roundest candidate.
    static func metres(ofRadians radians: Double) -> Double? {
        let metres = radians * GeoPoint.earthRadius
        guard metres.isFinite else { return nil }
        let rounded = [1.0, 1e3, 1e6].map { (metres * $0).rounded() / $0 }
        return (rounded + [metres, metres.nextUp, metres.nextDown]).first { $0 / GeoPoint.earthRadius == radians }
            ?? metres
    }
}
