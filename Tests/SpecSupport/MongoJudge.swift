import QueryTree
import QueryValues

/// Runs Mongo find filters and pipelines like a server, written from MongoDB's manual and independent of the library,
/// whose output it judges.
///
/// It supports the operators that the library may emit, and throws for all others. It computes every branch of every
/// condition, taken or not, as some servers do: an error in any branch fails the query.
public struct MongoJudge {
    /// A filter or expression that a server would reject.
    public struct Refused: Error, CustomStringConvertible {
        /// The reason.
        public var description: String
    }

    /// True if the document satisfies the filter.
    ///
    /// - Parameters:
    ///   - document: a document.
    ///   - filter: a find filter.
    /// - Returns: whether it does.
    /// - Throws: `Refused` for a filter that a server would reject, or an expression that fails on the document.
    public static func matches(_ document: Document, _ filter: Document) throws -> Bool {
        try MongoJudge().all(filter, .object(document), true)
    }

    private func holds(_ key: String, _ operand: QueryValue, _ value: QueryValue, isRoot: Bool) throws -> Bool {
        switch key {
        case "$and": return try !filters(operand).map { try all($0, value, isRoot) }.contains(false)
        case "$or": return try filters(operand).map { try all($0, value, isRoot) }.contains(true)
        case "$nor": return try !filters(operand).map { try all($0, value, isRoot) }.contains(true)
        case "$comment": return true
        case "$expr":
            guard isRoot else { throw Refused(description: "$expr can only be applied to the top-level document") }
            return try MongoExpression(root: value).isTrue(operand)
        default:
            guard !key.hasPrefix("$") else { throw Refused(description: "unknown top level operator \(key)") }
            return try field(key, operand, value)
        }
    }

    private func all(_ filter: Document, _ value: QueryValue, _ isRoot: Bool) throws -> Bool {
        try !filter.pairs.map { try holds($0.0, $0.1, value, isRoot: isRoot) }.contains(false)
    }

    private func filters(_ operand: QueryValue) throws -> [Document] {
        guard case .list(let elements) = operand, !elements.isEmpty else {
            throw Refused(description: "$and, $or and $nor need a nonempty array")
        }
        return try elements.map {
            guard case .object(let filter) = $0 else { throw Refused(description: "entries need to be full objects") }
            return filter
        }
    }

    private func field(_ path: String, _ operand: QueryValue, _ value: QueryValue) throws -> Bool {
        let found = Found(value, path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
        guard case .object(let operators) = operand, operators.keys.first?.hasPrefix("$") == true else {
            return found.some { MongoOrder.isEqual($0 ?? .null, operand) }
        }
        return try test(operators, found)
    }

    /// Every operator must hold.
    private func test(_ operators: Document, _ found: Found) throws -> Bool {
        try !operators.pairs.map { try test($0.0, $0.1, operators, found) }.contains(false)
    }

    private func test(_ name: String, _ operand: QueryValue, _ all: Document, _ found: Found) throws -> Bool {
        switch name {
        case "$eq": return found.some { MongoOrder.isEqual($0 ?? .null, operand) }
        case "$ne": return !found.some { MongoOrder.isEqual($0 ?? .null, operand) }
        case "$gt", "$gte", "$lt", "$lte": return found.some { MongoOrder.bracketed($0, name, operand) }
        case "$in", "$nin":
            guard case .list(let choices) = operand else { throw Refused(description: "\(name) needs an array") }
            let isIn = found.some { value in choices.contains { MongoOrder.isEqual(value ?? .null, $0) } }
            return isIn == (name == "$in")
        case "$exists": return found.wholes.contains { $0 != nil } == (operand == .bool(true))
        case "$type": return try type(operand, found)
        case "$not":
            guard case .object(let operators) = operand, !operators.isEmpty else {
                throw Refused(description: "$not needs a regex or a document")
            }
            return try !test(operators, found)
        case "$size":
            guard case .int(let size) = operand, size >= 0 else { throw Refused(description: "$size takes a count") }
            return found.wholes.contains { $0?.elements?.count == Int(size) }
        case "$regex":
            guard case .string(let pattern) = operand else { throw Refused(description: "$regex has to be a string") }
            let search = try Search(pattern, all["$options"])
            return try found.values.contains { try search.finds($0) }
        case "$options": return all["$regex"] != nil
        case "$mod": return try found.some(divides(operand))
        case "$elemMatch": return try element(operand, found)
        case "$all":
            guard case .list(let choices) = operand else { throw Refused(description: "$all needs an array") }
            return try !choices.isEmpty
                && choices.allSatisfy { choice in
                    if case .object(let object) = choice, let inner = object["$elemMatch"] {
                        return try element(inner, found)
                    }
                    return found.some { MongoOrder.isEqual($0 ?? .null, choice) }
                }
        default: throw Refused(description: "unknown operator \(name)")
        }
    }

    /// Numbers are truncated before they are divided; a number beyond 64 bits has no remainder.
    private func divides(_ operand: QueryValue) throws -> (QueryValue?) -> Bool {
        guard case .list(let parts) = operand, parts.count == 2, case .int(let divisor) = parts[0],
            case .int(let remainder) = parts[1], divisor != 0
        else { throw Refused(description: "malformed mod") }
        return { value in
            switch value {
            case .int(let number): (divisor == -1 ? 0 : number % divisor) == remainder
            case .double(let number):
                Int64(exactly: number.rounded(.towardZero)).map { (divisor == -1 ? 0 : $0 % divisor) == remainder }
                    ?? false
            default: false
            }
        }
    }

    private func type(_ operand: QueryValue, _ found: Found) throws -> Bool {
        switch operand {
        case "array": return found.wholes.contains { $0?.elements != nil }
        case 10: return found.some { if case .null? = $0 { true } else { false } }
        case "string": return found.some { if case .string? = $0 { true } else { false } }
        case "bool": return found.some { if case .bool? = $0 { true } else { false } }
        case "object": return found.some { if case .object? = $0 { true } else { false } }
        default: throw Refused(description: "the judge does not know this $type")
        }
    }

    private func element(_ operand: QueryValue, _ found: Found) throws -> Bool {
        guard case .object(let inner) = operand else { throw Refused(description: "$elemMatch needs an object") }
        let logical: Set = ["$and", "$or", "$nor"]
        let isOperators = inner.keys.first.map { $0.hasPrefix("$") && !logical.contains($0) } ?? false
        for whole in found.wholes {
            for element in whole?.elements ?? [] {
                if isOperators {
                    if try test(inner, Found(single: element)) { return true }
                } else if case .object = element, try all(inner, element, false) {
                    return true
                } else if case .list(let elements) = element {
                    let keyed = Document(pairs: elements.enumerated().map { ("\($0.offset)", $0.element) })
                    if try all(inner, .object(keyed), false) { return true }
                }
            }
        }
        return false
    }
}

extension QueryValue {
    var elements: [QueryValue]? {
        if case .list(let elements) = self { elements } else { nil }
    }
}

extension Document {
    /// True for `{"$oid": …}`, which represents an ObjectId.
    var isObjectID: Bool { count == 1 && self["$oid"] != nil }

