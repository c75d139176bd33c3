import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

/// Reads find filters as conditions that hold for the same documents.
///
/// A filter object is the AND of its members; each test of a field is read separately, and where Mongo would look
/// inside a list, the reading uses ANY, or needs to know that there is no list (S11).
struct FilterReader {
    let reading: MongoKnowledge
    /// The element that fields belong to, inside `$elemMatch`; nil for the row.
    var subject: Variable?
    /// The same where a position names it: `items[0]`.
    var element: Term?
    /// The type that contains the fields.
    var base: FieldType
    /// The property names of the element, for assumptions.
    var path: [String] = []
    /// The stored names of the element.
    var storedPath: [String] = []
    /// The nesting of conditions around the current one.
    var nesting = 0
    /// True where every result meets the condition.
    var isConjunct = true

    init(_ reading: MongoKnowledge) {
        self.reading = reading
        base = reading.row
    }

    /// The reader for the next level.
    ///
    /// - Throws: `limit` if that is too deep for a query.
    func deeper(_ node: MongoNode) throws(QueryError) -> FilterReader {
        guard nesting < reading.limits.nesting else {
            throw node.error(.limit, "conditions are nested deeper than \(reading.limits.nesting) levels")
        }
        var inner = self
        inner.nesting += 1
        inner.isConjunct = false
        return inner
    }

    /// The condition of a filter.
    ///
    /// - Parameter node: an object of fields and of `$and`, `$or`, `$nor`, `$expr`.
    /// - Returns: the condition.
    /// - Throws: `QueryError` with the JSON path of what is not a filter.
    func condition(_ node: MongoNode) throws(QueryError) -> Condition {
        var none = ListGuards([])
        return try condition(node, within: &none)
    }

    private func condition(_ node: MongoNode, within outer: inout ListGuards) throws(QueryError) -> Condition {
        _ = try node.object("a filter")
        if isFalse(node) { return .constant(false) }
        var parts: [Condition] = []
        var guards = ListGuards(node.members, within: outer)
        let longer = try countAtLeast(node)
        for (key, member) in node.members {
            if let longer, member.place.isSame(longer.field) {
                parts.append(longer.condition)
            } else if let longer, member.place.isSame(longer.nor) {
                continue
            } else if key.hasSameUTF8(as: MongoOperator.comment.rawValue) {
                continue
            } else if key.utf8.first == UInt8(ascii: "$") {
                parts.append(try logical(key, member, &guards))
            } else if let tests = try tests(atPosition: key, member) {
                parts += tests
            } else if let count = try count(atPosition: key, member, guards) {
                parts.append(count)
            } else {
                parts += try tests(field(key, member, guards), member, &guards)
            }
        }
        outer.absorb(from: guards)
        return Self.all(try parts + rest(of: guards))
    }

    /// AND of parts; a single part is returned as is.
    static func all(_ parts: [Condition]) -> Condition {
        parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(true) : .and(parts)
    }

    /// The negation, without double negation; "not some differs" becomes "all are equal".
    static func not(_ condition: Condition) -> Condition {
        switch condition {
        case .constant(let holds): return .constant(!holds)
        case .not(let inner): return inner
        case .comparison(var comparison)
        where comparison.quantifier == .any && comparison.operator == .notEqual:
            (comparison.quantifier, comparison.operator) = (.all, .equal)
            return .comparison(comparison)
        case .comparison, .and, .or: return .not(condition)
        }
    }

    /// `{"_id": {"$in": []}}`, the filter that finds nothing.
    private func isFalse(_ node: MongoNode) -> Bool {
        node.value == .object(Clause.constant(false).document())
    }

    private func logical(
        _ key: String,
        _ node: MongoNode,
        _ guards: inout ListGuards
    ) throws(QueryError) -> Condition {
        switch try MongoOperator.named(key, .filter, at: node) {
        case .and:
            var inner = try deeper(node)
            inner.isConjunct = isConjunct
            return Self.all(try inner.conditions(node, &guards))
        case .or:
            if let recognized = try recognizedOr(node) { return recognized }
            var none = ListGuards([])
            let parts = try deeper(node).conditions(node, &none)
            return parts.count == 1 ? parts[0] : .or(parts)
        case .nor:
            var none = ListGuards([])
            let parts = try deeper(node).deeper(node).conditions(node, &none)
            return Self.not(parts.count == 1 ? parts[0] : .or(parts))
        case .alwaysTrue, .alwaysFalse:
            guard try node.whole(key) == 1 else { throw node.wrong("\(key) takes 1") }
            return .constant(key.hasSameUTF8(as: MongoOperator.alwaysTrue.rawValue))
        default: return try expression(node)
        }
    }

