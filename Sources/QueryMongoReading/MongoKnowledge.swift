import QueryMeaning
import QueryTree
import QueryValues

/// State shared by the reading of one filter: what is known about paths, and what it assumes.
final class MongoKnowledge {
    /// nil if a path may be assumed to hold single values (S11); otherwise exactly what is known.
    private let known: Known?
    let nilMeaning: NilMeaning
    let limits: Limits
    let row: FieldType
    /// Stored paths that the filter itself uses as lists, so that they are not assumed to be single.
    private var lists: Set<UTF8Key> = []
    private(set) var assumptions: Set<Assumption> = []
    /// The point from which the results are sorted by distance.
    private(set) var nearest: NearestPlace?
    /// The metres of a distance that is given for a pair of coordinates: Mongo takes radians.
    let metresOfDistance: Double
    private var variables = 0

    private struct Known {
        var singles: Set<UTF8Key> = []
        var lists: Set<UTF8Key> = []
        var objects: Set<UTF8Key> = []
        var dates: Set<UTF8Key> = []
        var numbers: Set<UTF8Key> = []
        /// Lists and objects that are not listed as single values as well.
        var collections: Set<UTF8Key> = []
    }

    init(
        assuming: [Assumption]?,
        nilMeaning: NilMeaning,
        schema: Schema?,
        limits: Limits,
        metresOfDistance: Double = GeoPoint.earthRadius
    ) {
        self.metresOfDistance = metresOfDistance
        known = assuming.map(Self.known)
        self.nilMeaning = nilMeaning
        self.limits = limits
        row = TypeScope(schema).row
    }

    private static func known(_ assumptions: [Assumption]) -> Known {
        var known = Known()
        var containers: Set<UTF8Key> = []
        for assumption in assumptions {
            switch assumption {
            case .single(let path):
                known.singles.insert(UTF8Key(path))
                insert(containersOf: path, into: &containers)
            case .list(let path):
                known.lists.insert(UTF8Key(path))
                insert(containersOf: path, into: &containers)
            case .objects(let path):
                known.objects.insert(UTF8Key(path))
                insert(containersOf: path, into: &containers)
            case .date(let path, .iso8601), .date(let path, .iso8601Milliseconds): known.dates.insert(UTF8Key(path))
            case .kind(let path, let kind):
                if kind != .shape { known.singles.insert(UTF8Key(path)) }
                if kind == .number { known.numbers.insert(UTF8Key(path)) }
                insert(containersOf: path, into: &containers)
            case .date(_, .grdb), .date(_, .native), .json: break
            }
        }
        known.collections = known.lists.union(known.objects).subtracting(known.singles)
        known.singles.formUnion(containers.subtracting(known.lists.union(known.objects)))
        return known
    }

    /// On the way to a path named by an assumption there are only single values, unless a list is listed separately.
    private static func insert(containersOf path: String, into containers: inout Set<UTF8Key>) {
        var rest = path[...]
        while let dot = rest.utf8.lastIndex(of: UInt8(ascii: ".")) {
            rest = rest[..<dot]
            guard containers.insert(UTF8Key(String(rest))).inserted else { return }
        }
    }

    /// True if the caller says that the path holds single values.
    func isNamedSingle(_ path: String) -> Bool {
        known?.singles.contains(UTF8Key(path)) == true && !isBelowList(path)
    }

    /// True if the caller says that a list is on the way, so that statements about the path apply to each element.
    private func isBelowList(_ path: String) -> Bool {
        guard let known, !known.collections.isEmpty else { return false }
        var containers: Set<UTF8Key> = []
        Self.insert(containersOf: path, into: &containers)
        return !known.collections.isDisjoint(with: containers)
    }

    /// True if the caller says what the path holds, which implies that nothing on the way to it is a list.
    func isNamed(_ path: String) -> Bool {
        guard let known else { return false }
        let key = UTF8Key(path)
        return (known.singles.contains(key) || known.lists.contains(key) || known.objects.contains(key))
            && !isBelowList(path)
    }

    /// True when the path is known, or may be assumed, to hold single values.
    ///
    /// The path is in property names; the stored names may start at an element of a list.
    func isSingle(_ path: String, stored names: [String], in element: [String]) -> Bool {
        if let known {
            guard known.singles.contains(UTF8Key(path)), !element.isEmpty || !isBelowList(path) else { return false }
        } else {
            var prefix = element
            for name in names {
                prefix.append(name)
                if lists.contains(UTF8Key(prefix.joined(separator: "."))) { return false }
            }
        }
        assumptions.insert(.single(path))
        return true
    }

    /// True when the caller says that the path holds lists.
    func isNamedList(_ path: String) -> Bool { known?.lists.contains(UTF8Key(path)) ?? false }

    /// True when the path is known, or may be assumed, to hold lists.
    func isList(_ path: String) -> Bool {
        if let known, !known.lists.contains(UTF8Key(path)) { return false }
        assumptions.insert(.list(path))
        return true
    }

    /// True when the path is known, or may be assumed, to hold objects or lists of objects.
    func holdsObjects(_ path: String) -> Bool {
        if let known, !known.objects.contains(UTF8Key(path)) { return false }
        assumptions.insert(.objects(path))
        return true
    }

    /// True when texts at the path are known to be dates.
    func holdsDates(_ path: String) -> Bool { known?.dates.contains(UTF8Key(path)) ?? false }

    /// Notes that a path is compared with a native date of the store, which never equals a text in Mongo (S5).
    func noteStoreDates(_ path: String) { assumptions.insert(.date(path, .native)) }

    /// Records the assumptions needed to read an expression; false if one is not known to hold.
    func accepts(_ needed: Set<Assumption>) -> Bool {
        if let known {
            for assumption in needed {
                switch assumption {
                case .single(let path): if !known.singles.contains(UTF8Key(path)) { return false }
                case .list(let path): if !known.lists.contains(UTF8Key(path)) { return false }
                case .objects(let path): if !known.objects.contains(UTF8Key(path)) { return false }
                // A native date of the store is one whatever the caller says.
                case .date(_, .native): break
                case .kind(let path, .number): if !known.numbers.contains(UTF8Key(path)) { return false }
                case .kind, .date, .json: return false
                }
            }
        }
        assumptions.formUnion(needed)
        return true
    }

    /// Notes that a path holds places as `[longitude, latitude]`; Mongo reads other forms, too.
    func notePlaces(_ path: String) { noteKind(.shape, of: path) }

    /// Notes what a path holds besides nil.
    func noteKind(_ kind: Kind, of path: String) { assumptions.insert(.kind(path, kind)) }

    /// Notes that the filter uses a stored path as a list.
    func noteList(_ path: String) { lists.insert(UTF8Key(path)) }

    /// Notes that the results are sorted by distance.
    func noteNearest(_ place: NearestPlace, _ node: MongoNode) throws(QueryError) {
        guard nearest == nil else { throw node.wrong("the results have one place to be near to") }
        nearest = place
    }

    /// A name for an element that is unused in this filter, such as `x` or `y2`.
    func freshVariable() -> Variable {
        defer { variables += 1 }
        let letter = ["x", "y", "z"][variables % 3]
        return Variable(variables < 3 ? letter : letter + "\(variables / 3 + 1)")
    }
}
