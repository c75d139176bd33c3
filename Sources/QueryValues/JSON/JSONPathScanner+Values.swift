#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif canImport(ucrt)
    import ucrt
#elseif canImport(Darwin)
    import Darwin
#endif

// The values that paths need.

extension JSONPathScanner {
    /// Reads the value at a position, and keeps what the paths need of it.
    mutating func value(_ at: Position, place: Int32, depth: Int) -> Position? {
        let slot = places[Int(place)].slot
        switch at.pointee {
        case UInt8(ascii: "{"):
            // An object whose first key starts with `$` represents a value.
            if slot >= 0 || (isExtended && startsWithDollar(at + 1)) { return whole(at, place: place, depth: depth) }
            return object(at, place: place, depth: depth + 1)
        case UInt8(ascii: "["):
            return list(at, place: place, depth: depth) ?? whole(at, place: place, depth: depth)
        case _ where slot < 0:
            return skipValue(at, under: ShapePool.root, depth: depth)
        default:
            var after = at
            guard let value = scalar(&after) else { return whole(at, slot: slot) }
            row.set(slot, value)
            return after
        }
    }

    /// Reads a text, number or literal in its common form; nil for anything else, which the reader handles.
    @inline(__always)
    mutating func scalar(_ at: inout Position) -> QueryValue? {
        switch at.pointee {
        case UInt8(ascii: "\""):
            guard let after = skipString(at + 1, allowsEscapes: false) else { return .none }
            defer { at = after }
            return .string(texts.text(at + 1, after - at - 2))
        case UInt8(ascii: "t"): return word(&at, "true", .bool(true))
        case UInt8(ascii: "f"): return word(&at, "false", .bool(false))
        case UInt8(ascii: "n"): return word(&at, "null", .null)
        default: return Self.plainNumber(&at)
        }
    }

    @inline(__always)
    private func word(_ at: inout Position, _ word: StaticString, _ value: QueryValue) -> QueryValue? {
        guard let after = skipWord(at, word) else { return .none }
        at = after
        return value
    }

    /// A number with few digits and without an exponent, which is exact.
    @inline(__always)
    static func plainNumber(_ at: inout Position) -> QueryValue? {
        let isNegative = at.pointee == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let digits = at
        var decimal = Decimal19()
        decimal.append(digitsAt: &at)
        let count = at - digits
        guard count > 0, count <= 18, digits.pointee != UInt8(ascii: "0") || count == 1 else { return nil }
        if at.pointee == UInt8(ascii: ".") {
            at += 1
            let fraction = at
            decimal.append(digitsAt: &at)
            decimal.exponent = fraction - at
            guard decimal.exponent < 0, at.pointee | 0x20 != UInt8(ascii: "e"), let double = decimal.exactDouble else {
                return nil
            }
            return .double(isNegative ? -double : double)
        }
        guard at.pointee | 0x20 != UInt8(ascii: "e"), let int = decimal.int(negative: isNegative) else { return nil }
        return .int(int)
    }

    /// Reads a value in full for one slot.
    @inline(never)
    private mutating func whole(_ at: Position, slot: Int32) -> Position? {
        guard let (value, after) = read(at, depth: 0) else { return nil }
        row.set(slot, value)
        return after
    }

    /// Reads a value in full, for its own slot and for the paths that go through it.
    @inline(never)
    private mutating func whole(_ at: Position, place: Int32, depth: Int) -> Position? {
        guard let (value, after) = read(at, depth: depth) else { return nil }
        keep(value, place: place)
        return after
    }

    mutating func keep(_ value: QueryValue, place: Int32) {
        if places[Int(place)].slot >= 0 { row.set(places[Int(place)].slot, value) }
        for child in children[Int(place)] {
            if let inner = value.following(child.key) { keep(inner, place: child.place) }
        }
    }

    /// Reads a value as the reader does, or returns nil where it would throw.
    mutating func read(_ at: Position, depth: Int) -> (QueryValue, Position)? {
        // The terminator is white space to the value reader, so the text ends before it.
        guard let end else { return nil }
        if terminator == nil {
            let found = memchr(at, isLine ? 0x0A : 0, end - at)
            terminator = found.map { at + (UnsafeRawPointer($0) - UnsafeRawPointer(at)) }
        }
        guard let terminator else { return nil }
        let rest = UnsafeBufferPointer(start: at, count: terminator - at)
        do throws(JSONFault) {
            let value = try values.value(at: rest, depthLimit: levels - depth)
            return (value, at + values.index)
        } catch {
            return nil
        }
    }

    @inline(__always)
    func startsWithDollar(_ start: Position) -> Bool {
        var at = start
        skipSpace(&at)
        // An escape may encode the sign; the value reader handles it.
        return at.pointee == UInt8(ascii: "\"") && (at[1] == UInt8(ascii: "$") || at[1] == UInt8(ascii: "\\"))
    }
}

extension JSONScanner {
    /// The text of a string by its characters and closing quote.
    mutating func text(_ rest: UnsafeBufferPointer<UInt8>) -> String? {
        restart(rest)
        return try? string()
    }
}
