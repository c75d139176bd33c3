import QueryTree
import QueryValues

/// A value of a request and its JSON path; converts itself to the kind that its key requires.
struct RequestField {
    let value: QueryValue
    let path: String

    init(_ value: QueryValue, at path: String) {
        self.value = value
        self.path = path
    }

    private func expected(_ kind: String) -> QueryError {
        QueryError(.request, "expected \(kind)", path: path, hint: "this is a \(value.kind.rawValue)")
    }

    static func unknown(_ name: String, at path: String, known: [String]) -> QueryError {
        let meant = Suggestion.nearest(to: name, among: known)
        return QueryError(
            .request,
            "unknown key",
            path: path,
            hint: meant.map { "did you mean `\($0)`?" } ?? "known keys: " + known.joined(separator: " ")
        )
    }

    func text() throws(QueryError) -> String {
        guard case .string(let text) = value else { throw expected("text") }
        return text
    }

    /// A text that is not empty.
    func name() throws(QueryError) -> String {
        let text = try text()
        guard !text.isEmpty else { throw QueryError(.request, "a name must not be empty", path: path) }
        return text
    }

    /// A text, or the JSON of an object.
    func json() throws(QueryError) -> String {
        switch value {
        case .string(let text): return text
        case .object: return value.json
        default: throw expected("text or an object")
        }
    }

    /// Texts, as they are.
    func strings() throws(QueryError) -> [String] {
        try texts { (text) throws(QueryError) in text }
    }

    /// One of the names of an enum for each element.
    func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ kind: Choice.Type
    ) throws(QueryError) -> [Choice] {
        var choices: [Choice] = []
        for element in try list() { choices.append(try element.choice(kind)) }
        return choices
    }

    /// A number of seconds from 0 to a billion.
    func seconds() throws(QueryError) -> Duration {
        let seconds: Double
        switch value {
        case .int(let number): seconds = Double(number)
        case .double(let number): seconds = number
        default: throw expected("a number of seconds")
        }
        guard (0...1e9).contains(seconds) else { throw expected("a number of seconds from 0 to 1e9") }
        return .seconds(seconds)
    }

    func flag() throws(QueryError) -> Bool {
        guard case .bool(let flag) = value else { throw expected("true or false") }
        return flag
    }

    /// A whole number that is not negative (S21).
    func count() throws(QueryError) -> Int {
        guard case .int(let number) = value, let count = Int(exactly: number) else { throw expected("a whole number") }
        guard count >= 0 else { throw QueryError(.pipeline, "\(path) must not be negative", path: path) }
        return count
    }

    /// ISO text, milliseconds, or a date.
    func instant() throws(QueryError) -> Int64 {
        switch value {
        case .date(let milliseconds), .int(let milliseconds):
            return milliseconds
        case .string(let text):
            guard let milliseconds = DateText.parse(text) else { throw expected("an ISO 8601 date") }
            return milliseconds
        default:
            throw expected("a date: ISO 8601 text, milliseconds or {\"$date\": …}")
        }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _: Choice.Type
    ) throws(QueryError) -> Choice {
        let names = Choice.allCases.map(\.rawValue)
        guard case .string(let name) = value else { throw expected("one of " + names.joined(separator: " ")) }
        guard let choice = Choice(rawValue: name) else {
            let meant = Suggestion.nearest(to: name, among: names)
            throw QueryError(
                .request,
                "expected one of " + names.joined(separator: " "),
                path: path,
                hint: meant.map { "did you mean `\($0)`?" }
            )
        }
        return choice
    }

    func object() throws(QueryError) -> Document {
        guard case .object(let object) = value else { throw expected("an object") }
        return object
    }

    func list() throws(QueryError) -> [RequestField] {
        guard case .list(let elements) = value else { throw expected("a list") }
        return elements.enumerated().map { RequestField($1, at: "\(path)[\($0)]") }
    }

    func objects() throws(QueryError) -> [Document] {
        var objects: [Document] = []
        for element in try list() { objects.append(try element.object()) }
        return objects
    }

    /// The values of an object by their keys.
    func values() throws(QueryError) -> [String: QueryValue] {
        // Two keys may differ in bytes and be equal for `Dictionary`; the tree distinguishes them, so this is an error.
        var values: [String: QueryValue] = [:]
        for (name, value) in try object().pairs {
            guard values.updateValue(value, forKey: name) == nil else {
                throw QueryError(.request, "two names differ only in Unicode composition", path: path)
            }
        }
        return values
    }

    /// The elements of a list of texts, each read by `parse`; its errors get the element's path.
    func texts<Part>(_ parse: (String) throws(QueryError) -> Part) throws(QueryError) -> [Part] {
        var parts: [Part] = []
        for element in try list() {
            let text = try element.text()
            do throws(QueryError) {
                parts.append(try parse(text))
            } catch {
                throw error.at(path: element.path)
            }
        }
        return parts
    }
}
