import PredicateQL
import StoreModel

/// Who sends a request.
struct Caller: Hashable, Sendable {
    enum Identity: Hashable, Sendable {
        /// Anyone with the app's key and secret.
        case app
        /// A user who is logged in, by id.
        case user(String)
        /// The app's owner.
        case master
    }

    var app: String
    var identity: Identity

    /// The user's id; nil for others.
    var user: String? {
        if case .user(let id) = identity { id } else { nil }
    }

    /// What identifies a caller where work is shared out: a user, or without one the address.
    func sender(at address: String) -> String { user.map { "u\(app)/\($0)" } ?? "a\(app)/\(address)" }

    /// A text that differs between callers who may see different things.
    var fingerprint: String {
        switch identity {
        case .app: "a"
        case .master: "m"
        case .user(let id): "u" + id
        }
    }
}

/// What a caller may do in a collection: the same rule as a decision about one entity and as a condition of a query.
struct Access: Hashable, Sendable {
    var rights: CollectionRights
    var caller: Caller
    /// False if no entity's `_acl` says more than who made it.
    var hasShares = true
    /// The entities that the caller may read besides his own, or may not where everybody may by default; nil if they
    /// are too many to be named.
    var exceptions: [String]?

    private var isMaster: Bool { caller.identity == .master }

    /// True if the caller may add entities.
    var canInsert: Bool {
        switch rights {
        case .public: true
        case .shared, .private: isMaster || caller.user != nil
        case .closed: isMaster
        }
    }

    /// True if an entity may be read whose own `_acl` does not say `gr`.
    var readsByDefault: Bool {
        switch rights {
        case .public: true
        case .shared: caller.user != nil
        case .private, .closed: false
        }
    }

    /// True if an entity may be written whose own `_acl` does not say `gw`.
    private var writesByDefault: Bool {
        switch rights {
        case .public: true
        case .shared, .private, .closed: false
        }
    }

    /// True if the caller may read an entity.
    func canRead(_ access: AccessControl) -> Bool {
        if isMaster { return true }
        if rights == .closed { return false }
        if access.isReadable ?? readsByDefault { return true }
        return caller.user.map { access.creator == $0 || access.readers.contains($0) || access.writers.contains($0) }
            ?? false
    }

    /// True if the caller may write an entity.
    func canWrite(_ access: AccessControl) -> Bool {
        if isMaster { return true }
        if rights == .closed || caller.user == nil && rights != .public { return false }
        if access.isWritable ?? writesByDefault { return true }
        return caller.user.map { access.creator == $0 || access.writers.contains($0) } ?? false
    }

    /// True if the caller may change an entity's `_acl`: its creator, those it names as writers, and the owner.
    func canShare(_ access: AccessControl) -> Bool {
        if isMaster { return true }
        return caller.user.map { access.creator == $0 || access.writers.contains($0) } ?? false
    }

    /// The entities that the caller may read; nil for all.
    var readable: Condition? {
        if isMaster { return nil }
        if rights == .closed { return .never }
        guard hasShares, let exceptions else { return condition("gr", byDefault: readsByDefault, users: ["r", "w"]) }
        let named = exceptions.isEmpty ? nil : Field("_id").in(.list(exceptions.map(QueryValue.string)))
        if readsByDefault { return named.map { !$0 } }
        let own = caller.user.map { Field("_acl.creator") == $0 }
        guard let named else { return own ?? .never }
        return own.map { $0 || named } ?? named
    }

    /// The entities that the caller may read and write; nil for all.
    var writable: Condition? {
        if isMaster { return nil }
        if rights == .closed || caller.user == nil && rights != .public { return .never }
        guard let written = condition("gw", byDefault: writesByDefault, users: ["w"]) else { return readable }
        return readable.map { $0 == written ? written : $0 && written } ?? written
    }

    /// Nil for all entities.
    private func condition(_ flag: String, byDefault: Bool, users: [String]) -> Condition? {
        if !hasShares {
            if byDefault { return nil }
            return caller.user.map { Field("_acl.creator") == $0 } ?? .never
        }
        let says = Field("_acl.\(flag)")
        var condition = byDefault ? !(says == false) : says == true
        if let user = caller.user {
            condition = condition || Field("_acl.creator") == user
            for key in users { condition = condition || Field("_acl.\(key)").any == user }
        }
        return condition
    }
}

extension Access {
    /// The entities of one user in a collection whose entities are everybody's own.
    static var ownEntities: Query { Query(Field("_acl.creator") == "") }
}

extension Condition {
    /// Finds nothing.
    static var never: Condition { .constant(false) }
}
