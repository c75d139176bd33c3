import PredicateQL

extension Checks {
    /// Any bytes give a schema that is written and read as itself, or an error with its JSON path; what a schema lets
    /// through is written in SQL and Mongo, or rejected, and its rows are read or rejected.
    ///
    /// - Parameter bytes: a schema's JSON text; behind a zero byte, a row.
    public static func schema(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(decoding: parts[0], as: UTF8.self)
        let schema: Schema
        do {
            schema = try Schema(jsonSchema: text)
        } catch {
            requireSound(error, in: text)
            require(error.code == .json || error.code == .schema || error.code == .limit, "\(text): \(error)")
            return
        }
        requireSame(schema, text)
        let row = parts.count == 2 ? try? QueryValue(json: Array(parts[1])) : nil
        for field in schema.fields.prefix(4) { requireUse(of: field.name, schema, row, text) }
    }
}

private func requireSame(_ schema: Schema, _ text: String) {
    let written = schema.jsonSchema.json
    do {
        let again = try Schema(jsonSchema: written)
        require(again == schema, "\(text)\nis written \(written)\nwhich is another schema")
    } catch {
        require(error.code == .limit, "\(text)\nis written \(written)\nwhich is no schema: \(error)")
    }
}

/// A field of the schema is tested, in every store, or rejected with a reason.
private func requireUse(of name: String, _ schema: Schema, _ row: QueryValue?, _ text: String) {
    let formats: [(format: String, arguments: [QueryValue])] = [
        ("%K == nil", [.string(name)]), ("%K != nil", [.string(name)]), ("%K == %@", [.string(name), "2"]),
        ("%K > %@", [.string(name), 2]), ("ANY %K IN %@", [.string(name), [1, "a", nil]]),
    ]
    var holds: [String: Bool] = [:]
    for (format, arguments) in formats {
        do {
            let query = try Query(parsing: format, arguments: arguments, schema: schema)
            if case .object(let row)? = row { holds[format] = try query.matches(row) }
            _ = try? query.mongo(now: 0).json
            for storage in [SQLStorage.columns, .document()] {
                guard let statement = try? query.sql(.sqlite, from: SQLTable("t", storage: storage), now: 0) else {
                    continue
                }
                let marks = statement.sql.utf8.count { $0 == UInt8(ascii: "?") }
                require(marks >= statement.bindings.count, "\(text) \(name)\n\(statement.sql)")
            }
        } catch {
            requireSound(error, in: format)
        }
    }
    guard let isNil = holds["%K == nil"], let isNotNil = holds["%K != nil"] else { return }
    require(isNil != isNotNil, "\(text)\n\(name) is nil and is not")
}
