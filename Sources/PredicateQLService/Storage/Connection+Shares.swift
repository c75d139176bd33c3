import PredicateQL
import QueryTree
import QueryValues
import StoreModel

/// Who may read what, as rows: `u` and the id of a user whom an entity is shared with, `*` for one that everybody may
/// read, `!` for one that only those may read who are named, `+` for one whose `gw` says something.
extension AccessControl {
    fileprivate var shares: Set<String> {
        var shares = Set((readers + writers).map { "u" + $0 })
        switch isReadable {
        case true?: shares.insert("*")
        case false?:
            shares.insert("!")
            if let creator { shares.insert("u" + creator) }
        case nil: break
        }
        if isWritable != nil { shares.insert("+") }
        return shares
    }
}

extension Connection {
    /// Keeps whom an entity is shared with, in place of what was kept.
    func share(_ id: String, _ access: AccessControl, in collection: Int64) throws(QueryError) {
        try run("DELETE FROM share WHERE n = ? AND id = ?", [.int(collection), .string(id)])
        for who in access.shares {
            try run("INSERT INTO share VALUES (?, ?, ?)", [.int(collection), .string(who), .string(id)])
        }
    }

    /// Those of some collections in which something is shared; in a database of before that is looked up, once.
    func sharing(_ collections: [Int64]) throws(QueryError) -> Set<Int64> {
        if try Tables.value("shares", self) == nil {
            let says = ["gr", "gw", "r", "w"].map { "json_extract(doc, '$._acl.\($0)') IS NOT NULL" }
            for number in collections {
                let rows = try database.rows(
                    "SELECT id, json_extract(doc, '$._acl') AS acl FROM e\(number) WHERE \(says.joined(separator: " OR "))"
                )
                for row in rows {
                    guard case .string(let id)? = row["id"], case .string(let text)? = row["acl"],
                        case .object(let acl) = try QueryValue(json: text), let access = AccessControl(acl)
                    else { continue }
                    try share(id, access, in: number)
                }
            }
            try Tables.set("shares", "1", self)
        }
        let rows = try database.rows("SELECT DISTINCT n FROM share")
        return Set(rows.compactMap { if case .int(let number)? = $0["n"] { number } else { nil } })
    }

    /// What a caller may do in a collection, as this snapshot shows it.
    ///
    /// The snapshot's tick has been read before: then nothing in it is shared that is not known to be.
    func access(of caller: Caller, in collection: Collection) throws(ServiceFault) -> Access {
        var access = Access(rights: collection.rights, caller: caller, hasShares: collection.listPaths.hasShares)
        guard access.hasShares, caller.identity != .master, collection.rights != .closed else { return access }
        let number = QueryValue.int(collection.number)
        let own = QueryValue.string(caller.user.map { "u" + $0 } ?? "*")
        var sql = "SELECT DISTINCT id FROM share WHERE n = ? AND who IN ('*', ?) LIMIT ?"
        var bindings = [number, own]
        if access.readsByDefault {
            sql =
                "SELECT id FROM share s WHERE n = ? AND who = '!' AND NOT EXISTS "
                + "(SELECT 1 FROM share o WHERE o.n = s.n AND o.who = ? AND o.id = s.id) LIMIT ?"
        }
        bindings.append(.int(Int64(Self.mostShares + 1)))
        let ids = try faults { () throws(QueryError) in try list(sql, bindings) { $0.string(at: 0) } }
        if ids.count <= Self.mostShares { access.exceptions = ids }
        return access
    }

    /// More are looked at entity by entity.
    private static let mostShares = 500
}
