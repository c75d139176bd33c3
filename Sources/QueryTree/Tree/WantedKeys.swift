import QueryValues

/// The keys to read from a row and from the objects in it: a tree of the paths that a query names.
///
/// Every element of a list has the same wanted keys, like a path through it (S9).
package final class WantedKeys: Sendable {
    /// No keys at all: for encoded values that are not read.
    static let none = WantedKeys([])

    private let keys: [String]
    /// The same by key text, if there are many.
    private let places: [UTF8Key: Int]
    /// The wanted keys below each key; nil for all.
    private let below: [WantedKeys?]

    /// Below this many levels everything is wanted, because the tree is built and freed by recursion (S26).
    private static let mostLevels = 32

    /// The tree of some paths, or nil if one of them is the row itself.
    ///
    /// - Parameter paths: stored keys; their length is bounded by `Limits.pathParts`.
    /// - Returns: the tree.
    package static func tree(of paths: [[String]]) -> WantedKeys? {
        paths.contains(where: \.isEmpty) ? nil : WantedKeys(paths.map { $0.prefix(Self.mostLevels) })
    }

    private init(_ paths: [ArraySlice<String>]) {
        var keys: [String] = []
        var places: [UTF8Key: Int] = [:]
        var rests: [[ArraySlice<String>]] = []
        for path in paths {
            guard let key = path.first else { continue }
            if let known = places[UTF8Key(key)] {
                rests[known].append(path.dropFirst())
            } else {
                places[UTF8Key(key)] = keys.count
                keys.append(key)
                rests.append([path.dropFirst()])
            }
        }
        self.keys = keys
        self.places = keys.count > 8 ? places : [:]
        below = rests.map { rest in rest.contains(where: \.isEmpty) ? nil : WantedKeys(rest) }
    }

    /// The position of a key among the wanted ones; nil if it is not read.
    @inline(__always)
    func place(of key: String) -> Int? {
        if keys.count > 8 { return places[UTF8Key(key)] }
        return keys.firstIndex { $0.hasSameUTF8(as: key) }
    }

    /// The wanted keys below a key; nil for all.
    func below(_ place: Int) -> WantedKeys? { below[place] }
}
