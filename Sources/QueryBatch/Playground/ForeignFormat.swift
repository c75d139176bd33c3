import QueryTree
import QueryValues

/// The format of a file that has no JSON rows, and the command that converts it.
///
/// Detected from its first bytes, and for text in columns also from its name; without this, every row of such a
/// file would be malformed.
package enum ForeignFormat: String {
    case gzip = "compressed by gzip"
    case bzip2 = "compressed by bzip2"
    case xz = "compressed by xz"
    case zstandard = "compressed by zstd"
    case zip = "a ZIP archive"
    case parquet = "a Parquet file"
    case csv = "CSV"
    case tsv = "TSV"

    private static let marks: [(ForeignFormat, [UInt8])] = [
        (.gzip, [0x1F, 0x8B]), (.bzip2, Array("BZh".utf8)), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
        (.zstandard, [0x28, 0xB5, 0x2F, 0xFD]), (.zip, [0x50, 0x4B, 0x03, 0x04]), (.parquet, Array("PAR1".utf8)),
    ]

    /// The format of a file; nil for JSON, and for unknown formats.
    ///
    /// - Parameters:
    ///   - head: its first bytes.
    ///   - first: the first byte that is not white space.
    ///   - path: its name.
    package init?(_ head: [UInt8], first: UInt8?, path: String) {
        // A row may be as long as allowed; its start is enough.
        let head = Array(head.prefix(1 << 16))
        if let known = Self.marks.first(where: { head.starts(with: $0.1) }) {
            self = known.0
            return
        }
        // Data with a NUL is not text, for example an SQLite database.
        guard let first, first != UInt8(ascii: "{"), first != UInt8(ascii: "["), !head.contains(0) else {
            return nil
        }
        let name = path.lowercased()
        if name.hasSuffix(".csv") {
            self = .csv
        } else if name.hasSuffix(".tsv") || name.hasSuffix(".tab") {
            self = .tsv
        } else if let separator = Self.separator(head) {
            self = separator == 0x09 ? .tsv : .csv
        } else {
            return nil
        }
    }

    /// The separator that splits the first two lines into the same number of columns, two or more.
    private static func separator(_ head: [UInt8]) -> UInt8? {
        let lines = head.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: true).prefix(2)
        guard let header = lines.first, lines.count == 2 else { return nil }
        return [0x09, UInt8(ascii: ","), UInt8(ascii: ";")].first { sign in
            let count = header.count { $0 == sign }
            return count > 0 && lines[1].count { $0 == sign } == count
        }
    }

    /// What is wrong with a file.
    ///
    /// - Parameter name: the file's name for people.
    /// - Returns: one sentence.
    package func message(_ name: String) -> String { "\(name) is \(rawValue), but rows are read as JSON" }

    /// The command that writes a file's rows as JSON.
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
        case .csv, .tsv: #"duckdb -c "COPY (FROM read_csv('\#(file)')) TO '/dev/stdout' (FORMAT json)""#
        case .parquet: #"duckdb -c "COPY (FROM '\#(file)') TO '/dev/stdout' (FORMAT json)""#
        }
    }
}
