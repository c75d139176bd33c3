import PredicateQL
import QueryBatch

extension Checks {
    /// Any line gets one answer line, which is a JSON object with an id.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func batch(_ bytes: [UInt8]) {
        let answer = BatchProcessor().answer(to: bytes)
        require(!answer.utf8.contains(UInt8(ascii: "\n")), "two lines: \(answer)")
        guard case .object(let object)? = try? QueryValue(json: answer) else { fatalError("no object: \(answer)") }
        require(object["id"] != nil, "no id: \(answer)")
        if case .object(let error)? = object["error"] {
            require(error.keys == ["code", "message", "range", "hint", "path", "fix"], "\(answer)")
            let others = object.keys.filter { !["id", "error", "tokens", "problems"].contains($0) }
            require(others.isEmpty, "outputs beside an error: \(answer)")
        }
    }
}
