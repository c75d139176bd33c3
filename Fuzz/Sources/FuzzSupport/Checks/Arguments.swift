import PredicateQL

extension Checks {
    /// Arguments of every kind in any text: none of them changes the shape of the query.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func arguments(_ bytes: [UInt8]) {
        var source = ByteSource(bytes)
        let count = source.below(5)
        let arguments = (0..<count).map { _ in argument(&source, depth: 0) }
        let text = source.rest()
        do {
            let query = try Query(parsing: text, arguments: arguments)
            requireFixedPoint(query, of: text)
        } catch {
            requireSound(error, in: text)
        }
    }
}

private func argument(_ source: inout ByteSource, depth: Int) -> QueryValue {
    switch source.below(depth > 3 ? 8 : 10) {
    case 0: .null
    case 1: .bool(source.below(2) == 0)
    case 2: .int(Int64(Int8(bitPattern: source.byte())))
    case 3: .double(Double(source.byte()) / 4)
    case 4: .double(source.pick([.nan, .infinity, -.infinity, -0.0, 1e308]))
    case 5: .date(Int64(source.byte()) * 1_000_003)
    case 6: .data([source.byte(), source.byte()])
    case 7: .string(source.text(12))
    case 8: .list((0..<source.below(4)).map { _ in argument(&source, depth: depth + 1) })
    default: .object(Document(pairs: [(source.text(4), argument(&source, depth: depth + 1))]))
    }
}
