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

    var created: String {
        guard case .object(let metadata)? = document["_kmd"], case .string(let text)? = metadata["ect"] else {
            return Tick.zero.text
        }
        return text
    }

    /// True for what may be the id of a user: `login` is another path.
    static func isID(_ text: String) -> Bool { EntityID.isValid(text) && text != "login" }

    /// The fields of a body with what the service owns.
    static func document(_ body: Document, id: String, username: String, created: String, changed: String) -> Document {
        let owned = ["_id", "username", "password", "_acl", "_kmd"]
        // All at once: a key that is set alone copies all before it.
        var pairs: [(String, QueryValue)] = [("_id", .string(id)), ("username", .string(username))]
        pairs += body.pairs.filter { !owned.contains($0.0) }
        pairs.append(("_acl", .object(["creator": .string(id)])))
        pairs.append(("_kmd", .object(["ect": .string(created), "lmt": .string(changed)])))
        return Document(pairs: pairs)
    }
}
