import PredicateQL

extension Checks {
    /// Generated queries are queries: they parse, print and re-parse.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func roundTrip(_ bytes: [UInt8]) {
        var source = ByteSource(bytes)
        let (text, arguments) = QueryGenerator.query(&source)
        do {
            let query = try Query(parsing: text, arguments: arguments)
            requireFixedPoint(query, of: text)
        } catch {
            // A generated text may be no LIKE pattern; all else must parse.
            require(error.code == .pattern, "\(text) \(arguments): \(error)")
        }
    }
}
