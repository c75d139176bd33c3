import QueryValues
import StoreModel

/// `/openapi.json`, written from the table of routes.
enum OpenAPI {
    static func document(_ configuration: ServiceConfiguration) -> QueryValue {
        var paths: [(String, QueryValue)] = []
        var operations: [String: [(String, QueryValue)]] = [:]
        var order: [String] = []
        for route in Route.allCases {
            let (method, pattern) = route.place
            let path = self.path(pattern)
            if operations[path] == nil { order.append(path) }
            operations[path, default: []].append((method.lowercased(), operation(route, pattern)))
        }
        for path in order { paths.append((path, .object(Document(pairs: operations[path] ?? [])))) }
        return .object([
            "openapi": "3.0.3",
            "info": .object(["title": "PredicateQL data service", "version": .string(configuration.version)]),
            "paths": .object(Document(pairs: paths)),
            "components": .object(["securitySchemes": securitySchemes, "schemas": .object(["Error": error])]),
        ])
    }

    private static let text: QueryValue = .object(["type": "string"])

    private static let securitySchemes: QueryValue = .object([
        "app": .object(["type": "http", "scheme": "basic"]),
        "session": .object(["type": "apiKey", "in": "header", "name": "Authorization"]),
    ])

    private static var error: QueryValue {
        let names = ServiceFault.known.keys.map(\.rawValue).sorted().map(QueryValue.string)
        return .object([
            "type": "object", "required": ["error", "description", "debug"],
            "properties": .object([
                "error": .object(["type": "string", "enum": .list(names)]), "description": text, "debug": text,
            ]),
        ])
    }

    private static func json(_ schema: Document) -> QueryValue {
        .object(["application/json": .object(["schema": .object(schema)])])
    }

    /// The body of a query: one in the language as a tree; the other members are those of the older forms.
    private static func query(of what: String) -> Document {
        [
            "type": "object",
            "properties": .object([
                "pql": .object(["type": "object", "description": .string("\(what) as a JSON tree")]),
                "schema": .object(["type": "object", "description": "names and kinds of the fields, as JSON Schema"]),
            ]),
        ]
    }

    private static func path(_ pattern: String) -> String {
        "/"
            + pattern.split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
            .joined(separator: "/")
    }

    private static func operation(_ route: Route, _ pattern: String) -> QueryValue {
        var parameters: [QueryValue] = pattern.split(separator: "/").filter { $0.hasPrefix(":") }.map { part in
            .object(["name": .string(String(part.dropFirst())), "in": "path", "required": true, "schema": text])
        }
        for (name, description) in route.parameters {
            parameters.append(
                .object(["name": .string(name), "in": "query", "description": .string(description), "schema": text])
            )
        }
        var operation: Document = [
            "operationId": .string(route.rawValue), "summary": .string(route.summary),
            "parameters": .list(parameters),
        ]
        if route.takesBody {
            let schema = route.takesQuery ? query(of: route == .group ? "groups" : "a query") : [:]
            operation["requestBody"] = .object(["required": true, "content": json(schema)])
        }
        if route.isGuarded { operation["security"] = [.object(["app": []]), .object(["session": []])] }
        var responses: Document = [:]
        for status in route.statuses {
            responses[String(status)] = .object(["description": "Success"])
        }
        responses["default"] = .object([
            "description": "An error", "content": json(["$ref": "#/components/schemas/Error"]),
        ])
        operation["responses"] = .object(responses)
        return .object(operation)
    }
}

extension Route {
    /// The statuses of success.
    var statuses: [Int] {
        switch self {
        case .insert: [201, 207]
        case .upsert: [200, 201]
        case .signUp: [201]
        case .logOut, .removeUser: [204]
        case .get, .find, .count: [200, 304]
        default: [200]
        }
    }
}
