import QueryValues

extension Kernel {
    /// The rows whose text matches a pattern (S16); a row that exceeds a limit is marked for evaluation on its own.
    static func matching(_ lane: Int, isOptional: Bool, _ pattern: RegexPattern) -> Kernel {
        Kernel(cost: 90) { batch, active, found, run in
            let lane = batch.lanes[lane]
            batch.mark(active, in: found) { row in
                guard lane.isValid(row) else { return false }
                if let matches = verdict(lane.cell(row), isOptional: isOptional, pattern) { return matches }
                run.trouble(row)
                return false
            }
        }
    }

    /// True if a cell's text matches; nil if the match exceeded a limit.
    private static func verdict(_ cell: UnsafeRawPointer, isOptional: Bool, _ pattern: RegexPattern) -> Bool? {
        if let text = Text(rawCell: cell) { return try? pattern.matches(valid: text.bytes) }
        // The plan chose this kernel for cells of `String` or `String?`.
        guard isOptional else { return try? pattern.matches(cell.assumingMemoryBound(to: String.self).pointee) }
        guard let text = cell.assumingMemoryBound(to: String?.self).pointee else { return false }
        return try? pattern.matches(text)
    }
}
