/// What a log says of a request: who asked for what, never what was said.
///
///     RequestTrace().route == nil  // → true
public struct RequestTrace: Hashable, Sendable {
    var found: Route?
    var caller: Caller?

    /// A trace that knows nothing.
    public init() {}

    init(found: Route?) { self.found = found }

    /// The name of the route; nil for a path that leads nowhere.
    public var route: String? { found?.rawValue }

    /// The key of the app; nil without valid credentials.
    public var app: String? { caller?.app }

    /// The id of the user who is logged in; nil for others.
    public var user: String? { caller?.user }
}
