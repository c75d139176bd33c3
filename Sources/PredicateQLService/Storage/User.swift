import QueryValues
import StoreModel

/// The hash of a password, with what it cost.
struct PasswordHash: Hashable, Sendable {
    var cost: PasswordCost
    var bytes: [UInt8]

    init(cost: PasswordCost, bytes: [UInt8]) { (self.cost, self.bytes) = (cost, bytes) }

    /// A hash as it is stored: 32 bytes, behind a byte each for N, r and p; nil for none.
    init?(stored: [UInt8]) {
        switch stored.count {
        case 32: self.init(cost: .unnamed, bytes: stored)
        case 35:
            let cost = PasswordCost(logRounds: Int(stored[0]), blockSize: Int(stored[1]), parallelism: Int(stored[2]))
            self.init(cost: cost, bytes: Array(stored[3...]))
        default: return nil
        }
    }

    var stored: [UInt8] {
        [cost.logRounds, cost.blockSize, cost.parallelism].map { UInt8(truncatingIfNeeded: $0) } + bytes
    }
}

extension Document {
    /// A user's document as it is stored; it may be as large as an entity.
    func userJSON(_ limits: ServiceLimits) throws(ServiceFault) -> String {
        try checkWritable()
        let json = QueryValue.object(self).json
        guard json.utf8.count <= limits.entityBytes else {
            throw ServiceFault(.entityTooLarge, debug: "a user has at most \(limits.entityBytes) bytes")
        }
        return json
    }

    /// Refuses an `_acl` of a user that lets others do something, or names another creator than the user.
    func demandOwnAccess(of id: String) throws(ServiceFault) {
        guard let access = try accessControl() else { return }
        guard access.isReadable != true, access.isWritable != true, (access.readers + access.writers).isEmpty else {
            throw ServiceFault(.badRequest, debug: "_acl of a user takes no gr, gw, r and w: it is the user's own")
        }
        guard [nil, id].contains(access.creator) else {
            throw ServiceFault(.badRequest, debug: "_acl.creator of a user is its own _id")
        }
    }
}

/// A user as stored.
struct User: Sendable {
    var id: String
    var username: String
    var salt: [UInt8]
    /// The hash of the password as it is stored; empty for a closed account.
    var hash: [UInt8]
    var document: Document

    /// The hash of the password; nil for a closed account.
    var password: PasswordHash? { PasswordHash(stored: hash) }

    var created: Tick {
        guard case .object(let metadata)? = document["_kmd"], case .string(let text)? = metadata["ect"] else {
            return .zero
        }
        return Tick(text) ?? .zero
    }

    /// True for what may be the id of a user: `login` is another path.
    static func isID(_ text: String) -> Bool { EntityID.isValid(text) && text != "login" }

    /// The fields of a body with what the service owns; a time that is not given is that of now.
    static func document(
        _ body: Document,
        id: String,
        username: String,
        _ times: (created: Tick?, changed: Tick?),
        at now: Int64
    ) -> Document {
        let changed = (times.changed ?? Tick(rawValue: now)).text
        let created = times.created?.text ?? changed
        let owned = ["_id", "username", "password", "_acl", "_kmd"]
        // All at once: a key that is set alone copies all before it.
        var pairs: [(String, QueryValue)] = [("_id", .string(id)), ("username", .string(username))]
        pairs += body.pairs.filter { !owned.contains($0.0) }
        pairs.append(("_acl", .object(["creator": .string(id)])))
        pairs.append(("_kmd", .object(["ect": .string(created), "lmt": .string(changed)])))
        return Document(pairs: pairs)
    }
}
