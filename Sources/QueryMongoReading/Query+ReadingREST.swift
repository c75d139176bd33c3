import QueryMongo
import QueryParsing
import QueryTree
import QueryValues

extension Query {
    /// Reads the parameters of a request for documents back: `query` or `format`, `sort`, `fields`, `skip` and `limit`.
    ///
    ///     let items: [RESTRequest.Item] = [.init("query", #"{"age":{"$gt":21}}"#), .init("sort", #"{"name":-1}"#)]
    ///     let query = try Query(rest: items)
    ///     query.format  // → ANY age > 21
    ///     query.order  // → [-name]
    ///     try Query(rest: [.init("limit", "many")])  // throws argument
    ///
    /// `format` is a condition in this library's own language, `query` a find filter, whose `$maxDistance` next to
    /// `$nearSphere` is in miles; `sort` is an object of 1 and -1 or names separated by commas, descending with a minus;
    /// `fields` are stored names separated by commas, `skip` and `limit` whole numbers. A limit of 0 means no documents
    /// (S21), where Mongo itself would give all.
    ///
    /// - Parameters:
    ///   - items: unescaped names and values, in any order.
    ///   - assumptions: what is known about paths; nil to assume single values.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds; stored names become property names, and the query is checked against it.
    ///   - limits: bounds on each value, its depth and its lists.
    /// - Throws: `QueryError` whose path begins with the item's name: `argument` for an unknown or repeated item and for
    ///   what is not a number, else what ``init(mongo:sort:projection:skip:limit:assuming:nilMeaning:schema:limits:)``
    ///   throws.
    /// - Complexity: linear in the items.
    public init(
        rest items: [RESTRequest.Item],
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        self = try RESTParameters(items, limits).reading(
            assuming: assumptions,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        ).query
    }

    /// Reads the same parameters from a JSON body, for queries that are too long for a URL.
    ///
    ///     try Query(rest: ["query": .object(["name": "Jo"]), "fields": ["name"], "limit": 20])  // → ANY name == "Jo"
    ///     try Query(rest: ["format": "age > 21 AND name BEGINSWITH 'J'"])  // → age > 21 AND name BEGINSWITH "J"
    ///
    /// `format` is a condition in this library's own language, in place of `query`; `fields` may also be a list.
    ///
    /// - Parameters:
    ///   - body: the object.
    ///   - assumptions: what is known about paths of `query`; nil to assume single values.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds; stored names become property names, and the query is checked against it.
    ///   - limits: bounds on texts, depth and lists.
    /// - Throws: as ``init(rest:assuming:nilMeaning:schema:limits:)-([RESTRequest.Item],_,_,_,_)``; an error in `format`
    ///   has its range in that text.
    /// - Complexity: linear in the size of the body.
    public init(
        rest body: Document,
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        self = try RESTParameters(body, limits).reading(
            assuming: assumptions,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        ).query
    }
}

