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
/// with, and every loop stops there; behind it ``ByteStream/padding`` bytes may be read, which no step exceeds.
struct JSONPathScanner {
    typealias Position = UnsafePointer<UInt8>

    /// Deeper texts are the reader's: the recursion here stays shallow.
    static let deepest = 48

    /// A key that some path goes through; the first stands for the object itself.
    private struct Place {
        /// The slot of the path that ends here, or -1.
        var slot: Int32 = -1
        /// The root of the keys of objects at this place.
        var root: Int32
    }

    private var places: ContiguousArray<Place> = []
    /// The keys below each place.
    private var children: [[(key: String, place: Int32)]] = []
    private let needsWholeRows: Bool
    private var pool = ShapePool()
    let keys = KeyTree()
    private(set) var row: FlatRow
    /// Reads what is wanted whole and has parts.
    private var values: JSONScanner
    /// Levels that are gone down here, and those that the reader goes down.
    let depthLimit: Int
    private let levels: Int
    let isExtended: Bool
    /// One after the terminator of the text.
    private var end: Position?
    /// True when a line feed ends texts; else a zero byte does, and a line feed is white space.
    let isLine: Bool

    init(_ paths: RowPaths, mode: JSONMode, depthLimit: Int, ofLines isLine: Bool) {
        self.isLine = isLine
        self.depthLimit = min(depthLimit, Self.deepest)
        levels = depthLimit
        isExtended = if case .extended = mode { true } else { false }
        row = FlatRow(paths)
        needsWholeRows = paths.needWholeRows
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        values = JSONScanner(bytes: none, mode: mode, depthLimit: depthLimit, shapes: ShapePool())
        keys.add(ShapePool.root, spelled: none, after: -1, place: -1)
        _ = addPlace()
        for (slot, path) in paths.paths.enumerated() { add(path, slot: Int32(slot)) }
    }

    private mutating func add(_ path: [String], slot: Int32) {
        var at = 0
        for key in path {
            if let known = children[at].first(where: { $0.key.hasSameUTF8(as: key) }) {
                at = Int(known.place)
            } else {
                let place = addPlace()
                children[at].append((key, Int32(place)))
                at = place
            }
        }
        places[at].slot = slot
    }

    private mutating func addPlace() -> Int {
        let root = pool.addRoot() ?? ShapePool.root
        keys.add(root, spelled: UnsafeBufferPointer(start: nil, count: 0), after: -1, place: -1)
        places.append(Place(root: root))
        children.append([])
        return places.count - 1
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
        for child in children[0] {
            if let inner = object[child.key] { keep(inner, place: child.place) }
        }
        row.finish()
    }

    /// Reads an object after its opening; keys of the place's children give values.
    private mutating func object(_ start: Position, place: Int32, depth: Int) -> Position? {
        guard depth <= depthLimit else { return nil }
        var at = start
        var node = places[Int(place)].root
        skipSpace(&at)
        if at.pointee == UInt8(ascii: "}") { return at + 1 }
        while true {
            guard let start = key(at, &node, place: place) else { return nil }
            let inner = keys.nodes[Int(node)].place
            guard let next = inner < 0 ? skipValue(start, depth: depth) : value(start, place: inner, depth: depth)
            else { return nil }
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
    mutating func key(_ quote: Position, _ node: inout Int32, place: Int32) -> Position? {
        guard quote.pointee == UInt8(ascii: "\"") else { return nil }
        var at = quote + 1
        let known = keys.step(from: node, at: at)
        if known >= 0 {
            node = known
            at += Int(keys.nodes[Int(known)].length)
            if isExtended && keys.nodes[Int(known)].hasDollar { return nil }
        } else {
            guard let next = otherKey(at, &node, place: place) else { return nil }
            at = next
        }
        if at.pointee != UInt8(ascii: ":") {
            skipSpace(&at)
            guard at.pointee == UInt8(ascii: ":") else { return nil }
        }
        at += 1
        skipSpace(&at)
        return at
    }

    /// A long key, or one that no object had at this place before: two equal keys are found here.
    @inline(never)
    private mutating func otherKey(_ start: Position, _ node: inout Int32, place: Int32) -> Position? {
        var at = start
        guard let key = string(&at) else { return nil }
        var length = 0
        let text = UnsafeBufferPointer(start: start, count: key.spelling.count + 1)
        if let known = pool.step(from: node, text, at: &length) {
            node = known
        } else {
            guard !pool.keys(of: node).contains(where: { $0.hasSameUTF8(as: key.text) }),
                let added = pool.add(key.text, spelled: key.spelling, after: node)
            else { return nil }
            let child = place < 0 ? nil : children[Int(place)].first { $0.key.hasSameUTF8(as: key.text) }
            keys.add(added, spelled: key.spelling, after: node, place: child?.place ?? -1)
            node = added
        }
        return isExtended && pool.hasDollar(node) ? nil : at
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
        guard let number = Self.plainNumber(&at) else { return whole(start, slot: slot) }
        row.set(slot, number)
        return at
    }

    /// A number of few digits and without an exponent, which is exact as it is read.
    @inline(__always)
    private static func plainNumber(_ at: inout Position) -> QueryValue? {
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

    private mutating func keep(_ value: QueryValue, place: Int32) {
        if places[Int(place)].slot >= 0 { row.set(places[Int(place)].slot, value) }
        for child in children[Int(place)] {
            if let inner = value.following(child.key) { keep(inner, place: child.place) }
        }
    }

    /// Reads a value as the reader does, or gives nil where it would throw.
    mutating func read(_ at: Position, depth: Int) -> (QueryValue, Position)? {
        // The terminator is white space to the reader of values, so the text ends before it.
        guard let end, let terminator = memchr(at, isLine ? 0x0A : 0, end - at) else { return nil }
        let rest = UnsafeBufferPointer(start: at, count: UnsafeRawPointer(terminator) - UnsafeRawPointer(at))
        do throws(JSONFault) {
            let value = try values.value(at: rest, depthLimit: levels - depth)
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
