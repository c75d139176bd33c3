import PredicateQL
import QueryValues

/// How rows are arranged in a file, detected from its first bytes, and for text in columns also from its name.
package enum RowFormat: Equatable, Sendable {
    /// One JSON object per line.
    case lines
    /// JSON objects over several lines, or several on one.
    case values
    /// One JSON list of objects.
    case list
    /// An SQLite database.
    case database
    /// CSV or TSV: cells with a separator between them, under a header.
    case cells(separator: UInt8)

    /// The format of a file.
    ///
    /// - Parameters:
    ///   - head: its first bytes.
    ///   - path: its name.
    /// - Throws: `ForeignFormat` for a file that is not read; without this, every row of it would be malformed.
    package init(_ head: [UInt8], path: String) throws(ForeignFormat) {
        // A row may be as long as allowed; its start is enough.
        let head = Array(head.prefix(1 << 16))
        let first = Self.firstByte(head)
        if head.dropFirst(8).starts(with: "DUCK".utf8) {
            throw .duckdb
        } else if let known = ForeignFormat.marks.first(where: { head.starts(with: $0.1) }) {
            throw known.0 == .zip && ForeignFormat.isSpreadsheet(head, path) ? .spreadsheet : known.0
        } else if let unmarked = ForeignFormat.unmarked(head) {
            throw unmarked
        } else if head.starts(with: Array("SQLite format 3\0".utf8)) {
            self = .database
        } else if first == UInt8(ascii: "[") {
            self = .list
        } else if first == UInt8(ascii: "{"), ValueLines.isNeeded(head) {
            self = .values
        } else if let first, first < 0x20 {
            throw .binary
        } else if first == nil || first == UInt8(ascii: "{") || Self.isBinary(head) {
            self = .lines
        } else {
            self = Separators(head).one(named: path.lowercased()).map { .cells(separator: $0) } ?? .lines
        }
    }

    /// True if the first line, which heads cells, has a NUL byte.
    private static func isBinary(_ head: [UInt8]) -> Bool {
        head.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.contains(0)
    }

    /// The first byte that is not white space and no byte order mark; nil if there is none.
    package static func firstByte(_ bytes: [UInt8]) -> UInt8? {
        bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    }
}

/// The format of a file that is not read, and the command that converts it.
package enum ForeignFormat: String, Error {
    case gzip = "compressed by gzip"
    case bzip2 = "compressed by bzip2"
    case xz = "compressed by xz"
    case zstandard = "compressed by zstd"
    case zip = "a ZIP archive"
    case spreadsheet = "a spreadsheet"
    case parquet = "a Parquet file"
    case duckdb = "a DuckDB database"
    case utf16 = "in UTF-16"
    case utf16Little = "in UTF-16LE"
    case utf16Big = "in UTF-16BE"
    case utf32 = "in UTF-32"
    case binary = "no text"

    /// UTF-16 without a byte order mark: rows in UTF-8 have no NUL.
    fileprivate static func unmarked(_ head: [UInt8]) -> ForeignFormat? {
        switch head.prefix(4).map({ $0 == 0 }) {
        case [false, true, false, true]: .utf16Little
        case [true, false, true, false]: .utf16Big
        default: nil
        }
    }

    /// True for the ZIP archives that spreadsheet programs write.
    fileprivate static func isSpreadsheet(_ head: [UInt8], _ path: String) -> Bool {
        let name = path.lowercased()
        let isNamed = [".xlsx", ".xlsm", ".ods"].contains { name.hasSuffix($0) }
        let start = String(decoding: head.prefix(4_096), as: UTF8.self)
        return isNamed || ["xl/workbook", "xl/worksheets", "opendocument.spreadsheet"].contains { start.contains($0) }
    }

    fileprivate static let marks: [(ForeignFormat, [UInt8])] = [
        (.gzip, [0x1F, 0x8B]), (.bzip2, Array("BZh".utf8)), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
        (.zstandard, [0x28, 0xB5, 0x2F, 0xFD]), (.zip, [0x50, 0x4B, 0x03, 0x04]), (.parquet, Array("PAR1".utf8)),
        (.utf32, [0xFF, 0xFE, 0x00, 0x00]), (.utf32, [0x00, 0x00, 0xFE, 0xFF]), (.utf16, [0xFF, 0xFE]),
        (.utf16, [0xFE, 0xFF]),
    ]

    /// What is wrong with a file.
    ///
    /// - Parameter name: the file's name for people.
    /// - Returns: one sentence.
    package func message(_ name: String) -> String {
        "\(name) is \(rawValue), but rows are read as JSON or CSV in UTF-8"
    }

    /// What to do about a file.
    ///
    /// - Parameter file: the file's path.
    /// - Returns: an instruction.
    package func advice(_ file: String) -> String {
        let piped = "write \(command(file)) | pql …, with - for the file"
        return switch self {
        case .spreadsheet: "save the sheet as CSV, as by \(command(file))"
        case .binary: "\(command(file)) may tell what it is; an SQLite file begins so until its first write is complete"
        case .duckdb: piped + "; or let DuckDB search: pql translate --to duckdb"
        case .gzip, .bzip2, .xz, .zstandard, .zip, .parquet, .utf16, .utf16Little, .utf16Big, .utf32: piped
        }
    }

    /// The command that writes a file's rows as JSON, or unpacks it.
    ///
    /// - Parameter file: the file's path.
    /// - Returns: the command.
    package func command(_ file: String) -> String {
        switch self {
        case .gzip: "gunzip -c \(file)"
        case .bzip2: "bunzip2 -c \(file)"
        case .xz: "xz -dc \(file)"
        case .zstandard: "zstd -dc \(file)"
        case .zip: "unzip -p \(file)"
        case .utf16: "iconv -f UTF-16 -t UTF-8 \(file)"
        case .utf16Little: "iconv -f UTF-16LE -t UTF-8 \(file)"
        case .utf16Big: "iconv -f UTF-16BE -t UTF-8 \(file)"
        case .utf32: "iconv -f UTF-32 -t UTF-8 \(file)"
        case .binary: "file \(file)"
        case .spreadsheet: "soffice --headless --convert-to csv \(file)"
        case .duckdb: #"duckdb \#(file) -c "COPY TABLE_NAME TO '/dev/stdout' (FORMAT json)""#
        case .parquet: #"duckdb -c "COPY (FROM '\#(file)') TO '/dev/stdout' (FORMAT json)""#
        }
    }
}
