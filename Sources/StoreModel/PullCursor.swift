import QueryValues

/// Where a pull in pages continues.
package struct PullCursor: Hashable, Sendable {
    /// True if the pages are those of a delta.
    package var isDelta: Bool
    /// The tick of the first page; for a delta, its upper bound.
    package var tick: Int64
    /// The last id of the last page.
    package var after: String

    /// The text that the cache keeps.
    package var json: String {
        let document: Document = ["isDelta": .bool(isDelta), "tick": .int(tick), "after": .string(after)]
        return JSONWriter().text(.object(document))
    }

    package init(isDelta: Bool, tick: Int64, after: String) {
        (self.isDelta, self.tick, self.after) = (isDelta, tick, after)
    }

    /// Reads the text; nil for another one.
    package init?(json: [UInt8]) {
        guard case .object(let document)? = try? QueryValue(json: json), case .bool(let isDelta)? = document["isDelta"],
            case .int(let tick)? = document["tick"], case .string(let after)? = document["after"]
        else { return nil }
        self.init(isDelta: isDelta, tick: tick, after: after)
    }
}
