import QueryValues

/// Who may read and write an entity: its `_acl`.
///
/// Parts that are nil use the collection's default; see `CollectionRights`.
///
///     var access = AccessControl(creator: "ann")
///     access.readers = ["bob"]
///     QueryValue.object(access.document).json  // → {"creator":"ann","r":["bob"]}
public struct AccessControl: Hashable, Sendable {
    /// The id of the user who created the entity; nil if no user did.
    public var creator: String?
    /// True if everybody may read it (`gr`); nil for the collection's default.
    public var isReadable: Bool?
    /// True if everybody may write it (`gw`); nil for the collection's default.
    public var isWritable: Bool?
    /// Users who may read it besides the creator (`r`).
    public var readers: [String]
    /// Users who may read and write it besides the creator (`w`).
    public var writers: [String]

    /// The access control of a new entity.
    ///
    ///     AccessControl(creator: "ann").writers  // → []
    ///
    /// - Parameter creator: the id of the user who creates it.
    public init(creator: String? = nil) {
        self.creator = creator
        isReadable = nil
        isWritable = nil
        readers = []
        writers = []
    }

    /// Reads the value of `_acl`; nil if a part has the wrong kind.
    ///
    ///     AccessControl(["creator": "ann", "gr": true])?.isReadable  // → true
    ///     AccessControl(["r": "bob"]) == nil  // → true
    ///
    /// - Parameter document: the object; keys other than the five are ignored.
    public init?(_ document: Document) {
        func flag(_ key: String) -> Bool?? {
            switch document[key] {
            case nil, .null?: .some(nil)
            case .bool(let flag)?: flag
            default: nil
            }
        }
        func users(_ key: String) -> [String]? {
            switch document[key] {
            case nil, .null?: return []
            case .list(let values)?:
                let names = values.compactMap { value -> String? in
                    if case .string(let name) = value { name } else { nil }
                }
                return names.count == values.count ? names : nil
            default: return nil
            }
        }
        switch document["creator"] {
        case nil, .null?: creator = nil
        case .string(let name)?: creator = name
        default: return nil
        }
        guard let isReadable = flag("gr"), let isWritable = flag("gw"), let readers = users("r"),
            let writers = users("w")
        else { return nil }
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.readers = readers
        self.writers = writers
    }

    /// True if only the collection's default and the creator decide.
    package var isPlain: Bool {
        isReadable == nil && isWritable == nil && readers.isEmpty && writers.isEmpty
    }

    /// The value of `_acl`, without keys that are nil or empty.
    public var document: Document {
        var document = Document()
        document["creator"] = creator.map(QueryValue.string)
        document["gr"] = isReadable.map(QueryValue.bool)
        document["gw"] = isWritable.map(QueryValue.bool)
        if !readers.isEmpty { document["r"] = .list(readers.map(QueryValue.string)) }
        if !writers.isEmpty { document["w"] = .list(writers.map(QueryValue.string)) }
        return document
    }
}

/// Who may read and write the entities of a collection that do not override it in `_acl`.
///
///     CollectionRights(rawValue: "shared")  // → shared
public enum CollectionRights: String, Hashable, Sendable, CaseIterable {
    /// Everybody with the app's key reads and writes.
    case `public`
    /// Users read everything and write their own; the default.
    case shared
    /// Users read and write their own.
    case `private`
    /// Only the master secret reads and writes.
    case closed
}
