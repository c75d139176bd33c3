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
    /// - Parameter bytes: about so many, or one line that is longer.
    /// - Returns: the lines with their ends, the last one perhaps without; nil after the last.
    /// - Throws: what the source throws.
    package mutating func takeLines(about bytes: Int) throws(QueryError) -> [UInt8]? {
        while count < bytes, !isAtEnd { try fill() }
        var searched = 0
        while true {
            let end = try withUnread { (unread) throws(QueryError) in unread.linesEnd(from: searched) }
            searched = count
            // A line beyond every bound is taken as it is, so that whoever reads it says so.
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
