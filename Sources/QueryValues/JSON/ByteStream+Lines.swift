extension ByteStream {
    /// True when the text is one JSON list, by its first byte; nothing is consumed.
    ///
    /// - Returns: false for lines, and for no text.
    /// - Throws: what the source throws.
    package mutating func beginsList() throws(QueryError) -> Bool {
        try firstByte(within: Limits.default.rowBytes) == UInt8(ascii: "[")
    }

    /// Takes as many of the next whole lines as fit, at the end of the text what is left; reads them to their place.
    ///
    /// - Parameter target: where the lines go.
    /// - Returns: their length; 0 after the last; nil if the next line does not fit.
    /// - Throws: what the source throws.
    package mutating func takeLines(into target: UnsafeMutableRawBufferPointer) throws(QueryError) -> Int? {
        let isWhole = isAtEnd && count <= target.count
        let atHand = try withUnread { (unread) throws(QueryError) in
            let part = UnsafeBufferPointer(rebasing: unread.prefix(target.count))
            target.copyBytes(from: part)
            return isWhole ? part.count : part.linesEnd(from: 0)
        }
        if let atHand {
            consume(atHand)
            return atHand
        }
        if count >= target.count { return nil }
        var held = count
        consume(held)
        while true {
            let more = try read(into: UnsafeMutableRawBufferPointer(rebasing: target[held...]))
            let lines = UnsafeRawBufferPointer(rebasing: target[..<(held + more)]).bindMemory(to: UInt8.self)
            let end = more == 0 ? held : lines.linesEnd(from: held)
            held += more
            if end != nil || held == target.count {
                keep(UnsafeRawBufferPointer(rebasing: target[(end ?? 0)..<held]))
                return end
            }
        }
    }
}
