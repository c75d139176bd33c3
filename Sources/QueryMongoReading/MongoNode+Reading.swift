import QueryChecking
import QueryMongo
import QueryParsing
import QueryTree
import QueryValues

extension MongoNode {
    /// Reads a JSON text; its `$` keys are kept, except those of canonical numbers.
    ///
    /// Of a text that is no JSON the hint shows the `query` of the filter that was meant.
    ///
    /// - Throws: `json` for text other than a JSON object, `limit` for a text that is too long.
    init(
        reading text: String,
        path: String,
        _ limits: Limits,
        query: (String) -> Query? = { try? MongoReading(of: $0).query }
    ) throws(QueryError) {
        try self.init(reading: Array(text.utf8), path: path, limits, query: query)
    }

    /// Reads a JSON text in UTF-8 bytes.
    ///
    /// - Throws: as reading text does, and `json` for invalid UTF-8.
    init(
        reading bytes: [UInt8],
        path: String,
        _ limits: Limits,
        query: (String) -> Query? = { try? MongoReading(of: $0).query }
    ) throws(QueryError) {
        guard bytes.count <= limits.textBytes else {
            throw QueryError(.limit, "the JSON is longer than \(limits.textBytes) bytes", path: path)
        }
        var reader = JSONReader(mode: .plain, limits: limits)
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(QueryError) {
            let value = try reader.read(bytes, path: path).withPlainNumbers
            self.init(value, path: path, text: text)
            if case .string(let text) = value { throw wrong("the JSON must be an object", hint: Self.filter(of: text)) }
            if let match = elements.first?.member("$match") {
                let filter = JSONWriter().text(match.value)
                throw wrong("a pipeline is not a filter", hint: "write its condition: \(filter)")
            }
            _ = try object("the JSON")
        } catch {
            var error = error
            if error.code == .json, error.hint == nil { error.hint = Self.filter(of: text) ?? Self.quoted(text, query) }
            throw error
        }
    }

    /// A hint for who gives a condition in the library's language where a filter is read; nil for other texts.
    ///
    /// Long ones are not looked at.
    static func filter(of text: String) -> String? {
        guard text.utf8.count <= 500, let mongo = try? Query(parsing: text).mongo() else { return nil }
        let json = JSONWriter().text(.object(mongo.filter))
        return json.utf8.count <= 1_000 ? "as a filter, this condition is \(json)" : nil
    }
}

extension MongoNode {
    /// A hint for who writes a filter as in Mongo's shell, with keys without quotes, or its whole call; nil for other
    /// texts.
    private static func quoted(_ text: String, _ query: (String) -> Query?) -> String? {
        guard text.utf8.count <= 500 else { return nil }
        if text.hasPrefix("db."), let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"),
            open < close
        {
            let filter = quoted(String(text[open...].dropFirst().prefix(upTo: close)), query)
            return "write the filter alone" + (filter.map { "; " + $0 } ?? "")
        }
        var reader = JSONReader(mode: .plain)
        let (strict, holdsCalls) = withQuotes(text)
        guard case .object(let filter)? = try? reader.read(Array(strict.utf8)) else { return nil }
        let json = JSONWriter().text(.object(filter))
        let format = query(json)?.format
        return (holdsCalls ? "in JSON: " : "keys and texts take double quotes: ") + json
            + (format.map { "; as a query: " + $0 } ?? "")
    }

    /// Values that JSON writes as other words.
    private static let shellWords = ["True": "true", "False": "false", "None": "null", "undefined": "null", "new": ""]

    /// Functions of the shell, with the key that holds their argument; nil for numbers.
    private static let shellFunctions: [String: String?] = [
        "ObjectId": "$oid", "ISODate": "$date", "Date": "$date", "NumberLong": nil, "NumberInt": nil, "UUID": "$uuid",
        "NumberDecimal": "$numberDecimal",
    ]

