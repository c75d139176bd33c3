/// How much of a list is read at a position of the path tree.
enum ListReading {
    /// In full, by the reader of values.
    case whole
    /// Scalars one by one; in full if there is anything else.
    case scalars
    /// Only its length.
    case count
    /// For objects in it, only the children of a position, which represent their keys.
    case members(Int32)
    /// The paths that go through it, each with a list of the values found (S9).
    case paths
}

/// The state for reading lists in part.
struct ListParts {
    /// The list of each slot whose path goes through the list being read.
    var found: [[QueryValue]]
    /// The slots of the paths that go through a place or end there.
    var slots: [[Int32]] = []
    /// The shapes of elements of which some keys are kept, by the number of their place.
    var shapes: [FlatShapes] = []
    /// Lists of nulls, which replace lists of which only the length counts.
    private var nulls: [[QueryValue]] = []

    init(slots count: Int) {
        found = Array(repeating: [], count: count)
    }

    mutating func nulls(_ count: Int) -> [QueryValue] {
        guard count < 256 else { return Array(repeating: .null, count: count) }
        while nulls.count <= count { nulls.append(Array(repeating: .null, count: nulls.count)) }
        return nulls[count]
    }
}

extension JSONPathScanner {
    /// Decides how to read a list at each position.
    mutating func planLists(_ needs: [ListNeed]) {
        for place in places.indices {
            lists.slots.append(slots(from: place))
            let slot = Int(places[place].slot)
            if !children[place].isEmpty {
                places[place].list = canFollow(place) ? .paths : .whole
            } else if slot >= 0 {
                places[place].list = reading(needs[slot])
            }
        }
    }

    private mutating func reading(_ need: ListNeed) -> ListReading {
        switch need {
        case .whole: return .scalars
        case .count: return .count
        // The empty key marks absent values.
        case .members(let keys) where keys.count > RowPaths.most || keys.contains(""): return .whole
        case .members(let keys):
            let element = addPlace()
            for key in keys { _ = addPlace(key, under: element) }
            places[element].number = Int32(lists.shapes.count)
            lists.shapes.append(FlatShapes(keys))
            return .members(Int32(element))
        }
    }

    private func slots(from place: Int) -> [Int32] {
        let own = places[place].slot
        return (own < 0 ? [] : [own]) + children[place].flatMap { slots(from: Int($0.place)) }
    }

    /// True if each path either continues from a position or ends there, for this position and all below.
    private func canFollow(_ place: Int) -> Bool {
        if children[place].isEmpty { return true }
        return places[place].slot < 0 && children[place].count <= RowPaths.most
            && children[place].allSatisfy { canFollow(Int($0.place)) }
    }
}

extension JSONPathScanner {
    /// Reads the needed part of a list; nil to let the value reader read it.
    @inline(never)
    mutating func list(_ opening: Position, place: Int32, depth: Int) -> Position? {
        guard depth < depthLimit else { return nil }
        let slot = places[Int(place)].slot
        switch places[Int(place)].list {
        case .whole: return nil
        case .count: return count(opening + 1, slot: slot, depth: depth + 1)
        case .scalars:
            var elements = row.takeList(slot)
            elements.removeAll(keepingCapacity: true)
            guard let after = scalars(opening + 1, into: &elements) else { return nil }
            row.set(slot, .list(elements))
            return after
        case .members(let element): return members(opening + 1, slot: slot, of: element, depth: depth + 1)
        case .paths:
            for slot in lists.slots[Int(place)] {
                lists.found[Int(slot)] = row.takeList(slot)
                lists.found[Int(slot)].removeAll(keepingCapacity: true)
            }
            guard let after = follow(opening + 1, place: place, depth: depth + 1) else { return nil }
            for slot in lists.slots[Int(place)] {
                row.set(slot, .list(lists.found[Int(slot)]))
                lists.found[Int(slot)] = []
            }
            return after
        }
    }

    /// True after the first bracket of an empty list, which is then skipped.
    @inline(__always)
    func isEmpty(_ at: inout Position) -> Bool {
        skipSpace(&at)
        guard at.pointee == UInt8(ascii: "]") else { return false }
        at += 1
        return true
    }

