extension ByteStream {
    /// True when the text is one JSON list, by its first byte; nothing is consumed.
    ///
    /// - Returns: false for lines, and for no text.
    /// - Throws: what the source throws.
    package mutating func beginsList() throws(QueryError) -> Bool {
        try firstByte(within: Limits.default.rowBytes) == UInt8(ascii: "[")
    }

    /// Takes whole lines of the text.
    ///
    /// - Parameter bytes: the approximate number to take; a longer line is taken whole.
    /// - Returns: the lines with their line endings, possibly without the last one; nil after the last.
    /// - Throws: what the source throws.
    package mutating func takeLines(about bytes: Int) throws(QueryError) -> [UInt8]? {
        while count < bytes, !isAtEnd { try fill() }
        var searched = 0
        while true {
            let end = try withUnread { (unread) throws(QueryError) in unread.linesEnd(from: searched) }
            searched = count
            // A line beyond every bound is taken as is; whoever reads it reports the error.
            let isWhole = isAtEnd || (end == nil && searched > Limits.default.rowBytes)
            guard let taken = isWhole ? count : end else {
                try fill()
                continue
            }
            if taken == 0 { return nil }
            let lines = try withUnread { (unread) throws(QueryError) in Array(unread.prefix(taken)) }
            consume(taken)
            return lines
        }
    }
}
