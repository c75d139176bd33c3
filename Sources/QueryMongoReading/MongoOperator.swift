import QueryTree
import QueryValues

/// The operators of a find filter: what the reader knows about each.
package enum MongoOperator: String, CaseIterable {
    case equal = "$eq"
    case notEqual = "$ne"
    case greater = "$gt"
    case greaterOrEqual = "$gte"
    case less = "$lt"
    case lessOrEqual = "$lte"
    case `in` = "$in"
    case notIn = "$nin"
    case not = "$not"
    case exists = "$exists"
    case type = "$type"
    case regex = "$regex"
    case options = "$options"
    case regularExpression = "$regularExpression"
    case all = "$all"
    case size = "$size"
    case elementMatch = "$elemMatch"
    case modulus = "$mod"
    case geoWithin = "$geoWithin"
    /// The older name of `$geoWithin`, which Kinvey's SDKs write.
    case within = "$within"
    case near = "$near"
    case nearSphere = "$nearSphere"
    case maxDistance = "$maxDistance"
    case minDistance = "$minDistance"
    case and = "$and"
    case or = "$or"
    case nor = "$nor"
    case expression = "$expr"
    case comment = "$comment"
    case alwaysTrue = "$alwaysTrue"
    case alwaysFalse = "$alwaysFalse"

    /// Where an operator is allowed.
    enum Position {
        /// Next to fields: `{"$or": […]}`.
        case filter
        /// Below a field: `{"age": {"$gt": 21}}`.
        case field
    }

    var place: Position {
        switch self {
        case .and, .or, .nor, .expression, .comment, .alwaysTrue, .alwaysFalse: .filter
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual, .in, .notIn, .not, .exists, .type,
            .regex, .options, .regularExpression, .all, .size, .elementMatch, .modulus, .geoWithin,
            .within, .near, .nearSphere, .maxDistance, .minDistance:
            .field
        }
    }

    /// True if it contains other operators.
    var holdsFilters: Bool {
        switch self {
        case .not, .all, .elementMatch, .and, .or, .nor, .expression: true
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual, .in, .notIn, .exists, .type, .regex,
            .options, .regularExpression, .size, .modulus, .geoWithin, .within, .near, .nearSphere, .maxDistance,
            .minDistance, .comment,
            .alwaysTrue, .alwaysFalse:
            false
        }
    }

    /// The comparison of `< <= > >=`.
    var order: Comparison.Operator? {
        switch self {
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        default: nil
        }
    }

    /// The operator of a key, or the error for one that is not allowed here.
    ///
    /// - Throws: `unsupported` for server operators that no query can express, `unknownOperator` for all others, `json`
    ///   for one in the wrong place.
    static func named(_ key: String, _ place: Position, at node: MongoNode) throws(QueryError) -> MongoOperator {
        guard let known = MongoOperator(rawValue: key) else {
            if let reason = refused[key] { throw node.unsupported("\(key) is not supported: \(reason)") }
            if bsonKinds.contains(key) { throw node.unsupported(QueryValue.refusal(ofExtendedJSONKey: key)) }
            throw node.error(
                .unknownOperator,
                "unknown operator \(key)",
                hint: "known here: " + allCases.filter { $0.place == place }.map(\.rawValue).joined(separator: " ")
            )
        }
        guard known.place == place else {
            throw node.wrong(
                known.place == .field ? "\(key) must be below a field" : "\(key) must be next to fields"
            )
        }
        return known
    }

    /// BSON values that queries do not have.
    private static let bsonKinds: Set<String> = [
        "$minKey", "$maxKey", "$timestamp", "$code", "$symbol", "$undefined", "$dbPointer",
    ]

    /// Server operators that no query can express, and why.
    static let refused: [String: String] = [
        "$match": "it is a stage of a pipeline; write the filter that it holds",
        "$where": "it runs the sender's code",
        "$function": "it runs the sender's code",
        "$accumulator": "it runs the sender's code",
        "$text": "its matches depend on the server's text index",
        "$search": "its matches depend on the server's text index",
        "$jsonSchema": "a query cannot test whole schemas",
        "$geoIntersects": "a query cannot test shapes against shapes",
        "$bitsAllSet": "a query cannot test bits",
        "$bitsAnySet": "a query cannot test bits",
        "$bitsAllClear": "a query cannot test bits",
        "$bitsAnyClear": "a query cannot test bits",
        "$rand": "its results change from run to run",
        "$sampleRate": "its results change from run to run",
    ]
}
