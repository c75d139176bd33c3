import PredicateQL
import QueryValues
import StoreModel

/// A value that a store keeps: an object of one collection of the service.
///
/// Its properties are fields of the collection; `CodingKeys` give them other names there, which queries use. `_id`,
/// `_acl` and `_kmd` belong to every entity, whether the `CodingKeys` list them or not. Fields that the type does not
/// have survive its saves (W10).
///
///     struct Book: Entity {
///         static let collection = "Book"
///         var _id: String?
///         var _acl: AccessControl?
///         var _kmd: Metadata?
///         var title: String?
///     }
///     Book.schema?.fields.map(\.name)  // → ["_id", "_acl", "_kmd", "title"]
public protocol Entity: Codable, Sendable {
    /// The name of the collection: 1 to 128 letters, digits, `-` and `_`, not beginning with `_`.
    static var collection: String { get }
    /// The fields that queries may name, and what they hold; by default what the type reads, and `_id`, `_acl` and
    /// `_kmd`.
    ///
    /// Constants are converted to the fields' kinds (S2), and a query by another name is an error. With nil, queries
    /// may name any field, and nothing is converted.
    static var schema: Schema? { get }
    /// The id; nil for an entity that was never saved.
    var _id: String? { get set }
    /// Who may read and write it; nil until the service has set it.
    var _acl: AccessControl? { get set }
    /// The times of creation and last change; nil until the service has set them.
    var _kmd: Metadata? { get set }
}

/// An entity whose properties all have initial values, which are used for properties that a stored entity lacks.
///
/// An app can then add a property such as `var isRead = false` and still read earlier entities. Swift synthesizes the
/// initializer of a structure that is not public. Queries see the stored entity: `isRead == NO` does not find one that
/// lacks the property, `isRead != YES` does.
///
///     struct Note: EntityWithDefaults {
///         static let collection = "Note"
///         var _id: String?
///         var _acl: AccessControl?
///         var _kmd: Metadata?
///         var isRead = false
///     }
///     Note().isRead  // → false
public protocol EntityWithDefaults: Entity {
    /// An entity with the initial values.
    init()
}

extension Entity {
    /// The schema: the fields that the type decodes.
    ///
    ///     Novel.schema?.field(named: "year")?.type  // → int
    public static var schema: Schema? { EntitySchema.of(Self.self) }

    /// What queries are checked against: the special fields are known even if the type's own schema leaves them out.
    static var knownSchema: Schema? {
        guard let schema, !schema.allowsOthers else { return schema }
        return EntitySchema.withSpecialFields(schema)
    }
}

/// The schemas that types are read for, each once.
private enum EntitySchema {
    private static let known = Mutex<[ObjectIdentifier: Schema?]>([:])

    private static let special: [Schema.Field] = {
        var access = Schema(of: AccessControl.self)
        var metadata = Schema(of: Metadata.self).inWireForm
        // A service may write more there.
        (access.allowsOthers, metadata.allowsOthers) = (true, true)
        return [.field("_id", .string), .field("_acl", .object(access)), .field("_kmd", .object(metadata))]
    }()

    /// What a type reads; nil if it reads nothing of its own.
    static func of<Value: Entity>(_ type: Value.Type) -> Schema? {
        if let schema = known.withLock({ $0[ObjectIdentifier(type)] }) { return schema }
        // Not under the lock: the type's own code runs, and may ask for another type's schema.
        let own = Schema(of: type).inWireForm
        let names = own.fields.map(\.storedName)
        let isOpen = own.allowsOthers || names.allSatisfy { name in special.contains { $0.storedName == name } }
        let schema = isOpen ? nil : withSpecialFields(own)
        known.withLock { $0[ObjectIdentifier(type)] = .some(schema) }
        return schema
    }

    static func withSpecialFields(_ schema: Schema) -> Schema {
        var schema = schema
        let others = schema.fields.filter { field in !special.contains { $0.storedName == field.storedName } }
        schema.fields = special + others
        schema.index()
        return schema
    }
}

extension Schema {
    /// The fields as the wire holds them: dates are texts there.
    fileprivate var inWireForm: Schema {
        mapKinds { kind in if case .date = kind { .date(.iso8601) } else { kind } }
    }
}