    /// The document as Mongo stores it: with ObjectIds where the schema declares them.
    ///
    /// - Parameter schema: the schema of the row.
    /// - Returns: the document with `{"$oid": …}` for those texts.
    public func storedInMongo(by schema: Schema) -> Document {
        Document(
            pairs: pairs.map { name, value in
                let type = schema.fields.first { $0.storedName == name }?.type ?? .any
                return (name, value.storedInMongo(as: type))
            }
        )
    }
}

extension Document {
    /// True if every date that a schema declares in one form has that form, which the filters assume.
    ///
    /// - Parameter schema: the schema of the row.
    /// - Returns: false for a text, or a number, that is not a date of its field's form.
    public func keepsDateForms(of schema: Schema) -> Bool {
        pairs.allSatisfy { name, value in
            value.keepsDateForms(of: schema.fields.first { $0.storedName == name }?.type ?? .any)
        }
    }
}

extension QueryValue {
    fileprivate func keepsDateForms(of type: FieldType) -> Bool {
        switch (self, type) {
        case (.null, _): true
        case (_, .date(let encoding)): encoding.decode(self) != nil
        case (.list(let elements), .list(let element)): elements.allSatisfy { $0.keepsDateForms(of: element) }
        case (.object(let object), .object(let schema)): object.keepsDateForms(of: schema)
        default: true
        }
    }

    fileprivate func storedInMongo(as type: FieldType) -> QueryValue {
        switch (self, type) {
        case (.string, .objectID): .object(["$oid": self])
        case (.list(let elements), .list(let element)): .list(elements.map { $0.storedInMongo(as: element) })
        case (.object(let object), .object(let schema)): .object(object.storedInMongo(by: schema))
        default: self
        }
    }
}

/// The values that a dotted path finds: values together with the elements of lists, and the values unchanged; nil is
/// missing.
private struct Found {
    var values: [QueryValue?] = []
    var wholes: [QueryValue?] = []

    init(_ value: QueryValue, _ path: [String]) {
        follow(value, path[...])
    }

    /// One value, without looking into it.
    init(single value: QueryValue) {
        values = [value]
        wholes = [value]
    }

    func some(_ test: (QueryValue?) -> Bool) -> Bool { values.contains(where: test) }

    private mutating func follow(_ value: QueryValue, _ path: ArraySlice<String>) {
        guard let key = path.first else {
            wholes.append(value)
            values += (value.elements ?? []).map { $0 }
            values.append(value)
            return
        }
        switch value {
        case .object(let object):
            if let next = object[key] {
                follow(next, path.dropFirst())
            } else {
                miss()
            }
        case .list(let elements):
            for element in elements {
                if case .object = element { follow(element, path) }
            }
            if let position = Int(key), elements.indices.contains(position) {
                follow(elements[position], path.dropFirst())
            }
        default: miss()
        }
    }

    private mutating func miss() {
        values.append(nil)
        wholes.append(nil)
    }
}

/// An unanchored search, built from the library's whole-text matcher.
struct Search {
    private let pattern: RegexPattern

    init(_ text: String, _ options: QueryValue?) throws {
        guard text.utf8.count <= 32_764, !text.utf8.contains(0) else {
            throw MongoJudge.Refused(description: "regular expression is invalid")
        }
        let isCaseless: Bool
        switch options {
        case nil: isCaseless = false
        case "i": isCaseless = true
        default: throw MongoJudge.Refused(description: "invalid flag in regex options")
        }
        pattern = try RegexPattern("[\\s\\S]*(?:\(text))[\\s\\S]*", options: isCaseless ? .caseInsensitive : [])
    }

    func finds(_ value: QueryValue?) throws -> Bool {
        guard case .string(let text)? = value else { return false }
        return try pattern.matches(text)
    }
}
