extension Folding {
    /// Every scalar with the same folded form as this one, ascending; Mongo's letter classes are made of these.
    ///
    ///     Folding.equivalents(of: "k", .caseInsensitive).count  // → 3
    ///
    /// - Parameters:
    ///   - scalar: any scalar; a mark that `[d]` drops has no equivalents.
    ///   - options: `[c]`, `[d]`, both or none.
    /// - Returns: the scalars, at least the scalar itself unless it is dropped. The first call per options reads the
    ///   table; later ones are O(1).
    package static func equivalents(of scalar: Unicode.Scalar, _ options: StringOptions) -> [Unicode.Scalar] {
        guard let folded = fold(scalar.value, options.folding) else { return [] }
        return classes(options.folding)[folded] ?? [scalar]
    }

    private static func classes(_ options: StringOptions) -> [UInt32: [Unicode.Scalar]] {
        switch options {
        case [.caseInsensitive]: caseClasses
        case [.diacriticInsensitive]: markClasses
        case []: [:]
        default: bothClasses
        }
    }

    private static let caseClasses = makeClasses(.caseInsensitive)
    private static let markClasses = makeClasses(.diacriticInsensitive)
    private static let bothClasses = makeClasses([.caseInsensitive, .diacriticInsensitive])

    /// Folding is idempotent, so a class is its folded form and the scalars that folding changes.
    private static func makeClasses(_ options: StringOptions) -> [UInt32: [Unicode.Scalar]] {
        var classes: [UInt32: [Unicode.Scalar]] = [:]
        for value in changeable {
            guard let folded = fold(value, options), folded != value else { continue }
            guard let scalar = Unicode.Scalar(value), let base = Unicode.Scalar(folded) else { continue }
            classes[folded, default: [base]].append(scalar)
        }
        return classes.mapValues { $0.sorted() }
    }

    /// Two lists for the function `translate(text, from, to)` of SQL, which then folds as ``folded(_:_:)`` does.
    ///
    /// Such a function looks at one scalar after the other, so those of everyday texts come first, also where they stay
    /// as they are. Scalars that are dropped have no partner in the second list. O(table).
    ///
    /// - Parameter options: `[c]`, `[d]` or both.
    /// - Returns: the scalars, and what they become.
    package static func translation(_ options: StringOptions) -> (from: String, to: String) {
        let frequent = "eaionrtslcdumhpgbfvywkjxzq 0123456789.-,'@_/:;()&+!?\"#*=%$<>[]^`{|}~\\"
        let letters: [ClosedRange<UInt32>] = [0x41...0x5A, 0xC0...0x17F, 0x410...0x45F, 0x386...0x3CE]
        let common = frequent.unicodeScalars.map(\.value) + letters.flatMap { $0 }
        let isCommon = Set(common)
        var from = String.UnicodeScalarView()
        var (to, dropped) = (from, from)
        for value in common + changeable.filter({ $0 > 0 && !isCommon.contains($0) }) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = fold(value, options)
            guard let folded, let partner = Unicode.Scalar(folded) else {
                dropped.append(scalar)
                continue
            }
            if folded == value, !isCommon.contains(value) { continue }
            from.append(scalar)
            to.append(partner)
        }
        return (String(from + dropped), String(to))
    }

    /// The scalars of every block that contains one with another folded form.
    private static var changeable: [UInt32] {
        let size = 1 << blockBits
        return (0..<max(caseBlocks.count, markBlocks.count)).flatMap { block -> [UInt32] in
            let letters = Int(caseBlocks[min(block, caseBlocks.count - 1)]) << blockBits
            let marks = Int(markBlocks[min(block, markBlocks.count - 1)]) << blockBits
            let isIdentity =
                caseDeltas[letters..<letters + size].allSatisfy { $0 == 0 }
                && markDeltas[marks..<marks + size].allSatisfy { $0 == 0 }
            return isIdentity ? [] : (0..<size).map { UInt32(block << blockBits + $0) }
        }
    }
}
