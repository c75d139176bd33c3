import QueryValues

extension Kernel {
    /// The rows whose text matches a pattern (S16); a row that exceeds a limit is marked for evaluation on its own.
    static func matching(_ lane: Int, isOptional: Bool, _ pattern: RegexPattern) -> Kernel {
        Kernel(cost: 90) { batch, active, found, run in
            let lane = batch.lanes[lane]
            for word in 0..<batch.words {
                var passed: UInt64 = 0
                var rest = active[word]
                while rest != 0 {
                    let bit = rest.trailingZeroBitCount
                    rest &= rest &- 1
                    let row = word << 6 | bit
                    guard lane.isValid(row) else { continue }
                    switch verdict(lane.cell(row), isOptional: isOptional, pattern) {
                    case true?: passed |= 1 << UInt64(bit)
                    case false?: break
                    case nil: run.trouble(row)
                    }
                }
                found[word] = passed
            }
        }
    }

    /// Whether a cell's text matches; nil if the match exceeded a limit.
    private static func verdict(_ cell: UnsafeRawPointer, isOptional: Bool, _ pattern: RegexPattern) -> Bool? {
        if let text = Text(rawCell: cell) { return try? pattern.matches(valid: text.bytes) }
        // The plan chose this kernel for cells of `String` or `String?`.
        guard isOptional else { return try? pattern.matches(cell.assumingMemoryBound(to: String.self).pointee) }
        guard let text = cell.assumingMemoryBound(to: String?.self).pointee else { return false }
        return try? pattern.matches(text)
    }
}
