import PredicateQL
import QueryValues

/// The JSON around the cells of a record: headings such as `address.city` and `address.zip` share an object.
struct RowTemplate {
    /// In the order of the text: where the JSON before a cell is in ``text``, the cell's column, and whether it is written.
    private(set) var parts: [(before: Range<Int>, column: Int, isKept: Bool)] = []
    /// The JSON around all cells.
    private(set) var text: [UInt8] = []
    /// The keys that lead to the field of each column.
    private(set) var paths: [[String]] = []
    /// The first column without a heading, with the name that it gets.
    private(set) var unnamed: (column: Int, name: String)?
    /// Where the JSON after the last cell begins.
    var after: Int { parts.last?.before.upperBound ?? 0 }
    /// False if some cells are not written.
    private(set) var isWhole = true
    /// The number of columns.
    private(set) var count = 0
    private var root = Node()

    /// A field, or an object of fields in their order.
    private final class Node {
        var column: Int?
        var keys: [String] = []
        var members: [UTF8Key: Node] = [:]

        /// True if one of the columns is here or below.
        func holds(_ columns: Set<Int>) -> Bool {
            column.map { columns.contains($0) } ?? false || members.values.contains { $0.holds(columns) }
        }
    }

    /// The deepest heading.
    private static let depth = 16

    init() {}

    /// A template for a header.
    ///
    /// - Throws: `QueryError` with its place for equal headings, and for one that names a part of another.
    init(_ header: CellReader) throws {
        for (column, cell) in header.cells.enumerated() {
            let bytes = header.bytes[cell.range]
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw header.fault(
                    "the heading is not UTF-8 text",
                    at: cell.range.lowerBound,
                    hint: "convert the file: iconv -f WINDOWS-1252 -t UTF-8"
                )
            }
            let plain = cell.quotes == .doubled ? text.replacing("\"\"", with: "\"") : text
            let heading = plain.isEmpty ? "column\(column + 1)" : plain
            if plain.isEmpty, unnamed == nil { unnamed = (column, heading) }
            paths.append(
                try Self.insert(heading, column, under: root) { message in
                    header.fault(message, at: cell.range.lowerBound, hint: Self.renaming(header))
                }
            )
        }
        count = header.cells.count
        write()
    }

    /// How to give each column a name of its own: the command, with numbers after names that there were, if all are plain.
    private static func renaming(_ header: CellReader) -> String {
        let texts = header.cells.map { String(decoding: header.bytes[$0.range], as: UTF8.self) }
        let isPlain = texts.allSatisfy { $0.utf8.allSatisfy { !"\"'\\/&\r\n\t".utf8.contains($0) } }
        let isShort = texts.reduce(0) { $0 + $1.utf8.count } <= 200
        var counts: [String: Int] = [:]
        let names = texts.map { text in
            let count = counts[text, default: 0] + 1
            counts[text] = count
            return count > 1 ? "\(text)_\(count)" : text
        }
        let advice = "give each column a name of its own"
        guard isPlain, isShort, names != texts else { return advice }
        let separator = header.separator == 0x09 ? "\\t" : String(decoding: [header.separator], as: UTF8.self)
        let line = names.joined(separator: separator)
        return "\(advice): sed '\(header.line)s/.*/\(line)/' FILE | pql …, with - for the file"
    }

    /// Leaves out the fields of rows that nobody reads, but for some columns.
    mutating func keep(only keys: [String], and columns: Set<Int>) {
        let kept = Set(keys.map { UTF8Key($0) })
        let names = root.keys.map { UTF8Key($0) }
        write(only: Set(names.filter { kept.contains($0) || root.members[$0]?.holds(columns) == true }))
    }

    private mutating func write(only kept: Set<UTF8Key>? = nil) {
        (parts, text) = ([], [])
        write(root, only: kept)
        text.append(UInt8(ascii: "\n"))
        isWhole = parts.allSatisfy(\.isKept)
    }

    /// Adds a heading; the keys that it stands for.
    private static func insert(
        _ heading: String,
        _ column: Int,
        under root: Node,
        _ fault: (String) -> QueryError
    ) throws -> [String] {
        var keys = heading.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isPath = keys.count <= depth && keys.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0x20) }
        if !isPath { keys = [heading] }
        var node = root
        for key in keys {
            guard node.column == nil else {
                throw fault("the heading `\(heading)` extends an earlier heading")
            }
            if let next = node.members[UTF8Key(key)] {
                node = next
            } else {
                let next = Node()
                node.keys.append(key)
                node.members[UTF8Key(key)] = next
                node = next
            }
        }
        if node.column != nil { throw fault("two columns have the heading `\(heading)`") }
        guard node.keys.isEmpty else { throw fault("an earlier heading extends `\(heading)`") }
        node.column = column
        return keys
    }

    /// At most ``depth`` deep.
    private mutating func write(_ node: Node, only kept: Set<UTF8Key>? = nil) {
        if let column = node.column {
            parts.append((after..<text.count, column, true))
            return
        }
        text.append(UInt8(ascii: "{"))
        var isFirst = true
        for key in node.keys {
            guard let member = node.members[UTF8Key(key)] else { continue }
            if let kept, !kept.contains(UTF8Key(key)) {
                leaveOut(member)
                continue
            }
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter().write(.string(key), to: &text)
            text.append(UInt8(ascii: ":"))
            write(member)
        }
        text.append(UInt8(ascii: "}"))
    }

    /// The cells of what is left out are still examined, in their order.
    private mutating func leaveOut(_ node: Node) {
        if let column = node.column { parts.append((after..<after, column, false)) }
        for key in node.keys {
            if let member = node.members[UTF8Key(key)] { leaveOut(member) }
        }
    }
}
