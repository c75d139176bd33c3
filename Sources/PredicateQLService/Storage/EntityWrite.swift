import QueryTree
import QueryValues
import StoreModel

/// One entity to write: checked, and ready to be joined with what only the commit knows.
struct EntityWrite: Sendable {
    enum Kind: Sendable {
        /// Adds an entity; an entity of its id is an error.
        case insert
        /// Adds or replaces an entity.
        case upsert
        /// Removes an entity; none is an error.
        case remove
    }

    var kind: Kind
    var id: String
    /// The content; nil for a removal.
    var body: EntityBody?
    /// The identity of the request; nil if a repeat may have a second effect.
    var key: RequestKey?
    /// The version that must be there; nil for any.
    var match: Match?
    /// True if there must be no entity, or none that may be seen (`If-None-Match: *`).
    var demandsAbsence = false

    /// The condition of `If-Match`.
    enum Match: Sendable {
        /// Some version.
        case any
        /// One of these versions; false if a tag was none.
        case ticks([Tick], areRead: Bool)

        /// Why a write fails; who may not read the entity does not learn from it whether there is one.
        var failure: String {
            switch self {
            case .any: "If-Match demands an entity, and there is none"
            case .ticks(_, true): "the entity has no version that If-Match names"
            case .ticks(_, false):
                "If-Match holds what is no ETag of an entity: that is its _kmd.lmt in quotes, without W/"
            }
        }
    }
}

/// The content of an entity without what the service owns.
struct EntityBody: Sendable {
    /// The members but `_id`, `_acl` and `_kmd`, each followed by a comma, as JSON.
    var members: [UInt8] = []
    /// The `_acl` of the body; nil for none.
    var access: AccessControl?
    /// The members of `_kmd` but those that the service owns.
    var metadata = Document()
    /// When the entity was made and changed, where the app's owner says so.
    var times: (created: Tick?, changed: Tick?)
    /// Where the content holds lists.
    var lists = ListPaths()

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - document: the entity as the client wrote it.
    ///   - isOwner: whether the app's owner wrote it, who may say when it was made and changed.
    /// - Throws: `badRequest` for an `_acl` or `_kmd` of a wrong form, and for what no service stores.
    init(_ document: Document, isOwner: Bool = false) throws(ServiceFault) {
        let writer = JSONWriter()
        var content = document
        for special in ["_id", "_acl", "_kmd"] { content[special] = nil }
        access = try document.accessControl()
        if let inner = try document.ownMetadata() {
            metadata = inner
            if isOwner { times = try document.times() }
            for owned in ["lmt", "ect", "rid", "lrt"] { metadata[owned] = nil }
        }
        for (key, value) in content.pairs {
            JSONWriter.write(string: key, to: &members)
            members.append(UInt8(ascii: ":"))
            writer.write(value, to: &members)
            members.append(UInt8(ascii: ","))
        }
        try content.checkWritable()
        if !metadata.isEmpty { content["_kmd"] = .object(metadata) }
        lists = ListPaths(of: content)
    }

