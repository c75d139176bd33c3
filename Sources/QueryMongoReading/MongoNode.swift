import QueryMongo
import QueryValues

/// A Mongo JSON value being read, and its position.
struct MongoNode {
    let value: QueryValue
    let place: JSONPlace
    private let span: JSONSpan?
    private let source: SourceText?

    /// The outermost value.
    ///
    /// - Parameters:
    ///   - value: the JSON, with plain numbers.
    ///   - path: the text's name.
    ///   - text: the JSON text, for ranges; nil when there is none.
    init(_ value: QueryValue, path: String = "$", text: String? = nil) {
        self.value = value
        place = .root(path)
        span = text.map { JSONSpan(ofSound: Array($0.utf8)) }
        source = text.map(SourceText.init)
    }

    private init(_ value: QueryValue, _ place: JSONPlace, _ span: JSONSpan?, _ source: SourceText?) {
        self.value = value
        self.place = place
        self.span = span
        self.source = source
    }

    /// The source range of the value, including its key.
    var origin: Origin { span.map { Origin($0.range, in: source) } ?? .none }

    /// The members of an object in order; none of anything else.
    var members: [(key: String, node: MongoNode)] {
        guard case .object(let object) = value else { return [] }
        return zip(object.keys, object.values).enumerated().map { slot, member in
            (member.0, MongoNode(member.1, .key(place, member.0), part(slot), source))
        }
    }

    /// The elements of a list in order; none of anything else.
    var elements: [MongoNode] {
        guard case .list(let elements) = value else { return [] }
        return elements.enumerated().map { MongoNode($1, .index(place, $0), part($0), source) }
    }

    /// The member of a key, or nil.
    func member(_ key: String) -> MongoNode? {
        guard case .object(let object) = value, let slot = object.shape.slot(of: key), slot < object.count else {
            return nil
        }
        return MongoNode(object.values[slot], .key(place, key), part(slot), source)
    }

    private func part(_ slot: Int) -> JSONSpan? {
        guard let span, slot < span.parts.count else { return nil }
        return span.parts[slot]
    }

    /// The keys, if the value is an object whose first key starts with `$`.
    var operators: Document? {
        guard case .object(let object) = value, object.keys.first?.utf8.first == UInt8(ascii: "$") else { return nil }
        return object
    }

    /// An error at this value.
    func error(_ code: QueryError.Code, _ message: String, hint: String? = nil) -> QueryError {
        QueryError(code, message, at: origin, hint: hint).at(path: place.path)
    }

    /// A value of the wrong shape.
    func wrong(_ message: String, hint: String? = nil) -> QueryError { error(.json, message, hint: hint) }

    /// A value that no query can express.
    func unsupported(_ message: String, hint: String? = nil, inRequest: String? = nil) -> QueryError {
        var error = error(.unsupported, message, hint: hint)
        error.requestHint = inRequest
        return error
    }

    /// An error of another component, with this value's position.
    func placed(_ other: QueryError) -> QueryError {
        guard other.path == nil else { return other }
        var error = other
        if error.range == nil || error.source == nil {
            error.range = origin.range
            error.source = origin.source?.text
        }
        // A fix of a predicate's text is none of a filter's.
        error.fix = nil
        return error.at(path: place.path)
    }
}

extension MongoNode {
    /// An object, or an error that says what was expected.
    func object(_ what: String) throws(QueryError) -> Document {
        guard case .object(let object) = value else { throw wrong("\(what) must be an object") }
        return object
    }

    /// A list's elements, or an error that says what was expected.
    func list(_ what: String) throws(QueryError) -> [MongoNode] {
        guard case .list = value else { throw wrong("\(what) must be a list") }
        return elements
    }

    /// A text, or an error that says what was expected.
    func text(_ what: String) throws(QueryError) -> String {
        guard case .string(let text) = value else { throw wrong("\(what) must be a text") }
        return text
    }

    /// A whole number, written with or without a fraction of zero, or an error that says what was expected.
    func whole(_ what: String) throws(QueryError) -> Int64 {
        switch value {
        case .int(let number): return number
        case .double(let number):
            if let number = Int64(exactly: number) { return number }
        case .object where operators?.count == 1:
            if case .int(let number) = try extended().value { return number }
        default: break
        }
        throw wrong("\(what) must be a whole number")
    }

    /// The value with its Extended JSON read: `{"$date":…}` is a date.
    ///
    /// - Throws: `json` for a `$` key that represents no value, and for one with other keys next to it.
    func extended() throws(QueryError) -> MongoNode {
        switch value {
        case .list:
            var values: [QueryValue] = []
            for element in elements { values.append(try element.extended().value) }
            return MongoNode(.list(values), place, span, source)
        case .object(let object):
            guard object.keys.contains(where: { $0.utf8.first == UInt8(ascii: "$") }) else {
                var values: [QueryValue] = []
                for member in members { values.append(try member.node.extended().value) }
                return MongoNode(.object(Document(shape: object.shape, values: values)), place, span, source)
            }
            return MongoNode(try extendedValue(), place, span, source)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return self
        }
    }

    /// The first `{"$oid": …}` in the value.
    var objectID: MongoNode? {
        if member(MongoConstants.objectIDKey) != nil { return self }
        for (_, node) in members {
            if let found = node.objectID { return found }
        }
        for element in elements {
            if let found = element.objectID { return found }
        }
        return nil
    }

    private func extendedValue() throws(QueryError) -> QueryValue {
        guard let member = members.first, members.count == 1, QueryValue.isExtendedJSONKey(member.key) else {
            let key = members.first?.key ?? ""
            if members.count == 1, MongoOperator(rawValue: key) == nil || key == "$regularExpression" {
                throw wrong(QueryValue.refusal(ofExtendedJSONKey: key))
            }
            throw wrong(
                "a value is needed here, and keys that start with $ are operators",
                hint: "a `$` key is a value only on its own, as in {\"$date\": …}"
            )
        }
        let content = try member.node.extended().value
        do throws(QueryError) {
            return try QueryValue.extended(member.key, content)
        } catch {
            throw placed(error)
        }
    }
}
