import StoreModel

/// An answer that is not the service's: what gateways, proxies and the log-in pages of networks say in its place.
package struct ForeignAnswer: Hashable, Sendable, CustomStringConvertible {
    package let response: WireResponse
    package let description: String

    private init(_ status: Int, _ type: String?, _ body: String, _ headers: HeaderFields = []) {
        var fields = headers
        fields["Content-Type"] = type
        response = WireResponse(status: status, headers: fields, body: Array(body.utf8))
        description = "\(status) \(type ?? "") \(body)"
    }

    private static let html = "text/html; charset=utf-8"
    private static let json = "application/json"

    /// Answers that fit no request.
    package static let all: [ForeignAnswer] = [
        .init(200, html, "<html><body>Log in</body></html>"),
        .init(200, json, "<html><body>Log in</body></html>"),
        .init(200, html, #"{"count":1}"#),
        .init(200, nil, ""),
        .init(200, json, ""),
        .init(200, json, "{}"),
        .init(200, json, "null"),
        .init(200, json, "[1]"),
        .init(200, json, #"[{"count":1},null]"#),
        .init(200, json, #"{"status":"ok","count":"1"}"#),
        .init(200, json, #"{"error":"EntityNotFound"}"#),
        .init(204, nil, ""),
        .init(302, html, "", [("Location", "https://portal.example.org/login")]),
        .init(304, nil, ""),
        .init(400, html, "<html>Bad Request</html>"),
        .init(401, html, "<html>Log in</html>"),
        .init(401, json, #"{"message":"Unauthorized"}"#),
        .init(403, html, "<html>Blocked</html>"),
        .init(404, html, "<html>Not Found</html>"),
        .init(404, nil, ""),
        .init(404, json, #"{"error":"Not Found","message":"no Route matched"}"#),
        .init(404, "text/plain", #"{"error":"EntityNotFound","description":"","debug":""}"#),
        .init(409, json, "[]"),
        .init(412, html, ""),
        .init(413, html, "<html>Request Entity Too Large</html>"),
        .init(502, html, "<html>Bad Gateway</html>"),
        .init(503, nil, "", [("Retry-After", "1")]),
        .init(504, json, #"{"message":"Endpoint request timed out"}"#),
    ]
}
