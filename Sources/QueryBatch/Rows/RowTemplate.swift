import PredicateQL
import QueryValues

/// The JSON around the cells of a record: headings such as `address.city` and `address.zip` share an object.
struct RowTemplate {
    /// In the order of the text: what stands before a cell, and the cell's column.
    private(set) var parts: [(before: [UInt8], column: Int)] = []
    /// What stands after the last cell.
    private(set) var after: [UInt8] = []
    /// The number of columns.
    private(set) var count = 0

    /// A field, or an object of fields in their order.
    private final class Node {
        var column: Int?
        var keys: [String] = []
        var members: [UTF8Key: Node] = [:]
    }

    /// The deepest heading.
    private static let depth = 16

    init() {}

    /// A template for a header.
    ///
    /// - Throws: `QueryError` with its place for equal headings, and for one that names a part of another.
    init(_ header: CellReader) throws {
        let root = Node()
        for (column, cell) in header.cells.enumerated() {
            let bytes = header.bytes[cell.range]
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw header.fault("the heading is not UTF-8 text", at: cell.range.lowerBound)
            }
            let plain = cell.quotes == .doubled ? text.replacing("\"\"", with: "\"") : text
            let heading = plain.isEmpty ? "column\(column + 1)" : plain
            try Self.insert(heading, column, under: root) { message in
                header.fault(message, at: cell.range.lowerBound, hint: "give each column a name of its own")
            }
        }
        count = header.cells.count
        write(root)
        after.append(UInt8(ascii: "\n"))
    }

    private static func insert(
        _ heading: String,
        _ column: Int,
        under root: Node,
        _ fault: (String) -> QueryError
    ) throws {
        var keys = heading.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isPath = keys.count <= depth && keys.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0x20) }
        if !isPath { keys = [heading] }
        var node = root
        for key in keys {
            guard node.column == nil else {
                throw fault("the heading `\(heading)` is a part of a heading before it")
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
        guard node.keys.isEmpty else { throw fault("a heading before `\(heading)` is a part of it") }
        node.column = column
    }

    /// At most ``depth`` deep.
    private mutating func write(_ node: Node) {
        if let column = node.column {
            parts.append((after, column))
            after = []
            return
        }
        after.append(UInt8(ascii: "{"))
        for (position, key) in node.keys.enumerated() {
            if position > 0 { after.append(UInt8(ascii: ",")) }
            JSONWriter().write(.string(key), to: &after)
            after.append(UInt8(ascii: ":"))
            if let member = node.members[UTF8Key(key)] { write(member) }
        }
        after.append(UInt8(ascii: "}"))
    }
}
