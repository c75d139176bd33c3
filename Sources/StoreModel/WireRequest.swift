/// A request to the service as a value.
///
///     let request = WireRequest("GET", "/appdata/kid/Book", query: "limit=20", headers: [("Accept", "*/*")])
///     request.headers["accept"]  // → */*
public struct WireRequest: Hashable, Sendable {
    /// The method in upper case.
    public var method: String
    /// The path, percent-encoded, without the query.
    public var path: String
    /// The text after `?`, percent-encoded; empty for none.
    public var query: String
    /// The headers.
    public var headers: HeaderFields
    /// The body; empty for none.
    public var body: [UInt8]
    /// The address that the request came from, for rate limits; empty if unknown.
    public var address: String

    /// A request.
    ///
    ///     WireRequest("GET", "/healthz").body.isEmpty  // → true
    ///
    /// - Parameters:
    ///   - method: the method in upper case.
    ///   - path: the path, percent-encoded.
    ///   - query: the text after `?`.
    ///   - headers: the headers.
    ///   - body: the body.
    ///   - address: where the request came from.
    public init(
        _ method: String,
        _ path: String,
        query: String = "",
        headers: HeaderFields = [],
        body: [UInt8] = [],
        address: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.address = address
    }
}

/// A response of the service as a value.
///
///     WireResponse(status: 204).body.isEmpty  // → true
public struct WireResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The headers.
    public var headers: HeaderFields
    /// The body; empty for none.
    public var body: [UInt8]

    /// A response.
    ///
    ///     WireResponse(status: 200, body: Array("{}".utf8)).body.count  // → 2
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: the headers.
    ///   - body: the body.
    public init(status: Int, headers: HeaderFields = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The headers of a message in order; names are case-insensitive and may repeat.
///
///     let headers: HeaderFields = [("ETag", "\"1\"")]
///     headers["etag"]  // → "1"
///     headers["X-Other"] == nil  // → true
public struct HeaderFields: Hashable, Sendable, ExpressibleByArrayLiteral, Sequence {
    /// One header.
    public struct Field: Hashable, Sendable {
        /// The name as written.
        public var name: String
        /// The value.
        public var value: String
    }

    /// The headers in order.
    public private(set) var fields: [Field]

    /// Creates headers from names and values, in order.
    ///
    /// - Parameter elements: names and values.
    public init(arrayLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// Creates headers from names and values, in order.
    ///
    ///     HeaderFields([("A", "1")])["a"]  // → 1
    ///
    /// - Parameter pairs: names and values.
    public init(_ pairs: some Sequence<(String, String)>) {
        fields = pairs.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first header with a name; setting it replaces that header or appends one, nil removes all.
    ///
    ///     var headers = HeaderFields()
    ///     headers["Location"] = "/a"
    ///     headers["location"]  // → /a
    ///
    /// - Parameter name: the name in any case. O(number of headers).
    public subscript(name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            if let newValue, let position = fields.firstIndex(where: { Self.isSame($0.name, name) }) {
                fields[position].value = newValue
            } else if let newValue {
                fields.append(Field(name: name, value: newValue))
            } else {
                fields.removeAll { Self.isSame($0.name, name) }
            }
        }
    }

    /// The values of all headers with a name, which are one list; nil for none.
    package func list(_ name: String) -> String? {
        let values = fields.filter { Self.isSame($0.name, name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Appends a header, even if there is one with its name.
    ///
    ///     var headers: HeaderFields = [("Vary", "Origin")]
    ///     headers.append("Vary", "Accept-Encoding")
    ///     headers.fields.count  // → 2
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The headers in order.
    public func makeIterator() -> Array<Field>.Iterator { fields.makeIterator() }

    /// Compares names without regard to the case of ASCII letters.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
