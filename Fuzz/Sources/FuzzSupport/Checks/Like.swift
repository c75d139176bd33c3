import PredicateQL

extension Checks {
    /// LIKE against the plainest matcher there is, over scalars.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func like(_ bytes: [UInt8]) {
        var source = ByteSource(bytes)
        let pattern = source.text(12)
        let subject = source.rest()
        let expected = isMatch(Array(subject.unicodeScalars), pieces(of: pattern))
        do {
            let query = try Query(format: "s LIKE %@", arguments: [.string(pattern)])
            let holds = try query.matches(["s": .string(subject)] as Document)
            require(holds == expected, "'\(subject)' LIKE '\(pattern)' is \(holds)")
        } catch {
            require(expected == nil, "'\(subject)' LIKE '\(pattern)' throws \(error)")
        }
    }
}

private enum Piece {
    case any, one
    case scalar(Unicode.Scalar)
}

/// Nil for a pattern that ends in a lone backslash.
private func pieces(of pattern: String) -> [Piece]? {
    var pieces: [Piece] = []
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
        switch scalar {
        case "*": pieces.append(.any)
        case "?": pieces.append(.one)
        case "\\":
            guard let next = scalars.next() else { return nil }
            pieces.append(.scalar(next))
        default: pieces.append(.scalar(scalar))
        }
    }
    return pieces
}

private func isMatch(_ subject: [Unicode.Scalar], _ pattern: [Piece]?) -> Bool? {
    guard let pattern else { return nil }
    var reached = [true] + Array(repeating: false, count: subject.count)
    for piece in pattern {
        var next = Array(repeating: false, count: subject.count + 1)
        for position in 0...subject.count where reached[position] {
            switch piece {
            case .any: for end in position...subject.count { next[end] = true }
            case .one: if position < subject.count { next[position + 1] = true }
            case .scalar(let scalar):
                if position < subject.count, subject[position] == scalar { next[position + 1] = true }
            }
        }
        reached = next
    }
    return reached[subject.count]
}
