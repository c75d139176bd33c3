import PredicateQL
import QueryTree
import QueryValues

/// CSV and TSV as lines of JSON: the first record is the header, and the values of a column decide its type.
///
/// A column that a schema declares as text is text, whatever its cells look like. An empty cell is null; in quotes it is text, unless its column has other values and none is text. A heading such as
/// `address.city` is a field of an object.
package struct CellLines {
    /// Malformed records that were left out.
    package private(set) var skipped = 0
    /// The first values that are of another kind than those before them in their column, so that it is text.
    package private(set) var notes: [String] = []
    private var template: RowTemplate
    private var types: [CellType]
    private var reader: CellReader
    /// Lines that are being written.
    private var lines = LineText()
    private let skipsInvalid: Bool
    private let hint: String?
    /// An error that follows rows which are not handed out yet.
    private var pending: (any Error)?

    /// Reads the header, and from a reading of its own the types of the columns.
    ///
    /// - Parameters:
    ///   - name: the file's, for messages.
    ///   - separator: between cells.
    ///   - limits: `rowBytes` bounds a record.
    ///   - schema: what is known of the fields.
    ///   - skipsInvalid: true to leave malformed records out.
    ///   - hint: what to do about a record with more or fewer cells than the header.
    ///   - sample: gives the bytes that decide the types, from the start: about so many more, none at the end.
    ///   - read: gives the bytes of the rows, from the start.
    /// - Throws: `QueryError` with its place for a header with equal headings.
    package init(
        _ name: String,
        _ separator: UInt8,
        limits: Limits,
        schema: Schema? = nil,
        skipsInvalid: Bool = false,
        hint: String? = nil,
        sample: @escaping (Int) throws -> [UInt8],
        read: @escaping (Int) throws -> [UInt8]
    ) throws {
        self.skipsInvalid = skipsInvalid
        self.hint = hint
        reader = CellReader(name, separator, limits: limits, read: read)
        var first = CellReader(name, separator, limits: limits, read: sample)
        let hasHeader = try reader.next()
        template = try hasHeader ? RowTemplate(reader) : RowTemplate()
        types = template.paths.map { schema?.declaresText($0) == true ? .text : .empty }
        if hasHeader, let (column, name) = template.unnamed {
            notes.append(
                reader.fault("an empty heading, read as `\(name)`", at: reader.cells[column].range.lowerBound).message
            )
        }
        guard hasHeader, try first.next() else { return }
        // Of each column the first empty cell in quotes, with its place.
        var empty: [Int: String] = [:]
        var isCutTold = false
        // Malformed records are reported when they are read as rows.
        while (try? first.next()) == true {
            // With other columns a line that was cut has too few cells.
            if types.count == 1, !isCutTold, first.hasOpenQuote {
                isCutTold = true
                let note = "a quotation mark that does not close in its line is text, and lines are not joined"
                notes.append(first.fault(note, at: first.record.lowerBound).message)
            }
            for (column, cell) in first.cells.enumerated().prefix(types.count) where types[column] != .text {
                if cell.range.isEmpty, cell.quotes != .none, empty[column] == nil {
                    empty[column] = first.fault("an empty text", at: cell.range.lowerBound).message
                }
                let before = types[column]
                first.bytes.withUnsafeBufferPointer { types[column].widen(to: $0, cell) }
                guard types[column] == .text, before != .empty else { continue }
                let shown = first.bytes[cell.range].prefix(40).map { $0 < 0x20 ? 0x20 : $0 }
                let value = String(decoding: shown, as: UTF8.self)
                let message = "`\(value)` makes a column text that was \(before.rawValue) so far"
                notes.append(first.fault(message, at: cell.range.lowerBound).message)
            }
        }
        for column in empty.keys.sorted() {
            guard let text = empty[column], types[column] != .text else { continue }
            if types[column] == .empty {
                types[column] = .text
            } else {
                notes.append("\(text) is read as nil, because its column has only \(types[column].rawValue)")
            }
        }
    }

    /// Leaves fields out of the rows that follow; their cells are still examined.
    ///
    /// Columns of JSON stay, because names may be searched for in the lines.
    ///
    /// - Parameter keys: the outermost keys that are read.
    package mutating func keep(only keys: [String]) {
        template.keep(only: keys, and: Set(types.indices.filter { types[$0] == .json }))
    }

    /// Appends some rows as lines.
    ///
    /// - Returns: false at the end.
    /// - Throws: `QueryError` with its place for a malformed record.
    package mutating func convert(into text: inout [UInt8]) throws -> Bool {
        if let pending { throw pending }
        var hasMore = true
        defer { lines.move(to: &text) }
        while hasMore, text.count + lines.count < 32 * 1_024 {
            let before = lines.count
            var isComplete = false
            do {
                hasMore = try reader.next()
                isComplete = hasMore
                if hasMore { try appendRecord() }
            } catch {
                lines.cut(to: before)
                if isComplete, skipsInvalid {
                    skipped += 1
                    continue
                }
                guard text.count + lines.count > 0 else { throw error }
                pending = error
                return true
            }
        }
        return hasMore || text.count + lines.count > 0
    }

    /// The last record as a line.
    private mutating func appendRecord() throws {
        guard reader.cells.count == types.count else { throw ragged() }
        if let column = Self.append(reader, template, types, to: &lines) {
            throw misfit(column, reader.cells[column], types[column])
        }
    }

    /// Appends a record.
    ///
    /// - Returns: the column whose cell does not fit, if there is one.
    private static func append(
        _ reader: CellReader,
        _ template: RowTemplate,
        _ types: [CellType],
        to lines: inout LineText
    ) -> Int? {
        reader.bytes.withUnsafeBufferPointer { bytes in
            // Cells end at ASCII characters, so each is UTF-8 if the record is.
            let isUTF8 = !template.isWhole && LineText.isUTF8(bytes, reader.record)
            return template.text.withUnsafeBufferPointer { json in
                for (before, column, isKept) in template.parts {
                    let (type, cell) = (types[column], reader.cells[column])
                    guard isKept else {
                        guard isUTF8 && type == .text || type.holds(bytes, cell) else { return column }
                        continue
                    }
                    lines.append(json, before)
                    guard type.append(bytes, cell, to: &lines) else { return column }
                }
                lines.append(json, template.after..<json.count)
                return nil
            }
        }
    }

    private func ragged() -> QueryError {
        let (found, expected) = (reader.cells.count, types.count)
        let place = found > expected ? reader.cells[expected].range.lowerBound : reader.cells.last?.range.upperBound
        let tabHint = "between tabs quotation marks do not join lines; write texts with line breaks as CSV or NDJSON"
        return reader.fault(
            "the record has \(found) \(found == 1 ? "cell" : "cells"), the header \(expected)",
            at: place ?? 0,
            hint: reader.hasOpenQuote ? tabHint : hint
        )
    }

    private func misfit(_ column: Int, _ cell: CellReader.Cell, _ type: CellType) -> QueryError {
        let bytes = reader.bytes[cell.range]
        guard let value = String(validating: bytes, as: UTF8.self) else {
            return reader.fault(
                "the cell is not UTF-8 text",
                at: cell.range.lowerBound,
                hint: "convert the file: iconv -f WINDOWS-1252 -t UTF-8"
            )
        }
        return reader.fault(
            "`\(value.isEmpty ? "\"\"" : value.prefix(40))` in a column that was \(type.rawValue) so far",
            at: cell.range.lowerBound,
            hint: "read it from a file, where all rows determine a column's type"
        )
    }
}

extension Schema {
    /// True if the field at some stored keys is declared as text.
    fileprivate func declaresText(_ keys: [String]) -> Bool {
        guard let key = keys.first, let type = field(storedAs: key)?.type else { return false }
        switch type {
        case .string, .objectID: return keys.count == 1
        case .object(let inner): return inner.declaresText(Array(keys.dropFirst()))
        case .any, .bool, .int, .double, .date, .data, .uuid, .list: return false
        }
    }
}
