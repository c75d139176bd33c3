import PredicateQL

extension Checks {
    /// Any bytes give a query that prints and re-parses, or an error whose range lies in the text.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func parse(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            requireFixedPoint(try Query(parsing: text, arguments: []), of: text)
        } catch {
            requireSound(error, in: text)
        }
    }
}
