import QueryValues

/// An error of the service: a name for programs and two texts for people, as in its JSON body.
///
///     let fault = ServiceFault(.entityNotFound, debug: "Book/1")
///     fault.status  // → 404
///     QueryValue.object(fault.document).json  // → {"error":"EntityNotFound","description":…,"debug":"Book/1"}
public struct ServiceFault: Error, Hashable, Sendable {
    /// The kind of error; services may add names.
    ///
    ///     ServiceFault.Name.staleRequest.rawValue  // → StaleRequest
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name in the protocol.
        public let rawValue: String

        /// A kind of error by its name.
        ///
        /// - Parameter rawValue: the name in the protocol.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of error.
    public var name: Name
    /// The HTTP status.
    public var status: Int
    /// What the error means, for people.
    public var description: String
    /// The exact cause; may be empty.
    public var debug: String
    /// Seconds after which the request may be sent again; nil if unspecified.
    public var retryAfter: Int?
    /// The service's version of the entity as JSON text, if a condition on it failed.
    public var entity: [UInt8]?
    /// The snapshot of the collection in which this was found; the answer's header has it.
    package var tick: Tick?
    /// The methods of a path, where another was sent; a header lists them.
    package var allowed: [String]?
    /// The last write of the client that was acted on, where a later one was; a header has it.
    package var last: Int64?

    /// An error with the status and the description of its kind.
    ///
    ///     ServiceFault(.missingQuery).description  // → The request needs a query
    ///
    /// - Parameters:
    ///   - name: the kind.
    ///   - debug: the exact cause.
    ///   - status: the HTTP status; nil for that of the kind.
    ///   - retryAfter: seconds after which the request may be sent again.
    public init(_ name: Name, debug: String = "", status: Int? = nil, retryAfter: Int? = nil) {
        let known = Self.known[name]
        self.name = name
        self.status = status ?? known?.status ?? 500
        self.description = known?.description ?? name.rawValue
        self.debug = debug
        self.retryAfter = retryAfter
    }

    /// The three texts as the body of a response.
    public var document: Document {
        ["error": .string(name.rawValue), "description": .string(description), "debug": .string(debug)]
    }
}

extension ServiceFault.Name {
    /// The body is not JSON, or not in UTF-8.
    public static let jsonParseError = Self(rawValue: "JSONParseError")
    /// The body ended early.
    public static let incompleteRequestBody = Self(rawValue: "IncompleteRequestBody")
    /// The request cannot be understood.
    public static let badRequest = Self(rawValue: "BadRequest")
    /// A filter, sort key or grouping cannot be understood or is not allowed.
    public static let invalidQuerySyntax = Self(rawValue: "InvalidQuerySyntax")
    /// A removal without a query.
    public static let missingQuery = Self(rawValue: "MissingQuery")
    /// A parameter is missing.
    public static let missingRequestParameter = Self(rawValue: "MissingRequestParameter")
    /// An id or the name of a collection is not allowed.
    public static let invalidIdentifier = Self(rawValue: "InvalidIdentifier")
    /// A parameter's value is out of its range.
    public static let parameterValueOutOfRange = Self(rawValue: "ParameterValueOutOfRange")
    /// A delta has too many entities for one response.
    public static let resultSetSizeExceeded = Self(rawValue: "ResultSetSizeExceeded")
    /// The service does not have this feature.
    public static let featureUnavailable = Self(rawValue: "FeatureUnavailable")
    /// The version in `X-Kinvey-API-Version` is unknown.
    public static let apiVersionNotAvailable = Self(rawValue: "APIVersionNotAvailable")
    /// The page's origin is not listed.
    public static let corsDisabled = Self(rawValue: "CORSDisabled")
    /// The query took too long.
    public static let queryTimeLimitExceeded = Self(rawValue: "QueryTimeLimitExceeded")
    /// The entity, the body or the URL is too large.
    public static let entityTooLarge = Self(rawValue: "EntityTooLarge")
    /// No credentials, or wrong ones.
    public static let invalidCredentials = Self(rawValue: "InvalidCredentials")
    /// The credentials do not allow this.
    public static let insufficientCredentials = Self(rawValue: "InsufficientCredentials")
    /// Deltas are off for the collection.
    public static let missingConfiguration = Self(rawValue: "MissingConfiguration")
    /// There is no such entity, or it may not be read.
    public static let entityNotFound = Self(rawValue: "EntityNotFound")
    /// There is no such app.
    public static let appNotFound = Self(rawValue: "AppNotFound")
    /// There is no such user.
    public static let userNotFound = Self(rawValue: "UserNotFound")
    /// The service has nothing at this path.
    public static let pathNotFound = Self(rawValue: "PathNotFound")
    /// The path exists, the method does not.
    public static let methodNotAllowed = Self(rawValue: "MethodNotAllowed")
    /// The user name is taken.
    public static let userAlreadyExists = Self(rawValue: "UserAlreadyExists")
    /// A later write of the same client has taken effect.
    public static let staleRequest = Self(rawValue: "StaleRequest")
    /// `If-Match` or `If-None-Match` does not hold.
    public static let preconditionFailed = Self(rawValue: "PreconditionFailed")
    /// Too many requests.
    public static let requestLimitExceeded = Self(rawValue: "RequestLimitExceeded")
    /// The `_id` is taken, or an internal error; nothing was changed.
    public static let internalErrorRetry = Self(rawValue: "KinveyInternalErrorRetry")
    /// The service cannot respond now; nothing was changed.
    public static let serviceUnavailable = Self(rawValue: "ServiceUnavailable")
}

