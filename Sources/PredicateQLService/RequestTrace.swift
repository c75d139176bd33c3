/// What is logged of a request: the caller and the route, never its content.
///
///     RequestTrace().route == nil  // → true
public struct RequestTrace: Hashable, Sendable {
    var found: Route?
    var caller: Caller?

    /// An empty trace.
    public init() {}

    init(found: Route?) { self.found = found }

    /// The name of the route; nil for an unknown path.
    public var route: String? { found?.rawValue }

    /// The key of the app; nil without valid credentials.
    public var app: String? { caller?.app }

    /// The id of the user who is logged in; nil for others.
    public var user: String? { caller?.user }
}