    /// Skips a comma and space, or the end of a list; nil if there is neither.
    @inline(__always)
    func isLast(_ at: inout Position) -> Bool? {
        skipSpace(&at)
        let byte = at.pointee
        at += 1
        if byte == UInt8(ascii: "]") { return true }
        guard byte == UInt8(ascii: ",") else { return nil }
        skipSpace(&at)
        return false
    }

    private mutating func count(_ start: Position, slot: Int32, depth: Int) -> Position? {
        var at = start
        var count = 0
        var isDone = isEmpty(&at)
        while !isDone {
            guard let next = skipValue(at, under: ShapePool.root, depth: depth) else { return nil }
            at = next
            count += 1
            guard let isLast = isLast(&at) else { return nil }
            isDone = isLast
        }
        row.set(slot, .list(lists.nulls(count)))
        return at
    }

    /// Appends the elements of a list without lists and objects.
    private mutating func scalars(_ start: Position, into elements: inout [QueryValue]) -> Position? {
        var at = start
        var isDone = isEmpty(&at)
        while !isDone {
            guard let value = scalar(&at) else { return nil }
            elements.append(value)
            guard let isLast = isLast(&at) else { return nil }
            isDone = isLast
        }
        return at
    }
}

// Elements of which some keys are kept.

extension JSONPathScanner {
    private mutating func members(_ start: Position, slot: Int32, of element: Int32, depth: Int) -> Position? {
        let shapes = Int(places[Int(element)].number)
        var elements = row.takeList(slot)
        var count = 0
        var at = start
        var isDone = isEmpty(&at)
        while !isDone {
            let value: QueryValue
            if at.pointee == UInt8(ascii: "{") {
                if isExtended && startsWithDollar(at + 1) { return nil }
                var object = reused(&elements, count, shapes)
                var seen: UInt64 = 0
                guard let next = part(at, place: element, depth: depth + 1, of: &object, &seen) else { return nil }
                let shape = lists.shapes[shapes].shape(of: seen)
                if object.shape !== shape { object.replaceShape(shape) }
                value = .object(object)
                at = next
            } else {
                // A list may hold objects that a path goes into.
                guard let scalar = scalar(&at) else { return nil }
                value = scalar
            }
            if count < elements.count { elements[count] = value } else { elements.append(value) }
            count += 1
            guard let isLast = isLast(&at) else { return nil }
            isDone = isLast
        }
        if count < elements.count { elements.removeLast(elements.count - count) }
        row.set(slot, .list(elements))
        return at
    }

    /// The object at the same position in the previous row, to be filled again.
    @inline(__always)
    private func reused(_ elements: inout [QueryValue], _ index: Int, _ shapes: Int) -> Document {
        // Objects from the value reader have other keys.
        guard index < elements.count, case .object(let object) = elements[index],
            object.count == lists.shapes[shapes].count
        else { return lists.shapes[shapes].emptyDocument }
        // Held only once, it is changed in place.
        elements[index] = .null
        return object
    }

    /// Reads an object of which the keys below a place are kept.
    private mutating func part(
        _ opening: Position,
        place: Int32,
        depth: Int,
        of object: inout Document,
        _ seen: inout UInt64
    ) -> Position? {
        guard depth <= depthLimit else { return nil }
        var at = opening
        var node = places[Int(place)].root
        while let isLast = isLastMember(&at, &node, place: place) {
            if isLast { return at }
            let inner = keys.nodes[Int(node)].place
            if inner < 0 {
                guard let next = skipValue(at, under: node, depth: depth) else { return nil }
                at = next
            } else {
                guard let value = anyValue(&at, depth: depth) else { return nil }
                let number = Int(places[Int(inner)].number)
                seen |= 1 << UInt64(number)
                object.replaceValue(at: number, with: value)
            }
        }
        return nil
    }

    /// A value in full.
    @inline(__always)
    mutating func anyValue(_ at: inout Position, depth: Int) -> QueryValue? {
        let start = at
        if let value = scalar(&at) { return value }
        guard let (value, after) = read(start, depth: depth) else { return .none }
        at = after
        return value
    }
}
