import QueryValues

/// Reads some members of rows whose texts were validated before, and passes over the others.
struct JSONMembers {
    private let names: [[UInt8]]
    /// The names that the row being read has, in its order.
    private var found: [Int] = []
    /// Those of the row before, and their shape.
    private var last: (found: [Int], shape: Shape) = ([], .empty)

    /// Members by their keys.
    ///
    /// - Parameter names: the stored names; each once.
    init(_ names: [String]) { self.names = names.map { Array($0.utf8) } }

    /// The members of a row in its order.
    ///
    /// - Parameters:
    ///   - text: a row, valid JSON.
    ///   - reader: reads the values.
    /// - Returns: the members; nil if the row must be read whole, because a key is escaped or begins with `$`.
    mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ reader: inout JSONReader) -> Document? {
        found.removeAll(keepingCapacity: true)
        var values: [QueryValue] = []
        values.reserveCapacity(names.count)
        var at = Self.afterSpace(in: text, 0)
        guard at < text.count, text[at] == UInt8(ascii: "{") else { return nil }
        repeat {
            at = Self.afterSpace(in: text, at + 1)
            guard at < text.count else { return nil }
            // The object is empty.
            if text[at] == UInt8(ascii: "}") { break }
            guard let key = Self.key(in: text, at) else { return nil }
            let start = Self.afterSpace(in: text, Self.afterSpace(in: text, key.upperBound + 1) + 1)
            guard let end = Self.valueEnd(in: text, start) else { return nil }
            if let name = index(of: UnsafeBufferPointer(rebasing: text[key])) {
                guard let value = try? reader.read(UnsafeBufferPointer(rebasing: text[start..<end])) else { return nil }
                found.append(name)
                values.append(value)
            }
            at = Self.afterSpace(in: text, end)
        } while at < text.count && text[at] == UInt8(ascii: ",")
        if found != last.found { last = (found, Shape(keys: found.map { String(decoding: names[$0], as: UTF8.self) })) }
        return Document(shape: last.shape, values: values)
    }

    private func index(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        names.firstIndex { name in name.count == key.count && name.elementsEqual(key) }
    }

    /// The bytes of a plain key whose quote is at a position.
    private static func key(in text: UnsafeBufferPointer<UInt8>, _ quote: Int) -> Range<Int>? {
        guard text[quote] == UInt8(ascii: "\""), quote + 1 < text.count, text[quote + 1] != UInt8(ascii: "$") else {
            return nil
        }
        var at = quote + 1
        while at < text.count, text[at] != UInt8(ascii: "\"") {
            if text[at] == UInt8(ascii: "\\") { return nil }
            at += 1
        }
        return at < text.count ? quote + 1..<at : nil
    }

    /// The position after a value.
    private static func valueEnd(in text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var (at, depth) = (start, 0)
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\""):
                at += 1
                while at < text.count, text[at] != UInt8(ascii: "\"") {
                    at += text[at] == UInt8(ascii: "\\") ? 2 : 1
                }
                at += 1
                if depth == 0 { return at <= text.count ? at : nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                at += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of the row ends a number.
                if depth == 0 { return at }
                depth -= 1
                at += 1
                if depth == 0 { return at }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return at }
                at += 1
            default: at += 1
            }
        }
        return nil
    }

    private static func afterSpace(in text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < text.count, text[at] == 0x20 || text[at] == 0x09 || text[at] == 0x0A || text[at] == 0x0D { at += 1 }
        return at
    }
}
