/// One pass over the text of an object that keeps the values of some paths only, and validates the rest.
///
/// It handles only the common form of a text: where it gives up, ``JSONReader`` reads the text, and its result or error
/// counts. So it may reject anything, but must not accept anything that the reader rejects.
///
/// Bytes are read through a pointer without bounds checks: the text ends in a terminator, a byte that continues no JSON
/// token, and every loop stops there; after it ``ByteStream/padding`` bytes may be read, which no step exceeds.
struct JSONPathScanner {
    typealias Position = UnsafePointer<UInt8>

    /// Deeper texts are left to the reader, so that the recursion here stays shallow.
    static let deepest = 48

    /// A key that some path goes through; the first represents the object itself.
    struct PathKey {
        /// The slot of the path that ends here, or -1.
        var slot: Int32 = -1
        /// The root of the keys of objects at this place.
        var root: Int32
        /// Its index among its siblings, from 0.
        var number: Int32 = 0
        /// How a list is read here.
        var list = ListReading.whole
    }

    var places: ContiguousArray<PathKey> = []
    /// The keys below each place.
    var children: [[(key: String, place: Int32)]] = []
    /// The additional state for lists that are read in part.
    var lists: ListParts
    private let needsWholeRows: Bool
    /// True if there are not enough roots for the positions; the reader then reads all rows.
    private var hasTooManyPlaces = false
    private var pool = ShapePool()
    let keys = KeyTree()
    let texts = TextCache()
    var row: FlatRow
    /// Reads values that are needed whole but have parts.
    var values: JSONScanner
    /// The maximum depth, for this scanner and the reader.
    let depthLimit: Int
    let levels: Int
    let isExtended: Bool
    /// One after the terminator of the text.
    private(set) var end: Position?
    /// The terminator, once it was searched for: a row with many values for the reader is searched only once.
    var terminator: Position?
    /// True if a line feed ends texts; otherwise a zero byte does, and a line feed is white space.
    let isLine: Bool

    init(_ paths: RowPaths, mode: JSONMode, depthLimit: Int, ofLines isLine: Bool) {
        self.isLine = isLine
        self.depthLimit = min(depthLimit, Self.deepest)
        levels = depthLimit
        row = FlatRow(paths)
        lists = ListParts(slots: paths.paths.count)
        needsWholeRows = paths.needWholeRows
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        values = JSONScanner(bytes: none, mode: mode, depthLimit: depthLimit, shapes: ShapePool())
        isExtended = values.extended
        keys.addRoot(ShapePool.root)
        keys.nodes[Int(ShapePool.root)].inner = ShapePool.root
        _ = addPlace()
        for (slot, path) in paths.paths.enumerated() { add(path, slot: Int32(slot)) }
        planLists(paths.needs)
    }

    private mutating func add(_ path: [String], slot: Int32) {
        var at = 0
        for key in path {
            if let known = children[at].first(where: { $0.key.hasSameUTF8(as: key) }) {
                at = Int(known.place)
            } else {
                at = addPlace(key, under: at)
            }
        }
        places[at].slot = slot
    }

    /// Adds a position below another.
    mutating func addPlace(_ key: String, under parent: Int) -> Int {
        let place = addPlace()
        places[place].number = Int32(children[parent].count)
        children[parent].append((key, Int32(place)))
        return place
    }

    /// Adds a position below no other.
    mutating func addPlace() -> Int {
        let root = pool.addRoot() ?? ShapePool.root
        if root == ShapePool.root { hasTooManyPlaces = true }
        keys.addRoot(root)
        places.append(PathKey(root: root))
        children.append([])
        return places.count - 1
    }

    /// Reads one object with its terminator into ``row``.
    ///
    /// - Returns: the position after the terminator, or nil if the reader must read the text.
    mutating func scan(from start: Position, to end: Position) -> Position? {
        if needsWholeRows || hasTooManyPlaces { return nil }
        self.end = end
        terminator = nil
        row.begin()
        var at = start
        skipSpace(&at)
        guard at.pointee == UInt8(ascii: "{"), depthLimit > 0, var at = object(at, place: 0, depth: 1) else {
            return nil
        }
        let terminator = isLine ? UInt8(ascii: "\n") : 0
        if at.pointee != terminator { skipSpace(&at) }
        guard at.pointee == terminator else { return nil }
        row.finish()
        return at + 1
    }

