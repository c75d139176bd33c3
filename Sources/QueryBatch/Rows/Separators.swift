import PredicateQL

/// Finds the separator between the cells of a text by its first bytes.
struct Separators {
    private static let tab: UInt8 = 0x09
    private static let comma = UInt8(ascii: ",")
    private static let semicolon = UInt8(ascii: ";")
    private static let bar = UInt8(ascii: "|")

    private let head: [UInt8]
    /// Those that stand in the first line outside of quotes.
    private let found: [UInt8]

    /// Looks at the first bytes of a text.
    init(_ head: [UInt8]) {
        self.head = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
        var start = CellStart(separators: [Self.tab, Self.comma, Self.semicolon, Self.bar], hasQuotes: true)
        _ = start.look(in: self.head, isAtEnd: true)
        found = start.found
    }

    /// The separator of a file.
    ///
    /// - Parameter name: the file's name in lower case, of which only the extension matters.
    /// - Returns: the separator; nil if neither the name nor the text shows that there are cells.
    func one(named name: String) -> UInt8? {
        if let named = CellStart.named(head) { return named.separator }
        if name.hasSuffix(".tsv") || name.hasSuffix(".tab") { return Self.tab }
        if name.hasSuffix(".csv") { return ofCSV }
        return [Self.tab, Self.comma, Self.semicolon].first { splitsTwo($0) == true }
            ?? (isBarred && splitsTwo(Self.bar) == true ? Self.bar : nil)
    }

    /// A comma, or what stands in the header instead of one.
    ///
    /// Tabs next to commas or semicolons separate if only they split the first two records alike.
    private var ofCSV: UInt8 {
        let usual = [Self.comma, Self.semicolon].first { found.contains($0) }
        if found.contains(Self.tab) {
            guard let usual, splitsTwo(usual) == true || splitsTwo(Self.tab) != true else { return Self.tab }
            return usual
        }
        return usual ?? (isBarred && splitsTwo(Self.bar) != false ? Self.bar : Self.comma)
    }

    /// True if only vertical bars may separate; a table of Markdown begins with one.
    private var isBarred: Bool { found == [Self.bar] && head.first != Self.bar }

    /// True for a separator that splits the first two records into the same number of cells, two or more.
    ///
    /// - Returns: nil if there is only one record.
    private func splitsTwo(_ sign: UInt8) -> Bool? {
        var rest = head[...]
        var reader = CellReader("", sign, limits: .default) { size in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        guard (try? reader.next()) == true, reader.cells.count > 1 else { return false }
        let columns = reader.cells.count
        guard let hasSecond = try? reader.next() else { return false }
        return hasSecond ? reader.cells.count == columns : nil
    }
}
