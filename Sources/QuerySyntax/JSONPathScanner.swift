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

/// One pass over the text of an object that keeps the values of some paths only, and checks all the rest.
///
/// It knows the common form of a text and no other: where it gives up, ``JSONReader`` reads the text, and its answer or
/// its error counts. So everything here may be refused, and nothing that the reader refuses may be accepted.
///
/// Bytes are read through a pointer without bounds: the text ends in a terminator, a byte that no JSON token goes on
/// with, and every loop stops there; steps of eight bytes look at the end first.
struct JSONPathScanner {
    typealias Position = UnsafePointer<UInt8>

    /// Deeper texts are the reader's: the recursion here stays shallow.
    static let deepest = 48

    /// A key that some path goes through; the first stands for the object itself.
    struct Place {
        /// The slot of the path that ends here, or -1.
        var slot: Int32 = -1
        /// The keys below.
        var children: [(key: String, place: Int32)] = []
        /// The root of the keys of objects at this place.
        var root: Int32
    }

    private var places: [Place]
    private let needsWholeRows: Bool
    var keys = ShapePool()
    var row: FlatRow
    /// Reads what is wanted whole and has parts.
    private var values: JSONScanner
    let depthLimit: Int
    let isExtended: Bool
    /// One after the terminator of the text; set when a scan begins.
    private(set) var end = Self.nowhere
    /// Stands for the end of no text; never read and never freed.
    private nonisolated(unsafe) static let nowhere = Position(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
    /// True when a line feed ends texts; else a zero byte does, and a line feed is white space.
    let isLine: Bool

    init(_ paths: RowPaths, mode: JSONMode, depthLimit: Int, ofLines isLine: Bool) {
        self.isLine = isLine
        self.depthLimit = depthLimit
        isExtended = if case .extended = mode { true } else { false }
        row = FlatRow(paths)
        needsWholeRows = paths.needWholeRows
        places = [Place(root: ShapePool.root)]
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        values = JSONScanner(bytes: none, mode: mode, depthLimit: depthLimit, shapes: ShapePool())
        places[0].root = keys.addRoot() ?? ShapePool.root
        for (slot, path) in paths.paths.enumerated() { add(path, slot: Int32(slot)) }
    }

    private mutating func add(_ path: [String], slot: Int32) {
        var at = 0
        for key in path {
            if let known = places[at].children.first(where: { $0.key.hasSameUTF8(as: key) }) {
                at = Int(known.place)
                continue
            }
            places[at].children.append((key, Int32(places.count)))
            at = places.count
            places.append(Place(root: keys.addRoot() ?? ShapePool.root))
        }
        places[at].slot = slot
    }

    /// Reads one object with its terminator into ``row``.
    ///
    /// - Returns: the position after the terminator, or nil when the text is the reader's.
    mutating func scan(from start: Position, to end: Position) -> Position? {
        if needsWholeRows { return nil }
        self.end = end
        row.begin()
        var at = start
        skipSpace(&at)
        guard at.pointee == UInt8(ascii: "{"), depthLimit > 0, var at = object(at + 1, place: 0, depth: 1) else {
            return nil
        }
        skipSpace(&at)
        guard at.pointee == (isLine ? UInt8(ascii: "\n") : 0) else { return nil }
        row.finish()
        return at + 1
    }

    /// Fills ``row`` from an object that the reader has read.
    mutating func take(_ object: Document) {
        if needsWholeRows { return row.take(object) }
        row.begin()
        for child in places[0].children {
            if let inner = object[child.key] { keep(inner, place: child.place) }
        }
        row.finish()
    }

    /// Reads an object after its opening; keys of the place's children give values.
    private mutating func object(_ start: Position, place: Int32, depth: Int) -> Position? {
        guard depth <= Self.deepest, depth <= depthLimit else { return nil }
        var at = start
        var node = places[Int(place)].root
        skipSpace(&at)
        if at.pointee == UInt8(ascii: "}") { return at + 1 }
        while true {
            guard key(&at, &node, place: place) else { return nil }
            let mark = keys.mark(node)
            guard let next = mark < 0 ? skipValue(at, depth: depth) : value(at, place: mark, depth: depth) else {
                return nil
            }
            at = next
            skipSpace(&at)
            let byte = at.pointee
            at += 1
            if byte == UInt8(ascii: "}") { return at }
            guard byte == UInt8(ascii: ",") else { return nil }
            skipSpace(&at)
        }
    }

    /// Reads a key and its colon, up to the first byte of the value; the place is the object's, or -1 for one that is
    /// skipped.
    @inline(__always)
    mutating func key(_ at: inout Position, _ node: inout Int32, place: Int32) -> Bool {
        guard at.pointee == UInt8(ascii: "\"") else { return false }
        at += 1
        let rest = UnsafeBufferPointer(start: at, count: end - at)
        var length = 0
        if let known = keys.step(from: node, rest, at: &length) {
            node = known
            at += length
        } else if !newKey(&at, &node, place: place) {
            return false
        }
        if isExtended && keys.hasDollar(node) { return false }
        if at.pointee != UInt8(ascii: ":") {
            skipSpace(&at)
            guard at.pointee == UInt8(ascii: ":") else { return false }
        }
        at += 1
        skipSpace(&at)
        return true
    }

    /// A key that no object had at this place before: two equal keys are found here.
    @inline(never)
    private mutating func newKey(_ at: inout Position, _ node: inout Int32, place: Int32) -> Bool {
        guard let key = string(&at) else { return false }
        let known = keys.keys(of: node)
        guard !known.contains(where: { $0.hasSameUTF8(as: key.text) }),
            let added = keys.add(key.text, spelled: key.spelling, after: node)
        else { return false }
        node = added
        if place >= 0, let child = places[Int(place)].children.first(where: { $0.key.hasSameUTF8(as: key.text) }) {
            keys.setMark(child.place, of: added)
        }
        return true
    }

    private mutating func string(_ at: inout Position) -> (text: String, spelling: UnsafeBufferPointer<UInt8>)? {
        guard let after = skipString(at), let text = values.text(UnsafeBufferPointer(start: at, count: after - at))
        else {
            return nil
        }
        defer { at = after }
        return (text, UnsafeBufferPointer(start: at, count: after - at - 1))
    }
}

extension JSONPathScanner {
    /// Reads the value at a place, and keeps what the paths ask of it.
    private mutating func value(_ at: Position, place: Int32, depth: Int) -> Position? {
        let slot = places[Int(place)].slot
        switch at.pointee {
        case UInt8(ascii: "{"):
            // An object whose first key has a `$` stands for a value.
            if slot >= 0 || (isExtended && beginsWithDollar(at + 1)) { return whole(at, place: place, depth: depth) }
            return object(at + 1, place: place, depth: depth + 1)
        case UInt8(ascii: "["):
            return whole(at, place: place, depth: depth)
        case _ where slot < 0:
            return skipValue(at, depth: depth)
        case UInt8(ascii: "\""):
            return text(at + 1, slot: slot)
        case UInt8(ascii: "t"):
            row.set(slot, .bool(true))
            return skipWord(at, "true")
        case UInt8(ascii: "f"):
            row.set(slot, .bool(false))
            return skipWord(at, "false")
        case UInt8(ascii: "n"):
            row.set(slot, .null)
            return skipWord(at, "null")
        default:
            return number(at, slot: slot)
        }
    }

