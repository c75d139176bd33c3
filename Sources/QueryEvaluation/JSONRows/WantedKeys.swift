import QueryTree
import QueryValues

/// The keys of a row that are read, and of the objects in it: a tree of the paths that a query names.
///
/// Of a list every element is asked for the same keys, as a path through it is (S9).
final class WantedKeys: Sendable {
    /// No key at all: what is encoded for nobody.
    static let none = WantedKeys([])

    private let keys: [String]
    /// The same by their text, where there are many.
    private let places: [UTF8Key: Int]
    /// What is wanted below each key; nil for all of it.
    private let below: [WantedKeys?]

    /// Below so many keys everything is wanted: the tree is made and taken apart by recursion (S26).
    private static let mostLevels = 32

    /// The tree of some paths, or nil where one of them is the row itself.
    ///
    /// - Parameter paths: stored keys; as deep as `Limits.pathParts` lets a path be.
    /// - Returns: the tree.
    static func tree(of paths: [[String]]) -> WantedKeys? {
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

    /// Where a key stands among the wanted ones; nil when nobody reads it.
    @inline(__always)
    func place(of key: String) -> Int? {
        if keys.count > 8 { return places[UTF8Key(key)] }
        return keys.firstIndex { $0.hasSameUTF8(as: key) }
    }

    /// What is wanted below a key; nil for all of it.
    func below(_ place: Int) -> WantedKeys? { below[place] }
}