extension ServiceFault {
    /// The names that the service answers, with their statuses and descriptions.
    ///
    ///     ServiceFault.known[.staleRequest]?.status  // → 409
    package static let known: [Name: (status: Int, description: String)] = [
        .jsonParseError: (400, "Unable to parse the JSON in the request"),
        .incompleteRequestBody: (400, "The request body is either missing or incomplete"),
        .badRequest: (400, "Unable to understand request"),
        .invalidQuerySyntax: (400, "The query string in the request has an invalid syntax"),
        .missingQuery: (400, "The request needs a query"),
        .missingRequestParameter: (400, "A required parameter is missing from the request"),
        .invalidIdentifier: (400, "One or more identifier names in the request has an invalid format"),
        .parameterValueOutOfRange: (400, "The value specified for one of the request parameters is out of range"),
        .resultSetSizeExceeded: (
            400, "Your query produced more than 10,000 results. Please rewrite your query to be more selective"
        ),
        .featureUnavailable: (400, "Requested functionality is unavailable in this service"),
        .apiVersionNotAvailable: (400, "This version of the API is not available"),
        .corsDisabled: (400, "Cross Origin Support is disabled for this origin"),
        .queryTimeLimitExceeded: (400, "The query took too long; nothing was changed"),
        .entityTooLarge: (413, "The request or an entity in it is too large"),
        .invalidCredentials: (401, "Invalid credentials. Please retry your request with correct credentials"),
        .insufficientCredentials: (
            401, "The credentials used to authenticate this request are not authorized to run this operation"
        ),
        .missingConfiguration: (403, "This feature is not configured for this collection"),
        .entityNotFound: (404, "This entity not found in the collection"),
        .appNotFound: (404, "This app backend not found"),
        .userNotFound: (404, "This user does not exist for this app backend"),
        .pathNotFound: (404, "The service has nothing at this path"),
        .methodNotAllowed: (405, "The method is not allowed for this resource"),
        .userAlreadyExists: (
            409, "This username is already taken. Please retry your request with a different username"
        ),
        .staleRequest: (409, "A later request of this client was already acted on for this entity"),
        .preconditionFailed: (412, "The entity is not in the state that the request demands"),
        .requestLimitExceeded: (429, "Too many requests"),
        .internalErrorRetry: (500, "The server encountered an unexpected error. Please retry your request"),
        .serviceUnavailable: (503, "The service cannot answer now; nothing was changed"),
    ]
}