    /// The text with double quotes around words before a colon and in place of single quotes, and what only the shell
    /// reads in JSON; whether there was any.
    ///
    /// Linear in the text.
    private static func withQuotes(_ text: String) -> (text: String, holdsCalls: Bool) {
        var (result, holdsCalls) = ("", false)
        var rest = text[...]
        func append(_ value: QueryValue) {
            result += JSONWriter().text(value)
            holdsCalls = true
        }
        while let first = rest.first {
            if first == "/", let end = rest.dropFirst().firstIndex(of: "/") {
                let options = rest[end...].dropFirst().prefix(while: \.isLetter)
                var pattern: Document = ["$regex": .string(String(rest[..<end].dropFirst()))]
                if !options.isEmpty { pattern["$options"] = .string(String(options)) }
                append(.object(pattern))
                rest = rest[options.endIndex...]
                continue
            }
            if first == "\"" || first == "'" {
                let inner = rest.dropFirst().prefix { $0 != first && $0 != "\\" && $0 != "\"" }
                result += "\"" + inner + "\""
                rest = rest[inner.endIndex...].dropFirst()
                continue
            }
            let word = rest.prefix { $0.isLetter || $0.isNumber || "_$.".contains($0) }
            rest = rest[word.endIndex...]
            if word.isEmpty {
                result.append(first)
                rest = rest.dropFirst()
            } else {
                let isKey = rest.first { !$0.isWhitespace } == ":"
                if let key = shellFunctions[String(word)], rest.first == "(", let close = rest.firstIndex(of: ")") {
                    let inner = rest[..<close].dropFirst().filter { $0 != "\"" && $0 != "'" }
                    if let key { append(.object([key: .string(inner)])) } else { result += inner }
                    holdsCalls = true
                    rest = rest[close...].dropFirst()
                } else if !isKey, let plain = shellWords[String(word)] {
                    result += plain
                    holdsCalls = true
                } else {
                    result += isKey ? "\"" + word + "\"" : String(word)
                }
            }
        }
        return (result, holdsCalls)
    }
}

extension QueryValue {
    /// True if at most this many levels of objects and lists are nested; never descends further.
    func isShallow(_ levels: Int) -> Bool {
        switch self {
        case .list(let elements): levels > 0 && elements.allSatisfy { $0.isShallow(levels - 1) }
        case .object(let object): levels > 0 && object.values.allSatisfy { $0.isShallow(levels - 1) }
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: true
        }
    }

    /// The nil meaning that a filter needs: only under `.absent` and `.null` can a query test for these (S8).
    var neededNilMeaning: NilMeaning {
        if has({ $0["$exists"] != nil }, or: "missing") { return .absent }
        return has({ $0["$type"]?.namesNull == true }, or: "null") ? .null : .nullOrAbsent
    }

    /// True for the type of null, and for a list of types with it.
    private var namesNull: Bool {
        let names: [QueryValue] = [10, "null"]
        if case .list(let types) = self { return types.contains(where: names.contains) }
        return names.contains(self)
    }

    /// True if some object passes the test, or some expression tests the type.
    private func has(_ test: (Document) -> Bool, or type: String) -> Bool {
        switch self {
        case .list(let elements):
            if elements.count == 2, elements[1] == .string(type), case .object(let operand) = elements[0],
                operand["$type"] != nil
            {
                return true
            }
            return elements.contains { $0.has(test, or: type) }
        case .object(let object):
            if test(object) { return true }
            return object.pairs.contains { name, value in
                // `$elemMatch` with only `$exists` matches any element.
                if name == "$elemMatch", value == .object(["$exists": true]) { return false }
                return value.has(test, or: type)
            }
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return false
        }
    }
}

extension MongoKnowledge {
    /// Notes the stored paths that a filter uses as lists.
    func noteLists(_ node: MongoNode, under path: [String] = []) {
        for (key, member) in node.members {
            if key.utf8.first == UInt8(ascii: "$") {
                for element in member.elements { noteLists(element, under: path) }
            } else {
                noteLists(of: path + [key], member)
            }
        }
    }

    private func noteLists(of path: [String], _ node: MongoNode) {
        guard node.operators != nil else { return }
        for (key, operand) in node.members {
            switch MongoOperator(rawValue: key) {
            case .elementMatch:
                noteList(path.joined(separator: "."))
                noteLists(operand, under: path)
            case .size, .all: noteList(path.joined(separator: "."))
            case .type where operand.value == "array" || operand.value == 4: noteList(path.joined(separator: "."))
            case .not where operand.value != FilterWriter.isArray: noteLists(of: path, operand)
            default: continue
            }
        }
    }
}