/// The parameters of a request for documents.
///
///     let parameters = try RESTParameters([.init("query", #"{"age":{"$gt":21}}"#)])
///     try parameters.reading(assuming: nil).query.format  // → age > 21
///     try parameters.reading(assuming: []).query.format  // → ANY age > 21
package struct RESTParameters: Sendable {
    private var filter = MongoNode(.object([:]), path: "query")
    /// A condition in the library's language.
    private var format: String?
    private var parts = MongoQueryParts()

    /// The parameters of a URL.
    ///
    /// - Parameters:
    ///   - items: unescaped names and values, in any order.
    ///   - limits: bounds on each value, its depth and its lists.
    /// - Throws: `QueryError` whose path begins with the item's name.
    package init(_ items: [RESTRequest.Item], _ limits: Limits = .default) throws(QueryError) {
        var seen: Set<UTF8Key> = []
        for item in items {
            guard seen.insert(UTF8Key(item.name)).inserted else {
                throw QueryError(.argument, "the parameter is given twice", path: item.name)
            }
            switch item.name {
            case "query":
                filter = try MongoNode(reading: item.value, path: item.name, limits) {
                    try? MongoReading(of: $0, assuming: nil, limits: limits).query
                }
            case "format": format = item.value
            case "sort": parts.sort = try Self.sort(item.value, limits)
            case "fields": parts.projection = try Self.fields(item.value)
            case "skip": parts.skip = try Self.count(item)
            case "limit": parts.limit = try Self.count(item)
            default: throw Self.unknown(item.name, "query or format, sort, fields, skip, limit")
            }
        }
        try demandOne(items.contains { $0.name == "query" })
    }

    private func demandOne(_ hasFilter: Bool) throws(QueryError) {
        if format != nil, hasFilter {
            throw QueryError(.argument, "a filter and a format exclude each other", path: "format")
        }
    }

    /// The parameters of a body.
    ///
    /// - Parameters:
    ///   - body: the object.
    ///   - limits: bounds on texts, depth and lists.
    /// - Throws: `QueryError` whose path begins with the member's name.
    package init(_ body: Document, _ limits: Limits = .default) throws(QueryError) {
        for (name, node) in try Self.members(body, limits) {
            switch name {
            case "query":
                if case .string(let text) = node.value {
                    let hint = MongoNode.filter(of: text).map { "give it as format, in place of query; " + $0 }
                    throw node.wrong("a filter must be an object", hint: hint)
                }
                filter = node
            case "format": format = try node.text(name)
            case "sort": parts.sort = try Self.sort(node, limits)
            case "fields": parts.projection = try Self.fields(node)
            case "skip": parts.skip = try node.count(name)
            case "limit": parts.limit = try node.count(name)
            default: throw Self.unknown(name, "query or format, sort, fields, skip, limit")
            }
        }
        try demandOne(body["query"] != nil)
    }

    /// The query of the parameters, and what reading it assumed.
    ///
    /// - Parameters:
    ///   - assumptions: what is known about paths; nil to assume single values and to list them.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds.
    ///   - limits: bounds on depth and lists.
    ///   - distances: what becomes of the order of `$nearSphere`.
    /// - Returns: the reading; a condition in the library's language assumes nothing.
    /// - Throws: `QueryError` whose path begins with the name of the parameter.
    package func reading(
        assuming assumptions: [Assumption]?,
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default,
        distances: MongoReading.DistanceOrder = .given
    ) throws(QueryError) -> MongoReading {
        guard let format else {
            let distances = MongoReading.Distances(metres: Self.metresOfMile, order: distances)
            return try MongoReading(filter, parts, assumptions, nilMeaning, schema, limits, distances)
        }
        var query = try Self.text("format") { () throws(QueryError) in
            try Query(parsing: format, nilMeaning: nilMeaning ?? .nullOrAbsent, schema: schema, limits: limits)
        }
        let known = MongoKnowledge(assuming: [], nilMeaning: query.nilMeaning, schema: schema, limits: limits)
        try parts.complete(&query, FilterReader(known))
        return try MongoReading(query: Self.named("format") { () throws(QueryError) in try query.checked() })
    }

    /// Kinvey measures distances to a pair of coordinates in miles.
    private static let metresOfMile = 1_609.344

    /// The members of a body, each under its own name.
    static func members(_ body: Document, _ limits: Limits) throws(QueryError) -> [(name: String, node: MongoNode)] {
        guard QueryValue.object(body).isShallow(limits.jsonDepth) else {
            throw QueryError(.limit, "the body is nested deeper than \(limits.jsonDepth) levels", path: "$")
        }
        return body.pairs.map { ($0, MongoNode($1.withPlainNumbers, path: $0)) }
    }

    static func unknown(_ name: String, _ known: String) -> QueryError {
        QueryError(.argument, "unknown parameter", path: name, hint: "known: " + known)
    }

    /// The error of a text inside a body names that text.
    static func named<Value>(
        _ name: String,
        _ read: () throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        do throws(QueryError) {
            return try read()
        } catch {
            throw error.path == nil ? error.at(path: name) : error
        }
    }

    /// The same of a text in the library's language; a request has no arguments for its placeholders.
    static func text<Value>(
        _ name: String,
        _ read: () throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        try named(name) { () throws(QueryError) in
            do throws(QueryError) {
                return try read()
            } catch {
                var error = error
                if error.code == .argument { error.hint = "a request takes no arguments: write the value in the text" }
                throw error
            }
        }
    }

    /// An order: an object, its text, or the name of one field.
    static func sort(_ node: MongoNode, _ limits: Limits) throws(QueryError) -> MongoNode {
        if case .string(let text) = node.value { try sort(text, limits) } else { node }
    }

    private static func sort(_ text: String, _ limits: Limits) throws(QueryError) -> MongoNode {
        let first = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return try MongoNode(reading: text, path: "sort", limits)
        }
        var names: Set<UTF8Key> = []
        var pairs: [(String, QueryValue)] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let part = Self.trimmed(part)
            let isDescending = part.first == UInt8(ascii: "-")
            let name = String(decoding: isDescending ? part.dropFirst() : part, as: UTF8.self)
            if name.hasSuffix("]") || namesDirection(name, isFirst: pairs.isEmpty) {
                let written = QueryValue.object([name: 1]).json
                throw QueryError(
                    .unsupported,
                    "a name in sort takes no options, no plus and no direction after it: \(name)",
                    hint: name.hasSuffix("]")
                        ? "this request sorts texts as they are: keep a field in small letters and sort by that"
                        : "a minus sorts descending: sort=-year,title; a field with such a name is written as \(written)"
                ).at(path: "sort")
            }
            if name.isEmpty {
                throw QueryError(
                    .json,
                    "a name in sort is empty",
                    hint: "write names separated by commas: sort=-year,title; without a sort leave it out"
                ).at(path: "sort")
            }
            guard names.insert(UTF8Key(name)).inserted else {
                throw QueryError(
                    .json,
                    "the name \(name) occurs twice in sort",
                    hint: "a row is sorted by its first place"
                )
                .at(path: "sort")
            }
            pairs.append((name, .int(isDescending ? -1 : 1)))
        }
        return MongoNode(.object(Document(pairs: pairs)), path: "sort")
    }

    /// True for `+title`, `title desc` and `title:desc`, and for `desc` behind another name.
    private static func namesDirection(_ name: String, isFirst: Bool) -> Bool {
        if name.hasPrefix("+") { return true }
        let parts = name.split { $0 == " " || $0 == ":" }
        guard let last = parts.last, parts.count > 1 || !isFirst else { return false }
        let words = ["asc", "desc", "ascending", "descending"] + (name.contains(":") ? ["1", "-1"] : [])
        return words.contains(last.lowercased())
    }

    /// Without the spaces at both ends.
    private static func trimmed(_ part: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") }
        var part = part.drop(while: isSpace)
        while let last = part.last, isSpace(last) { part.removeLast() }
        return part
    }

    private static func fields(_ node: MongoNode) throws(QueryError) -> MongoNode {
        guard case .list = node.value else { return try fields(node.text("fields")) }
        return projection(try node.elements.map { (name) throws(QueryError) in try name.text("a field") })
    }

    private static func fields(_ text: String) throws(QueryError) -> MongoNode {
        if let first = text.utf8.first, "{[-".utf8.contains(first) {
            throw QueryError(
                .unsupported,
                "fields are names, separated by commas",
                hint: "write fields=title,year; other fields are left out"
            ).at(path: "fields")
        }
        let names = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(Substring(trimmed($0))) }
        if let term = names.first(where: isTerm) {
            throw QueryError(
                .unsupported,
                "fields are shown as they are stored, not computed: \(term)",
                hint: "name the stored fields, and compute with them; a list in a body, [\"a=b\"], takes every name"
            ).at(path: "fields")
        }
        return projection(names)
    }

    /// True for a text that is read as a term elsewhere, such as `t=qty*2` or `length(name) as n`; false for names such
    /// as `price (EUR)` and `rate*`.
    static func isTerm(_ text: String) -> Bool {
        if text.contains(" as ") || text.split(separator: "=").count > 1 { return true }
        if let open = text.firstIndex(of: "("), text.hasSuffix(")") {
            let name = String(text[..<open])
            return (FunctionEntry.named(name) ?? FunctionEntry.named(name.lowercased())) != nil
        }
        return text.split(separator: "*").count > 1
    }

    /// The names as a projection, without the `_id` that a projection would add.
    private static func projection(_ names: [String]) -> MongoNode {
        var seen: Set<UTF8Key> = []
        var pairs = names.filter { seen.insert(UTF8Key($0)).inserted }.map { ($0, QueryValue.int(1)) }
        if !seen.contains(UTF8Key("_id")) { pairs.append(("_id", .int(0))) }
        return MongoNode(.object(Document(pairs: pairs)), path: "fields")
    }

    private static func count(_ item: RESTRequest.Item) throws(QueryError) -> Int {
        let isDecimal = item.value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDecimal, !item.value.isEmpty else {
            throw QueryError(.argument, "\(item.name) must be a whole number that is not negative", path: item.name)
        }
        // What is larger than a number here is more than there are rows.
        return Int(item.value) ?? .max
    }
}
