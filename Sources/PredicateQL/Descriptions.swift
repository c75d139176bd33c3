import QueryMongo
import QuerySQL
import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What `print` shows of queries and of what they become.

extension SortKey: CustomStringConvertible {
    /// The path, with a minus before it for descending order and its options after it.
    ///
    ///     print(SortKey("name", ascending: false, options: .caseInsensitive))  // -name[c]
    public var description: String {
        // A field whose name looks like a key with options is written with escapes.
        let read = SortKey(stringLiteral: path.dotted)
        let isPlain = read.path.keys.hasSameUTF8(as: path.keys) && (read.mistake == nil || mistake != nil)
        let name = isPlain ? path.dotted : GroupKey(path).written.text
        return (isAscending ? "" : "-") + name + (options.isEmpty ? "" : "[\(options.text)]")
    }
}

extension Field: CustomStringConvertible {
    /// The canonical text, as in ``Condition/format``.
    ///
    ///     print(Field("price") * 2)  // price * 2
    public var description: String { GroupKey(term, as: nil).written.text }
}

extension Schema: CustomStringConvertible {
    /// The text of ``jsonSchema``.
    ///
    ///     print(Schema([.field("age", .int)]))  // {"type":"object","properties":{"age":{"type":"integer"}}}
    public var description: String { jsonSchema.json }
}

extension SQLDialect: CustomStringConvertible {
    /// The name of a dialect that is built in.
    ///
    ///     print(SQLDialect.postgresql)  // SQLDialect.postgresql
    public var description: String {
        let known: [(String, SQLDialect)] = [("sqlite", .sqlite), ("postgresql", .postgresql), ("duckDB", .duckDB)]
        return "SQLDialect" + (known.first { $0.1 == self }.map { "." + $0.0 } ?? "")
    }
}

extension FieldPath: CustomStringConvertible {
    /// The keys with dots between them.
    ///
    ///     print(FieldPath("address.state"))  // address.state
    public var description: String { dotted }
}

extension Reducer: CustomStringConvertible {
    /// The operation, what it reads, and its own name.
    ///
    ///     print(Reducer.average("population"))  // average(population)
    public var description: String {
        if kind == .custom { return name }
        let written = (kind == .average ? "average" : kind.rawValue) + (value.map { "(\($0))" } ?? "")
        return alias.map { written + " as " + $0 } ?? written
    }
}

extension Grouping: CustomStringConvertible {
    /// The query, the keys, and what is computed.
    ///
    ///     print(Query(limit: 3).grouped(by: "state", computing: [.count]))
    ///     // TRUEPREDICATE; limit: 3; by: state; computing: count
    public var description: String {
        var parts = ["\(query)"]
        if !keys.isEmpty { parts.append("by: " + keys.map { "\($0)" }.joined(separator: ", ")) }
        parts.append("computing: " + reducers.map { "\($0)" }.joined(separator: ", "))
        if let having { parts.append("having: \(having)") }
        return parts.joined(separator: "; ")
    }
}

extension SQLQuery: CustomStringConvertible {
    /// The statement, with its bindings in a comment after it.
    ///
    ///     print(try Query(format: "state == 'MA'").sqlCount(from: "cities"))
    ///     // SELECT count(*) FROM "cities" WHERE "cities"."state" = ? -- ["MA"]
    public var description: String { bindings.isEmpty ? sql : sql + " -- " + QueryValue.list(bindings).json }
}

extension MongoQuery: CustomStringConvertible {
    /// The parts that are set, as ``json`` has them.
    ///
    ///     print(try Query(format: "age > 21").mongo())  // {"filter":{"age":{"$gt":21}}}
    public var description: String { json }
}

extension MongoPipeline: CustomStringConvertible {
    /// The stages, as ``json`` has them.
    ///
    ///     print(try Query(format: "age > 21").mongoPipeline())  // {"pipeline":[{"$match":{"age":{"$gt":21}}}]}
    public var description: String { json }
}

extension RESTRequest: CustomStringConvertible {
    /// The method and the URL behind that of a collection, with a body behind it.
    ///
    ///     print(try Query(limit: 5).rest())  // GET ?query=%7B%7D&limit=5
    public var description: String {
        let line = method.rawValue + " " + url(of: "")
        return bodyText.map { line + " " + $0 } ?? line
    }
}

extension QueryError: LocalizedError {
    /// The message as a sentence, for the title of an alert.
    ///
    ///     Query.problems(inFormat: #"name STARTSWITH "a""#)[0].localizedDescription
    ///     // → There is no operator `STARTSWITH`.
    ///
    /// Where a row is at fault, it is named by its index from 0.
    public var errorDescription: String? {
        let mark = "documents["
        guard message.hasPrefix(mark), let end = message.firstIndex(of: "]") else { return Sentence(message).text }
        let (index, rest) = (message[..<end].dropFirst(mark.count), message[end...].dropFirst())
        return Sentence("row at index " + index + rest).text
    }

    /// The hint as a sentence.
    ///
    ///     Query.problems(inFormat: #"name STARTSWITH "a""#)[0].recoverySuggestion  // → Did you mean BEGINSWITH?
    public var recoverySuggestion: String? { hint.map { Sentence($0).text } }
}

/// A message as people read it in an alert: with a capital letter and a full stop.
package struct Sentence {
    package let text: String

    package init(_ message: String) {
        let end = message.last.map { ".?!".contains($0) } ?? true
        text = message.prefix(1).uppercased() + message.dropFirst() + (end ? "" : ".")
    }
}
