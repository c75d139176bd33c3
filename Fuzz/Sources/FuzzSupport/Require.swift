import PredicateQL

/// Stops the fuzzer, so that it keeps the input, when something that must hold does not.
///
/// - Parameters:
///   - condition: what must hold.
///   - message: what broke, with the input as a person would read it.
public func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

/// An error must have a listed code and a range in its text.
///
/// - Parameters:
///   - error: the error.
///   - text: the format string.
public func requireSound(_ error: QueryError, in text: String) {
    require(QueryError.Code.all.contains(error.code), "unlisted code \(error.code) for \(text)")
    require(!error.message.isEmpty, "no message for \(text)")
    if let range = error.range {
        let length = (error.source ?? text).utf8.count
        require(range.lowerBound >= 0 && range.upperBound <= length, "range \(range) of \(length) bytes: \(text)")
    }
    require(!error.rendered().isEmpty, "no picture for \(text)")
}

/// Canonical text and arguments must parse to the same tree and print the same again.
///
/// - Parameters:
///   - query: a query that was parsed.
///   - text: the text it came from.
public func requireFixedPoint(_ query: Query, of text: String) {
    let format = query.format
    do {
        let again = try Query(parsing: format, arguments: query.arguments)
        require(again.condition == query.condition, "\(text)\nprints \(format)\nwhich is another tree")
        require(again.format == format, "\(text)\nprints \(format)\nthen \(again.format)")
    } catch {
        fatalError("\(text)\nprints \(format)\nwhich is no query: \(error.message)")
    }
}
