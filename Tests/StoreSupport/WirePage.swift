import QueryValues
import StoreModel

extension WireCase {
    /// The requests of a page: the fences of `http` as one case.
    ///
    /// A fence has a request (a line, headers, a body) and, after an empty line, its answer (a status, headers, a body).
    /// The name in brackets after the path says who sends it.
    package static func page(_ text: String, name: String) throws -> WireCase {
        var steps: [Step] = []
        var fence: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line == "```http" {
                fence = []
            } else if line == "```", let lines = fence {
                steps.append(try step(lines))
                fence = nil
            } else {
                fence?.append(line)
            }
        }
        return WireCase(name: name, steps: steps)
    }

    private static func step(_ lines: [String]) throws -> Step {
        let parts = lines.split(separator: "", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].first, let status = parts[1].first.flatMap({ Int($0) }) else {
            throw QueryError(.json, "a fence needs a request and an answer: \(lines)")
        }
        var words = first.split(separator: " ").map(String.init)
        var sender = "master"
        if let last = words.last, last.hasPrefix("("), last.hasSuffix(")") {
            sender = String(last.dropFirst().dropLast())
            words.removeLast()
        }
        let place = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        let (headers, body) = message(parts[0].dropFirst())
        let (told, answer) = message(parts[1].dropFirst())
        return Step(
            method: words[0],
            path: place[0],
            query: place.count == 2 ? place[1] : "",
            sender: sender,
            headers: headers,
            body: body,
            status: status,
            answer: try answer.map { try QueryValue(json: $0) },
            tells: told.map { ($0.0, $0.1) }
        )
    }

    /// The headers and the body of a message.
    private static func message(_ lines: ArraySlice<String>) -> (headers: [(String, String)], body: String?) {
        let body = lines.drop { !$0.hasPrefix("{") && !$0.hasPrefix("[") }
        let headers = lines.prefix(lines.count - body.count).map { line in
            let sides = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (sides[0], sides.count == 2 ? String(sides[1].drop { $0 == " " }) : "")
        }
        return (headers, body.isEmpty ? nil : body.joined(separator: "\n"))
    }
}
