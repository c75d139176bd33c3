import QueryValues

/// The versions that this client's own writes took the place of.
///
/// An app that goes on with the entity that it saved before holds such a version: that is no conflict with anybody.
package struct OwnVersions: Sendable {
    private struct Chain: Sendable {
        var current: Int64
        var earlier: Set<Int64>
    }

    private var chains: [UTF8Key: Chain] = [:]

    package init() {}

    /// Notes that a write of an entity took the place of one of some versions.
    package mutating func note(_ collection: String, _ id: String, _ earlier: [Int64?], became current: Int64?) {
        guard let current else { return }
        if chains.count > Self.most { chains = [:] }
        let key = UTF8Key(collection + "/" + id)
        var chain = chains.removeValue(forKey: key) ?? Chain(current: current, earlier: [])
        if !earlier.contains(chain.current) || chain.earlier.count > Self.most { chain.earlier = [] }
        for version in earlier { if let version { chain.earlier.insert(version) } }
        chain.current = current
        chains[key] = chain
    }

    /// The most entities, and versions of one, that are remembered.
    private static let most = 10_000

    /// True if only writes of this client lie between two versions of an entity.
    package func lead(_ collection: String, _ id: String, from version: Int64, to current: Int64?) -> Bool {
        if version == current { return true }
        guard let chain = chains[UTF8Key(collection + "/" + id)], chain.current == current else { return false }
        return chain.earlier.contains(version)
    }
}