    @inline(__always)
    private mutating func text(_ at: Position, slot: Int32) -> Position? {
        guard let after = skipString(at, allowsEscapes: false) else { return whole(at - 1, slot: slot) }
        row.set(slot, .string(String(decoding: UnsafeBufferPointer(start: at, count: after - at - 1), as: UTF8.self)))
        return after
    }

    @inline(__always)
    private mutating func number(_ start: Position, slot: Int32) -> Position? {
        var at = start
        let isNegative = at.pointee == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let digits = at
        var magnitude: Int64 = 0
        while at.pointee &- UInt8(ascii: "0") < 10 {
            magnitude = magnitude &* 10 &+ Int64(at.pointee &- UInt8(ascii: "0"))
            at += 1
        }
        let count = at - digits
        let isPlain =
            at.pointee != UInt8(ascii: ".") && at.pointee | 0x20 != UInt8(ascii: "e")
            && count > 0 && count <= 18 && (digits.pointee != UInt8(ascii: "0") || count == 1)
        guard isPlain else { return whole(start, slot: slot) }
        row.set(slot, .int(isNegative ? -magnitude : magnitude))
        return at
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

    private mutating func keep(_ value: QueryValue, place: Int32) {
        let place = places[Int(place)]
        if place.slot >= 0 { row.set(place.slot, value) }
        for child in place.children {
            if let inner = value.following(child.key) { keep(inner, place: child.place) }
        }
    }

    /// Reads a value as the reader does, or gives nil where it would throw.
    mutating func read(_ at: Position, depth: Int) -> (QueryValue, Position)? {
        // The terminator is white space to the reader of values, so the text ends before it.
        guard let terminator = memchr(at, isLine ? 0x0A : 0, end - at) else { return nil }
        let rest = UnsafeBufferPointer(start: at, count: UnsafeRawPointer(terminator) - UnsafeRawPointer(at))
        do throws(JSONFault) {
            let value = try values.value(at: rest, depthLimit: depthLimit - depth)
            return (value, at + values.index)
        } catch {
            return nil
        }
    }

    @inline(__always)
    func beginsWithDollar(_ start: Position) -> Bool {
        var at = start
        skipSpace(&at)
        // An escape may spell the sign; the reader of values finds out.
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
