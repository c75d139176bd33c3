extension LikePattern.Segment {
    /// The end of a match that starts at a position, or nil.
    func end(in text: Folding.Bytes, from start: Int) -> Int? {
        Self.end(of: parts[...], in: text, from: start)
    }

    private static func end(of parts: ArraySlice<LikePattern.Part>, in text: Folding.Bytes, from start: Int) -> Int? {
        var position = start
        for part in parts {
            switch part {
            case .one:
                guard position < text.count else { return nil }
                position += Folding.decode(text, at: position)?.length ?? 1
            case .bytes(let bytes):
                guard stand(bytes, in: text, at: position) else { return nil }
                position += bytes.count
            }
        }
        return position
    }

    /// The start of a match that ends with the text, or nil.
    func start(in text: Folding.Bytes) -> Int? {
        var position = text.count
        for part in parts.reversed() {
            switch part {
            case .one:
                guard position > 0 else { return nil }
                position -= Self.lengthOfScalar(in: text, before: position)
            case .bytes(let bytes):
                guard Self.stand(bytes, in: text, at: position - bytes.count) else { return nil }
                position -= bytes.count
            }
        }
        return position
    }

    /// The end of the first match at or after a position, or nil.
    func firstEnd(in text: Folding.Bytes, from start: Int) -> Int? {
        // Leading `?` take the next scalars, as they would after any other match of the `*` before them.
        let ones = parts.prefix { $0 == .one }
        guard var position = Self.end(of: ones, in: text, from: start) else { return nil }
        let rest = parts.dropFirst(ones.count)
        guard case .bytes(let literal)? = rest.first else { return position }
        while let found = literal.withUnsafeBufferPointer({ Folding.offset(of: $0, in: text, from: position) }) {
            if let end = Self.end(of: rest.dropFirst(), in: text, from: found + literal.count) { return end }
            position = found + 1
        }
        return nil
    }

    private static func stand(_ bytes: [UInt8], in text: Folding.Bytes, at position: Int) -> Bool {
        guard position >= 0, position <= text.count else { return false }
        return bytes.withUnsafeBufferPointer { Folding.isPrefix(Folding.Bytes(rebasing: text[position...]), $0) }
    }

    private static func lengthOfScalar(in text: Folding.Bytes, before end: Int) -> Int {
        var start = end - 1
        while start > 0, end - start < 4, text[start] & 0xC0 == 0x80 { start -= 1 }
        let length = end - start
        return Folding.decode(text, at: start)?.length == length ? length : 1
    }
}
