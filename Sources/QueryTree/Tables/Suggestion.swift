/// Finds what was probably meant, for hints.
package enum Suggestion {
    /// The closest candidate to a word, if it is close enough to be a typo; nil otherwise.
    ///
    /// - Parameters:
    ///   - word: what was written.
    ///   - candidates: what could have been meant.
    /// - Returns: the nearest candidate, at most a third of the word's length away. O(candidates × length²), bounded by
    ///   looking at words of up to 64 bytes only.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let written = Array(word.lowercased().utf8)
        guard !written.isEmpty, written.count <= 64 else { return nil }
        let allowed = max(1, (written.count + 1) / 3)
        var best: (distance: Int, candidate: String)?
        for candidate in candidates where abs(candidate.utf8.count - written.count) <= allowed {
            let distance = distance(written, Array(candidate.lowercased().utf8))
            if distance <= allowed, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.candidate
    }

    /// The edit distance (insert, delete, replace, swap neighbours) between two words.
    private static func distance(_ from: [UInt8], _ to: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for (row, byte) in from.enumerated() {
            var current = [row + 1]
            for (column, other) in to.enumerated() {
                var cost = min(last[column] + (byte == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == to[column - 1], from[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[to.count]
    }
}
