import QueryChecking
import QueryMongo
import QueryParsing
import QueryTree
import QueryValues

extension MongoNode {
    /// Reads a JSON text; its `$` keys are kept, except those of canonical numbers.
    ///
    /// - Throws: `json` for text other than a JSON object, `limit` for a text that is too long.
    init(reading text: String, path: String, _ limits: Limits) throws(QueryError) {
        try self.init(reading: Array(text.utf8), path: path, limits)
    }

    /// Reads a JSON text in UTF-8 bytes.
    ///
    /// - Throws: as reading text does, and `json` for invalid UTF-8.
    init(reading bytes: [UInt8], path: String, _ limits: Limits) throws(QueryError) {
        guard bytes.count <= limits.textBytes else {
            throw QueryError(.limit, "the JSON is longer than \(limits.textBytes) bytes", path: path)
        }
        var reader = JSONReader(mode: .plain, limits: limits)
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(QueryError) {
            let value = try reader.read(bytes, path: path).withPlainNumbers
            self.init(value, path: path, text: text)
            if case .string(let text) = value { throw wrong("the JSON must be an object", hint: Self.filter(of: text)) }
            _ = try object("the JSON")
        } catch {
            var error = error
            if error.code == .json, error.hint == nil { error.hint = Self.filter(of: text) ?? Self.quoted(text) }
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
    /// A hint for who writes a filter as in Mongo's shell, with keys without quotes; nil for other texts.
    private static func quoted(_ text: String) -> String? {
        guard text.utf8.count <= 500 else { return nil }
        var reader = JSONReader(mode: .plain)
        guard case .object(let filter)? = try? reader.read(Array(withQuotes(text).utf8)) else { return nil }
        let json = JSONWriter().text(.object(filter))
        let format = try? MongoReading(of: json, assuming: nil).query.format
        return "keys and texts take double quotes: " + json + (format.map { "; as a query: " + $0 } ?? "")
    }

    /// The text with double quotes around words before a colon and in place of single quotes.
    ///
    /// Linear in the text.
    private static func withQuotes(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let first = rest.first {
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
                result += isKey ? "\"" + word + "\"" : String(word)
            }
        }
        return result
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