    /// The entity as it is stored.
    func json(id: String, access: AccessControl, created: String, changed: String) -> [UInt8] {
        let writer = JSONWriter()
        var out: [UInt8] = []
        out.reserveCapacity(members.count + 160)
        out.append(contentsOf: #"{"_id":"#.utf8)
        JSONWriter.write(string: id, to: &out)
        out.append(UInt8(ascii: ","))
        out.append(contentsOf: members)
        out.append(contentsOf: #""_acl":"#.utf8)
        writer.write(.object(access.document), to: &out)
        out.append(contentsOf: #","_kmd":"#.utf8)
        var metadata = metadata
        metadata["ect"] = .string(created)
        metadata["lmt"] = .string(changed)
        writer.write(.object(metadata), to: &out)
        out.append(UInt8(ascii: "}"))
        return out
    }
}

extension Document {
    /// Refuses what no service stores, such as a text with a NUL character.
    func checkWritable() throws(ServiceFault) {
        guard let reason = QueryValue.object(self).unwritable(in: .root("")) else { return }
        throw ServiceFault(.badRequest, debug: reason)
    }

    /// The `_acl`; nil if it is absent.
    ///
    /// - Throws: `badRequest` for one of a wrong form.
    func accessControl() throws(ServiceFault) -> AccessControl? {
        switch self["_acl"] {
        case nil, .null?: return nil
        case .object(let inner)?:
            let known = ["creator", "gr", "gw", "r", "w"]
            // Kinvey's other keys grant nothing while they are empty.
            let kinveys = ["groups", "roles"].filter { inner[$0]?.isEmptyThroughout ?? false }
            if let other = ["groups", "roles"].first(where: { inner[$0] != nil && !kinveys.contains($0) }) {
                throw ServiceFault(.badRequest, debug: "_acl.\(other) must be empty: name the users in r and w")
            }
            if let other = inner.keys.first(where: { !(known + kinveys).contains($0) }) {
                throw ServiceFault(.badRequest, debug: "_acl has no key \(other); it has creator, gr, gw, r and w")
            }
            if let access = AccessControl(inner) { return access }
            let debug = "in _acl, gr and gw are true or false, r and w lists of user ids, and creator is one"
            throw ServiceFault(.badRequest, debug: debug)
        default: throw ServiceFault(.badRequest, debug: "_acl must be an object")
        }
    }

    /// The `_kmd`; nil if it is absent.
    func ownMetadata() throws(ServiceFault) -> Document? {
        switch self["_kmd"] {
        case nil, .null?: return nil
        case .object(let metadata)?: return metadata
        default: throw ServiceFault(.badRequest, debug: "_kmd must be an object")
        }
    }

    /// `ect` and `lmt` of `_kmd`.
    ///
    /// - Parameter last: the latest that they may be; nil if that is decided elsewhere.
    /// - Returns: both; nil for one that is absent.
    /// - Throws: `badRequest` for anything but ISO 8601 texts, and for later times.
    func times(until last: Tick? = nil) throws(ServiceFault) -> (created: Tick?, changed: Tick?) {
        guard let metadata = try ownMetadata() else { return (nil, nil) }
        func time(_ key: String) throws(ServiceFault) -> Tick? {
            switch metadata[key] {
            case nil, .null?: return nil
            case .string(let text)?:
                guard let tick = Tick(text) else { fallthrough }
                if let last, tick > last { throw .isLater(key) }
                return tick
            default: throw ServiceFault(.badRequest, debug: "_kmd.\(key) must be ISO 8601 text")
            }
        }
        return try (time("ect"), time("lmt"))
    }
}

extension ServiceFault {
    /// A time that is still to come: what is written after it would get later ones.
    static func isLater(_ key: String) -> ServiceFault {
        ServiceFault(.badRequest, debug: "_kmd.\(key) is later than now")
    }
}

/// What a write did.
struct WriteAnswer: Sendable {
    var status: Int
    /// The entity as it is now; `{"_id":…}` if it is gone, nothing for a removal.
    var entity: [UInt8] = []
    /// The tick of the commit, or of the snapshot for a repeated request.
    var tick: Tick
    /// The tick of the entity, where it is not that of the commit.
    var version: Tick?
    /// True for the answer of an earlier, equal request.
    var isReplayed = false
    /// True if the entity of a repeated request is not there any more.
    var isGone = false
}

/// A removal of what a query finds.
struct FoundRemoval: Sendable {
    /// What was found; a part of it, where it is much.
    var ids: [String]
    /// What was written later stays.
    var until: Tick
    /// True if nothing of the request came before, and nothing comes after.
    var isFirst: Bool
    var isLast: Bool
    /// How many the parts before removed.
    var before: Int
    /// The identity of the request; nil if a repeat may have a second effect.
    var key: RequestKey?
}

/// What a removal by query did.
struct RemovalAnswer: Sendable {
    var count: Int
    var tick: Tick
    /// True for the answer of an earlier, equal request.
    var isReplayed = false
}

extension QueryValue {
    /// True for nil, and for lists and objects of nothing else.
    fileprivate var isEmptyThroughout: Bool {
        switch self {
        case .null: true
        case .list(let elements): elements.isEmpty
        case .object(let inner):
            inner.values.allSatisfy { if case .object = $0 { false } else { $0.isEmptyThroughout } }
        default: false
        }
    }
}

extension Tick {
    /// The latest time of what is moved in: clocks may differ by some minutes.
    static func latest(at now: Int64) -> Tick { Tick(rawValue: now + 300_000) }
}
