import QueryTree
import QueryValues

/// The state that one translation shares: its options, its assumptions so far, and fresh variable names.
package final class MongoContext {
    let profile: MongoProfile
    let isGuarded: Bool
    let nilMeaning: NilMeaning
    package private(set) var assumptions: Set<Assumption> = []
    /// Paths of several keys from the row, not from an element of a list; no list is on the way to them.
    private var rowPaths: Set<String> = []
    /// Both in the order they were noted, so that those of a failed trial can be removed.
    private var noted: [Assumption] = []
    private var notedRowPaths: [String] = []
    /// False if the translation made the values itself, such as the fields of a group.
    var collectsAssumptions = true
    private var names = 0

    /// The texts that were given as ObjectIds.
    let objectIDs: Set<String>

    package init(
        _ profile: MongoProfile,
        isGuarded: Bool,
        nilMeaning: NilMeaning,
        objectIDs: Set<String> = []
    ) {
        self.objectIDs = objectIDs
        self.profile = profile
        self.isGuarded = isGuarded
        self.nilMeaning = nilMeaning
    }

    /// Notes an assumption, unless guards test it instead.
    func assume(_ assumption: Assumption, ofElement isOfElement: Bool = false) {
        if !isGuarded { note(assumption, ofElement: isOfElement) }
    }

    /// Notes an assumption that no guard tests.
    func note(_ assumption: Assumption, ofElement isOfElement: Bool = false) {
        guard collectsAssumptions else { return }
        if assumptions.insert(assumption).inserted { noted.append(assumption) }
        switch assumption {
        case .single(let path), .kind(let path, _): if !isOfElement { noteRowPath(path) }
        case .list, .objects, .date, .json: break
        }
    }

    /// Notes that no list is on the way to a path from the row.
    func noteRowPath(_ path: String) {
        guard collectsAssumptions, path.utf8.contains(UInt8(ascii: ".")), rowPaths.insert(path).inserted else { return }
        notedRowPaths.append(path)
    }

    /// The assumptions of the translation (S11).
    ///
    /// An assumption about a path below a list applies to each element. If one part of a query treats a container as a
    /// list and another treats it as single, both assumptions are listed.
    package var listed: [Assumption] {
        var listed = assumptions
        for path in rowPaths {
            var rest = path[...]
            while let dot = rest.utf8.lastIndex(of: UInt8(ascii: ".")) {
                rest = rest[..<dot]
                let container = String(rest)
                if assumptions.contains(.list(container)) || assumptions.contains(.objects(container)) {
                    listed.insert(.single(container))
                }
            }
        }
        return Assumption.sorted(listed)
    }

    /// Runs a trial, and drops its assumptions if it returns nil.
    func attempt(_ trial: () throws(QueryError) -> Clause?) throws(QueryError) -> Clause? {
        let before = (noted.count, notedRowPaths.count)
        guard let clause = try trial() else {
            for assumption in noted[before.0...] { assumptions.remove(assumption) }
            noted.removeSubrange(before.0...)
            for path in notedRowPaths[before.1...] { rowPaths.remove(path) }
            notedRowPaths.removeSubrange(before.1...)
            return nil
        }
        return clause
    }

    /// A variable name that no other expression of this translation uses.
    func freshName() -> String {
        names += 1
        return "v\(names)"
    }
}

extension MongoContext {
    /// The maximum number of values in one expression; a service's documents hold some megabytes.
    private static let mostNodes = 500_000

    /// Rejects an expression that no service accepts, before it grows any further.
    ///
    /// - Parameters:
    ///   - expression: the expression so far.
    ///   - origin: the term's place.
    /// - Throws: `QueryError` of code `unsupported` if it is too deep or too large.
    func check(_ expression: QueryValue, at origin: Origin) throws(QueryError) {
        var budget = Self.mostNodes
        guard Self.fits(expression, levels: profile.maximumDepth, &budget) else {
            throw QueryError(
                .unsupported,
                "the expression would be too deep for the service",
                at: origin,
                hint: "use less nesting"
            )
        }
    }

    /// Rejects a chain that would be nested deeper than the service accepts (S26).
    ///
    /// It is rejected before it is built, because freeing it is recursive.
    func check(chainOf links: Int, at origin: Origin) throws(QueryError) {
        // Each operation is an object with a list of operands.
        guard links > profile.maximumDepth / 2 else { return }
        throw QueryError(
            .unsupported,
            "a chain of \(links) operations would be too deep for the service",
            at: origin,
            hint: "write at most \(profile.maximumDepth / 2)"
        )
    }

    private static func fits(_ value: QueryValue, levels: Int, _ budget: inout Int) -> Bool {
        budget -= 1
        guard levels > 0, budget > 0 else { return false }
        switch value {
        case .list(let elements):
            for element in elements where !fits(element, levels: levels - 1, &budget) { return false }
        case .object(let object):
            for element in object.values where !fits(element, levels: levels - 1, &budget) { return false }
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: break
        }
        return true
    }
}

/// An object with one operator: `{"$op": value}`.
package func op(_ name: String, _ value: QueryValue) -> QueryValue {
    .object(Document(pairs: [(name, value)]))
}

/// An operator with a list of operands: `{"$op": [a, b]}`.
package func op(_ name: String, _ operands: [QueryValue]) -> QueryValue {
    op(name, .list(operands))
}
