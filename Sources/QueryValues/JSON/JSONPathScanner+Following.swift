// Paths through lists (S9): a list that an element yields is flattened; an element that lacks the key, or is not an
// object, gives one null.

extension JSONPathScanner {
    /// Follows the paths through the elements of a list.
    mutating func follow(_ start: Position, place: Int32, depth: Int) -> Position? {
        guard depth <= depthLimit else { return nil }
        var at = start
        var isDone = isEmpty(&at)
        while !isDone {
            guard let next = followElement(at, place: place, depth: depth) else { return nil }
            at = next
            guard let isLast = isLast(&at) else { return nil }
            isDone = isLast
        }
        return at
    }

    private mutating func followElement(_ at: Position, place: Int32, depth: Int) -> Position? {
        if at.pointee == UInt8(ascii: "{") {
            if isExtended && startsWithDollar(at + 1) { return nil }
            return followObject(at, place: place, depth: depth + 1)
        }
        findNothing(at: place)
        return skipValue(at, under: ShapePool.root, depth: depth)
    }

    private mutating func followObject(_ opening: Position, place: Int32, depth: Int) -> Position? {
        guard depth <= depthLimit else { return nil }
        var at = opening
        var node = places[Int(place)].root
        var seen: UInt64 = 0
        while true {
            guard let isLast = isLastMember(&at, &node, place: place) else { return nil }
            if isLast { break }
            let inner = keys.nodes[Int(node)].place
            if inner >= 0 { seen |= 1 << UInt64(places[Int(inner)].number) }
            guard
                let next = inner < 0
                    ? skipValue(at, under: node, depth: depth) : follow(at: at, place: inner, depth: depth)
            else { return nil }
            at = next
        }
        if seen.nonzeroBitCount < children[Int(place)].count {
            for (number, child) in children[Int(place)].enumerated() where seen & 1 << UInt64(number) == 0 {
                findNothing(at: child.place)
            }
        }
        return at
    }

    /// Follows the paths through one value of an element.
    private mutating func follow(at start: Position, place: Int32, depth: Int) -> Position? {
        let slot = Int(places[Int(place)].slot)
        if slot < 0 {
            if start.pointee == UInt8(ascii: "[") { return follow(start + 1, place: place, depth: depth + 1) }
            return followElement(start, place: place, depth: depth)
        }
        var at = start
        guard let value = anyValue(&at, depth: depth) else { return nil }
        if case .list(let inner) = value {
            lists.found[slot].append(contentsOf: inner)
        } else {
            lists.found[slot].append(value)
        }
        return at
    }

    private mutating func findNothing(at place: Int32) {
        for slot in lists.slots[Int(place)] { lists.found[Int(slot)].append(.null) }
    }
}