    /// Fills ``row`` from an object read by the reader.
    mutating func take(_ object: Document) {
        if needsWholeRows { return row.take(object) }
        row.begin()
        for child in children[0] {
            if let inner = object[child.key] { keep(inner, place: child.place) }
        }
        row.finish()
    }

    /// Reads an object; the position's child keys give values.
    mutating func object(_ opening: Position, place: Int32, depth: Int) -> Position? {
        guard depth <= depthLimit else { return nil }
        var at = opening
        var node = places[Int(place)].root
        while let isLast = isLastMember(&at, &node, place: place) {
            if isLast { return at }
            let inner = keys.nodes[Int(node)].place
            guard
                let next = inner < 0
                    ? skipValue(at, under: node, depth: depth) : value(at, place: inner, depth: depth)
            else { return nil }
            at = next
        }
        return nil
    }

    /// Moves from an object's opening, or a member's end, to the next value, or past the object's end.
    ///
    /// - Returns: true for the end, nil for a fault. `node` is the last key's or a root; `place` is -1 in what is skipped.
    @inline(__always)
    mutating func isLastMember(_ at: inout Position, _ node: inout Int32, place: Int32) -> Bool? {
        var known = keys.recentChild(of: node)
        if !keys.begins(at, known) {
            if at.pointee == UInt8(ascii: "}") {
                at += 1
                return true
            }
            known = keys.child(of: node, at: at)
            guard known >= 0 else {
                guard let (isLast, after, key) = isLastOtherMember(at, node, place: place) else { return nil }
                (at, node) = (after, key)
                return isLast
            }
        }
        node = known
        at += Int(keys.nodes[Int(known)].length)
        skipSpace(&at)
        return false
    }

    /// The same for a key with a lead that was not here before; detects duplicate keys.
    @inline(never)
    private mutating func isLastOtherMember(
        _ lead: Position,
        _ parent: Int32,
        place: Int32
    ) -> (isLast: Bool, after: Position, node: Int32)? {
        var (at, node) = (lead, parent)
        if keys.nodes[Int(node)].isRoot { at += 1 }
        skipSpace(&at)
        if at.pointee == UInt8(ascii: "}") { return (true, at + 1, node) }
        if !keys.nodes[Int(node)].isRoot {
            guard at.pointee == UInt8(ascii: ",") else { return nil }
            at += 1
            skipSpace(&at)
        }
        guard at.pointee == UInt8(ascii: "\""), let after = key(at + 1, &node, place: place) else { return nil }
        at = after
        skipSpace(&at)
        guard at.pointee == UInt8(ascii: ":") else { return nil }
        at += 1
        skipSpace(&at)
        keys.learn(UnsafeBufferPointer(start: lead, count: at - lead), of: node, after: parent)
        return (false, at, node)
    }

    /// Finds or adds a key after its opening quote.
    private mutating func key(_ start: Position, _ node: inout Int32, place: Int32) -> Position? {
        guard let end else { return nil }
        var length = 0
        var at = start
        if let known = pool.step(from: node, UnsafeBufferPointer(start: start, count: end - start), at: &length) {
            node = known
            at += length
        } else {
            guard let key = string(&at),
                !pool.keys(of: node).contains(where: { $0.hasSameUTF8(as: key.text) }),
                let added = pool.add(key.text, spelled: key.spelling, after: node)
            else { return nil }
            let child = place < 0 ? nil : children[Int(place)].first { $0.key.hasSameUTF8(as: key.text) }
            keys.add(added, after: node, place: child?.place ?? -1)
            node = added
        }
        // With Extended JSON, the reader reads keys with a dollar sign; they get no lead.
        return isExtended && pool.hasDollar(node) ? nil : at
    }

    /// The root of the keys of objects below a key; each key has its own, so that similar rows find their keys quickly.
    @inline(__always)
    mutating func innerRoot(of node: Int32) -> Int32 {
        let root = keys.nodes[Int(node)].inner
        return root >= 0 ? root : addInnerRoot(of: node)
    }

    @inline(never)
    private mutating func addInnerRoot(of node: Int32) -> Int32 {
        let root = pool.addRoot() ?? ShapePool.root
        if root != ShapePool.root { keys.addRoot(root) }
        keys.nodes[Int(node)].inner = root
        return root
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
