import PredicateQL
import StoreModel

/// The form that the protocol specifies for the response to a request; pure.
///
/// Something else may respond instead of the service: a captive portal with 200 to everything, a gateway with 404. Such
/// a response acknowledges nothing and refuses nothing.
enum AnswerShape: Hashable, Sendable {
    /// The entity with an id.
    case entity(id: String)
    /// A list of entities.
    case entities
    /// A list of objects.
    case groups
    /// The number of entities that were found or removed.
    case count
    /// The lists of a delta.
    case changes
    /// The entities that were added, null where one was not, and the errors.
    case additions
    /// A user with a token.
    case user
    /// The service's description of its app.
    case greeting
    /// Nothing, with status 204.
    case nothing

    /// What was expected, for people.
    fileprivate var name: String {
        switch self {
        case .entity(let id): "the entity \(id)"
        case .entities: "a list of entities"
        case .groups: "a list of groups"
        case .count: "a count"
        case .changes: "a delta"
        case .additions: "entities and errors"
        case .user: "a user with a token"
        case .greeting: "a data service's greeting"
        case .nothing: "no body"
        }
    }

    /// True if the body of a response that is not an error has this form.
    fileprivate func fits(_ response: WireResponse) -> Bool {
        switch self {
        // The entities of a page are read one by one, and once.
        case .entities: return Self.isListOfObjects(response.body)
        case .user: return User(response) != nil
        case .nothing: return response.status == 204 && response.body.isEmpty
        case .entity, .groups, .count, .changes, .additions, .greeting:
            guard let value = try? QueryValue(json: response.body) else { return false }
            return fits(value)
        }
    }

    private func fits(_ value: QueryValue) -> Bool {
        switch self {
        case .entity(let id): return Self.id(of: value)?.hasSameUTF8(as: id) ?? false
        case .groups: return Self.list(value)?.allSatisfy { Self.object($0) != nil } ?? false
        case .count:
            guard case .int(let count)? = Self.object(value)?["count"] else { return false }
            return count >= 0
        case .changes:
            guard let delta = Self.object(value), let changed = Self.list(delta["changed"]),
                let deleted = Self.list(delta["deleted"])
            else { return false }
            return (changed + deleted + (Self.list(delta["left"]) ?? [])).allSatisfy { Self.id(of: $0) != nil }
        case .additions:
            guard let entities = Self.list(Self.object(value)?["entities"]) else { return false }
            return entities.allSatisfy { $0 == .null || Self.id(of: $0) != nil }
        case .greeting:
            if case .string? = Self.object(value)?["kinvey"] { return true }
            return false
        case .entities, .user, .nothing: return false
        }
    }

    private static func object(_ value: QueryValue?) -> Document? {
        if case .object(let document)? = value { document } else { nil }
    }

    private static func list(_ value: QueryValue?) -> [QueryValue]? {
        if case .list(let values)? = value { values } else { nil }
    }

    private static func id(of value: QueryValue) -> String? {
        if case .string(let id)? = object(value)?["_id"] { id } else { nil }
    }

    private static func isListOfObjects(_ json: [UInt8]) -> Bool {
        var elements = JSONArrayReader(ByteStream(bytes: json))
        do throws(QueryError) {
            while let isObject = try elements.next({ (text, _) throws(QueryError) in text.first == UInt8(ascii: "{") })
            {
                guard isObject else { return false }
            }
            return true
        } catch {
            return false
        }
    }
}

extension WireResponse {
    /// The reason why a response is not the service's; nil for one that follows the protocol.
    ///
    /// - Parameter shape: the form of an answer that is no error.
    /// - Returns: the answer as an error, with its own status and `Retry-After`.
    func foreign(to shape: AnswerShape) -> ServiceFault? {
        if !isJSON { return shape == .nothing && shape.fits(self) ? nil : foreign("JSON was expected") }
        if (200...299).contains(status) { return shape.fits(self) ? nil : foreign("\(shape.name) was expected") }
        return isError ? nil : foreign("an error was expected")
    }
}
