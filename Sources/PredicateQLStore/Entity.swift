import PredicateQL
import StoreModel

/// A value that a store keeps: an object of one collection of the service.
///
/// Its properties are those of the collection; `CodingKeys` give them other names there. `_id`, `_acl` and `_kmd` belong
/// to every entity. What the type does not know of an entity survives its saves (W10).
///
///     struct Book: Entity {
///         static let collection = "Book"
///         var _id: String?
///         var _acl: AccessControl?
///         var _kmd: Metadata?
///         var title: String?
///     }
///     Book.schema == nil  // → true
public protocol Entity: Codable, Sendable {
    /// The name of the collection: 1 to 128 letters, digits, `-` and `_`, not beginning with `_`.
    static var collection: String { get }
    /// What is known of the fields, for shorter filters; nil by default.
    static var schema: Schema? { get }
    /// The id; nil for an entity that was never saved.
    var _id: String? { get set }
    /// Who may read and write it; nil until the service says so.
    var _acl: AccessControl? { get set }
    /// When it was made and changed; nil until the service says so.
    var _kmd: Metadata? { get set }
}

extension Entity {
    /// Nothing is known of the fields.
    ///
    ///     Novel.schema == nil  // → true
    public static var schema: Schema? { nil }
}
