import Foundation
import PredicateQL
import QueryValues
import StoreModel

/// Requests and the answers that they must get, from `Tests/Data/wire.json`.
///
/// Each case runs in an app of its own, so that one service can run all of them. In paths, headers and expected
/// answers `$name` stands for a text: the first answer that has it says which.
package struct WireCase: Sendable {
    /// One request.
    package struct Step: Sendable {
        var method: String
        var path: String
        var query: String
        var sender: String
        var headers: [(String, String)]
        var body: String?
        var status: Int
        var answer: QueryValue?
        var tells: [(String, String?)]
    }

    package var name: String
    package var steps: [Step]

    /// The app of a case.
    package static func app(_ number: Int) -> String { "kid\(number)" }

    /// Reads the cases of a JSON text.
    package static func read(_ text: String) throws -> [WireCase] {
        guard case .object(let file) = try QueryValue(json: text), case .list(let cases)? = file["cases"] else {
            throw QueryError(.json, "wire.json holds no cases")
        }
        return try cases.map { value in
            guard case .object(let entry) = value, case .string(let name)? = entry["name"],
                case .list(let steps)? = entry["steps"]
            else { throw QueryError(.json, "a case has no name or no steps") }
            return WireCase(name: name, steps: try steps.map { try step($0, name) })
        }
    }

    private static func step(_ value: QueryValue, _ name: String) throws -> Step {
        guard case .object(let entry) = value, case .string(let line)? = entry["send"],
            case .int(let status)? = entry["status"]
        else { throw QueryError(.json, "\(name): a step needs send and status") }
        let known = ["send", "as", "headers", "body", "text", "status", "answer", "tells"]
        if let other = entry.keys.first(where: { !known.contains($0) }) {
            throw QueryError(.json, "\(name): \(other) is no part of a step")
        }
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let place = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        func texts(_ key: String) -> [(String, String?)] {
            guard case .object(let pairs)? = entry[key] else { return [] }
            return pairs.pairs.map { name, value in
                if case .string(let text) = value { (name, text) } else { (name, nil) }
            }
        }
        var sender = "master"
        if case .string(let text)? = entry["as"] { sender = text }
        var body = entry["body"].map(\.json)
        if case .string(let text)? = entry["text"] { body = text }
        return Step(
            method: words[0],
            path: place[0],
            query: place.count == 2 ? place[1] : "",
            sender: sender,
            headers: texts("headers").map { ($0.0, $0.1 ?? "") },
            body: body,
            status: Int(status),
            answer: entry["answer"],
            tells: texts("tells")
        )
    }

    /// Runs the case.
    ///
    /// - Parameters:
    ///   - app: the app's key; its secret is `s`, its master secret `m`.
    ///   - send: sends a request.
    /// - Returns: what is not as it must be.
    /// - Throws: what sending throws.
    package func problems(app: String, send: (WireRequest) async throws -> WireResponse) async throws -> [String] {
        var run = Run(app: app)
        var problems: [String] = []
        for (number, step) in steps.enumerated() {
            let authorization = try await run.authorization(of: step.sender, send)
            let response = try await send(run.request(step, authorization))
            problems += run.check(response, step).map {
                "\(name), step \(number + 1) (\(step.method) \(step.path)): \($0)"
            }
        }
        return problems
    }

    /// The texts that are known so far.
    private struct Run {
        let app: String
        var texts: [String: String] = [:]
        var sessions: [String: String] = [:]

        init(app: String) {
            self.app = app
            texts["app"] = app
        }

        /// The text with what is known of each `$name`.
        func filled(_ text: String) -> String {
            var out = ""
            var rest = text[...]
            while let dollar = rest.firstIndex(of: "$") {
                out += rest[..<dollar]
                let name = rest[rest.index(after: dollar)...].prefix { $0.isLetter || $0.isNumber }
                out += texts[String(name)] ?? "$" + name
                rest = rest[name.endIndex...]
            }
            return out + rest
        }

        mutating func authorization(
            of sender: String,
            _ send: (WireRequest) async throws -> WireResponse
        ) async throws -> String? {
            func basic(_ secret: String) -> String {
                "Basic " + Data("\(app):\(secret)".utf8).base64EncodedString()
            }
            switch sender {
            case "none": return nil
            case "app": return basic("s")
            case "master": return basic("m")
            case let text where text.contains(" "): return filled(text)
            default:
                if let known = sessions[sender] { return known }
                let response = try await send(
                    WireRequest(
                        "POST",
                        "/user/\(app)",
                        headers: [("Authorization", basic("s")), ("Content-Type", "application/json")],
                        body: Array(#"{"username":"\#(sender)","password":"pw-\#(sender)"}"#.utf8)
                    )
                )
                guard case .object(let user)? = try? QueryValue(json: response.body),
                    case .string(let id)? = user["_id"], case .object(let metadata)? = user["_kmd"],
                    case .string(let token)? = metadata["authtoken"]
                else {
                    throw QueryError(
                        .json,
                        "\(sender) cannot sign up: \(String(decoding: response.body, as: UTF8.self))"
                    )
                }
                texts[sender] = id
                sessions[sender] = "Kinvey " + token
                return "Kinvey " + token
            }
        }

        func request(_ step: Step, _ authorization: String?) -> WireRequest {
            var headers = HeaderFields()
            headers["Authorization"] = authorization
            if step.body != nil { headers["Content-Type"] = "application/json" }
            for (name, value) in step.headers { headers[name] = value == "-" ? nil : filled(value) }
            return WireRequest(
                step.method,
                filled(step.path).replacing("/kid", with: "/" + app),
                query: ServiceHarness.encode(filled(step.query)),
                headers: headers,
                body: Array(filled(step.body ?? "").utf8)
            )
        }

        mutating func check(_ response: WireResponse, _ step: Step) -> [String] {
            let body = String(decoding: response.body, as: UTF8.self)
            var problems: [String] = []
            if response.status != step.status {
                problems.append("status \(response.status), not \(step.status): \(body)")
            }
            for (name, expected) in step.tells {
                let value = response.headers[name]
                guard let expected else {
                    if let value { problems.append("\(name) is \(value), and must not be there") }
                    continue
                }
                if !isSame(value ?? "", expected) {
                    problems.append("\(name) is \(value ?? "absent"), not \(filled(expected))")
                }
            }
            if let answer = step.answer {
                let value = body.isEmpty ? .null : (try? QueryValue(json: body))
                if let value {
                    if !isSame(value, answer) { problems.append("the answer is \(body), not \(filled(answer.json))") }
                } else {
                    problems.append("the answer is no JSON: \(body)")
                }
            }
            return problems
        }

        /// Compares values; `$name` in the expected one is any text the first time, and the same afterwards.
        private mutating func isSame(_ value: QueryValue, _ expected: QueryValue) -> Bool {
            switch (value, expected) {
            case (.string(let text), .string(let pattern)): return isSame(text, pattern)
            case (_, "$any"): return true
            case (.list(let values), .list(let patterns)):
                guard values.count == patterns.count else { return false }
                for (value, pattern) in zip(values, patterns) where !isSame(value, pattern) { return false }
                return true
            case (.object(let object), .object(let pattern)):
                let isOpen = pattern["..."] != nil
                guard isOpen || object.count == pattern.count else { return false }
                for (key, pattern) in pattern.pairs where key != "..." {
                    guard let value = object[key], isSame(value, pattern) else { return false }
                }
                return true
            default: return value == expected
            }
        }

        private mutating func isSame(_ text: String, _ pattern: String) -> Bool {
            if pattern == "$any" { return true }
            let pattern = filled(pattern)
            guard let dollar = pattern.firstIndex(of: "$") else { return text == pattern }
            let (before, rest) = (pattern[..<dollar], pattern[pattern.index(after: dollar)...])
            let name = rest.prefix { $0.isLetter || $0.isNumber }
            let after = rest.dropFirst(name.count)
            guard !name.isEmpty, text.count >= before.count + after.count, text.hasPrefix(before), text.hasSuffix(after)
            else { return false }
            let value = String(text.dropFirst(before.count).dropLast(after.count))
            if name != "any" { texts[String(name)] = value }
            return !value.isEmpty
        }
    }
}
