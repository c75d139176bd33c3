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
            "components": .object(["securitySchemes": securitySchemes, "schemas": .object(schemas)]),
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

    private static func object(_ properties: Document, _ required: [String] = [], isOpen: Bool = false) -> QueryValue {
        var schema: Document = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .list(required.map(QueryValue.string)) }
        if isOpen { schema["additionalProperties"] = true }
        return .object(schema)
    }

    private static func list(of element: QueryValue) -> QueryValue { .object(["type": "array", "items": element]) }

    private static func reference(_ name: String) -> QueryValue {
        .object(["$ref": .string("#/components/schemas/" + name)])
    }

    private static let whole: QueryValue = .object(["type": "integer"])
    private static let flag: QueryValue = .object(["type": "boolean"])

    /// What requests and answers hold.
    private static var schemas: Document {
        let metadata: Document = ["ect": text, "lmt": text]
        let access: Document = ["creator": text, "gr": flag, "gw": flag, "r": list(of: text), "w": list(of: text)]
        let entity: Document = ["_id": text, "_acl": reference("Access"), "_kmd": object(metadata, isOpen: true)]
        let user: Document = ["_id": text, "username": text, "_kmd": object(["authtoken": text], isOpen: true)]
        let failure: Document = ["index": whole, "error": text, "description": text, "debug": text]
        return [
            "Error": error, "Access": object(access),
            "Entity": object(entity, isOpen: true), "Entities": list(of: reference("Entity")),
            "Insertion": object(
                [
                    "entities": list(of: .object(["type": "object", "nullable": true, "additionalProperties": true])),
                    "errors": list(of: object(failure)),
                ],
                ["entities", "errors"]
            ),
            "Count": object(["count": whole], ["count"]),
            "Delta": object(
                [
                    "changed": list(of: reference("Entity")), "deleted": list(of: object(["_id": text], ["_id"])),
                    "left": list(of: reference("Entity")),
                ],
                ["changed", "deleted"]
            ),
            "Groups": list(of: .object(["type": "object", "additionalProperties": true])),
            "GroupRequest": object(
                [
                    "key": .object([:]), "initial": .object(["type": "object"]), "reduce": text,
                    "condition": .object(["type": "object"]),
                    "pql": .object(["type": "object", "description": "groups as a JSON tree, in place of the others"]),
                ],
                isOpen: true
            ),
            "User": object(user, isOpen: true),
            "Account": object(["username": text, "password": text], isOpen: true),
            "Ping": object(["version": text, "kinvey": text, "appName": text]),
            "Service": object(
                [
                    "settings": .object(["type": "object", "additionalProperties": true]),
                    "collections": list(
                        of: object(
                            ["name": text, "count": whole, "rights": text, "delta": flag],
                            ["name", "count", "rights", "delta"]
                        )
                    ),
                ],
                ["settings", "collections"]
            ),
            "Status": object(["status": text], ["status"]),
        ]
    }

    private static func json(_ schema: Document) -> QueryValue {
        .object(["application/json": .object(["schema": .object(schema)])])
    }

    /// The body of a query: one in the language as a tree; the other members are those of the older forms.
    private static var query: Document {
        [
            "type": "object",
            "properties": .object([
                "pql": .object(["type": "object", "description": "a query as a JSON tree"]),
                "schema": .object(["type": "object", "description": "names and kinds of the fields, as JSON Schema"]),
            ]),
        ]
    }

    /// The schema of a body that is no query.
    private static func body(_ route: Route) -> Document {
        switch route {
        case .insert: ["oneOf": [reference("Entity"), reference("Entities")]]
        case .upsert: ["$ref": "#/components/schemas/Entity"]
        case .group: ["$ref": "#/components/schemas/GroupRequest"]
        case .configure: ["type": "object", "additionalProperties": true]
        case .signUp, .logIn, .updateUser: ["$ref": "#/components/schemas/Account"]
        default: [:]
        }
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
            let schema = route.takesQuery && route != .group ? query : body(route)
            operation["requestBody"] = .object(["required": true, "content": json(schema)])
        }
        if route.isGuarded { operation["security"] = [.object(["app": []]), .object(["session": []])] }
        var responses: Document = [:]
        for status in route.statuses {
            var response: Document = ["description": "Success"]
            if let name = route.answer, status != 204, status != 304 {
                let one = json(["$ref": .string("#/components/schemas/" + name)])
                let isOfSome = status == 207 || route == .insert
                response["content"] =
                    isOfSome
                    ? json(["anyOf": [reference(name), reference("Insertion")]]) : one
            }
            responses[String(status)] = .object(response)
        }
        responses["default"] = .object([
            "description": "An error", "content": json(["$ref": "#/components/schemas/Error"]),
        ])
        operation["responses"] = .object(responses)
        return .object(operation)
    }
}

extension Route {
    /// The schema of what a success holds; nil for other things than JSON.
    fileprivate var answer: String? {
        switch self {
        case .ping: "Ping"
        case .find, .findByBody: "Entities"
        case .get, .insert, .upsert: "Entity"
        case .count, .countByBody, .remove, .removeFound, .removeFoundByBody: "Count"
        case .deltaSet, .deltaSetByBody: "Delta"
        case .group: "Groups"
        case .signUp, .logIn, .me, .getUser, .updateUser: "User"
        case .describe, .configure: "Service"
        case .health, .ready: "Status"
        case .subscribe, .unsubscribe, .logOut, .removeUser, .removeCollection, .lookUp, .checkUserName, .metrics,
            .openAPI:
            nil
        }
    }

    /// The statuses of success.
    var statuses: [Int] {
        switch self {
        case .insert: [201, 207]
        case .upsert: [200, 201]
        case .signUp: [201]
        case .logOut, .removeUser, .removeCollection: [204]
        case .get, .find, .count: [200, 304]
        default: [200]
        }
    }
}