    private func conditions(_ node: MongoNode, _ guards: inout ListGuards) throws(QueryError) -> [Condition] {
        let elements = try node.list("the operand")
        guard !elements.isEmpty else { throw node.wrong("the list must not be empty") }
        var parts: [Condition] = []
        parts.reserveCapacity(elements.count)
        for element in elements { parts.append(try condition(element, within: &guards)) }
        return parts
    }

    /// The field of a key, by its property names.
    ///
    /// - Parameters:
    ///   - key: stored names with dots.
    ///   - node: the value of the key.
    ///   - guards: the fields that are not lists, by the object that the key is in.
    /// - Returns: the field.
    /// - Throws: `json` for a name that is not a path, `unknownField` for one the schema does not have, `unsupported`
    ///   for a number that may be a position of a list.
    func field(
        _ key: String,
        _ node: MongoNode,
        _ guards: ListGuards = ListGuards([])
    ) throws(QueryError) -> MongoField {
        let names = FieldPath(dotted: key).keys
        guard names.count <= reading.limits.pathParts else {
            throw node.error(.limit, "the path has more than \(reading.limits.pathParts) parts")
        }
        if names.contains(where: \.isEmpty) { throw node.wrong("a field's name must not be empty") }
        if names.contains(where: { $0.utf8.first == UInt8(ascii: "$") }) {
            throw node.wrong("a part of a field's name must not start with $")
        }
        guard let keys = base.propertyNames(ofStored: names), let resolved = base.resolve(keys) else {
            throw node.error(.unknownField, "the schema has no field with this stored name")
        }
        let types = resolved.steps.map(\.type)
        let field = MongoField(names: names, types: types, path: path + keys, origin: node.origin)
        if let position = field.positions.first(where: { !isKey($0, of: field, guards) }) {
            let list = names[..<position].joined(separator: ".")
            let rest = names[(position + 1)...].map { "." + $0 }.joined()
            throw node.unsupported(
                "a number in a path is a position of a list or a key of an object",
                hint: """
                    give a schema that says which, write the position as a predicate, \(list)[\(names[position])], or \
                    assume that \(field.pathText) is single for keys
                    """,
                inRequest: "give a predicate as format, in place of query, with the position as "
                    + "\(list)[\(names[position])]\(rest)"
            )
        }
        return field
    }

    /// The term of a field; without names, the element itself.
    func term(_ field: MongoField) -> Term {
        let keys = Array(field.path.dropFirst(path.count))
        guard let element = element ?? subject.map({ Term.variable($0, field.origin) }) else {
            return .field(FieldPath(keys: keys), field.origin)
        }
        return keys.isEmpty ? element : .path(element, keys.map(PathStep.key), field.origin)
    }
}

extension FieldType {
    /// The property names of stored names, or nil when the schema has none of them.
    func propertyNames(ofStored names: [String]) -> [String]? {
        var type = self
        var keys: [String] = []
        for name in names {
            guard let key = type.propertyName(ofStored: name), let step = type.step(key) else {
                return nil
            }
            keys.append(key)
            type = step.type
        }
        return keys
    }

    private func propertyName(ofStored name: String) -> String? {
        switch self {
        case .any: return name
        case .object(let schema):
            if let field = schema.field(storedAs: name) { return field.name }
            return schema.allowsOthers && schema.field(named: name) == nil ? name : nil
        case .list(let element): return element.propertyName(ofStored: name)
        case .bool, .int, .double, .string, .date, .data, .uuid, .objectID: return nil
        }
    }
}

extension JSONPlace {
    /// The same member of the same object.
    func isSame(_ key: String) -> Bool {
        if case .key(_, let own) = self { own.hasSameUTF8(as: key) } else { false }
    }
}
