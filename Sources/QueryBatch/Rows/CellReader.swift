import PredicateQL
import QueryValues

/// Reads the records of CSV and TSV (RFC 4180): cells in quotes may hold separators, line ends and doubled quotes.
///
/// Between tabs, quotes are around a cell only if they close in its line, before a tab or the line's end; others are text.
package struct CellReader {
    /// A cell of the last record.
    package struct Cell {
        /// Its bytes in ``bytes``, without the quotes around it.
        var range: Range<Int>
        var quotes = Quotes.none
    }

    /// The quotes of a cell.
    enum Quotes {
        case none
        /// Around it.
        case around
        /// Around it, and doubled in it.
        case doubled
    }

    /// The cells of the last record.
    package private(set) var cells: [Cell] = []
    /// The bytes that are held; ranges of cells point into them.
    package private(set) var bytes: [UInt8] = []
    /// The line on which the last record begins, from 1.
    package private(set) var line = 0

    /// Where the last record is in ``bytes``.
    var record: Range<Int> { recordStart..<max(recordStart, start) }

    /// True if a line break may have cut a cell in quotes between tabs: the record ends in one, or begins after one.
    var hasOpenQuote: Bool {
        guard separator == 0x09, let first = cells.first, let last = cells.last else { return false }
        let opens = last.quotes == .none && bytes[last.range].first == Self.quote
        return opens || first.quotes == .none && bytes[first.range].last == Self.quote
    }

    private static let quote = UInt8(ascii: "\"")
    private let name: String
    private let read: (Int) throws -> [UInt8]
    let separator: UInt8
    private let longest: Int
    private var start = 0
    /// True if a cell of the last record has quotes.
    private var hasQuotes = false
    /// The record before the next.
    private var recordStart = 0
    private var nextLine = 1
    private var isAtEnd = false
    private var hasBegun = false
    /// The number of cells of the header; nil before it.
    private var columns: Int?
    /// A line feed, or the carriage return of files whose lines end with that alone.
    private var lineEnd: UInt8 = 0x0A

    /// A reader from the start of a file.
    ///
    /// - Parameters:
    ///   - name: the file's, for messages.
    ///   - separator: between cells.
    ///   - limits: `rowBytes` bounds a record.
    ///   - read: gives about so many bytes more, none at the end.
    package init(_ name: String, _ separator: UInt8, limits: Limits, read: @escaping (Int) throws -> [UInt8]) {
        self.name = name
        self.separator = separator
        longest = limits.rowBytes
        self.read = read
    }

    /// Reads the next record; blank lines are skipped, but under a header of one cell they are records with an empty one.
    ///
    /// - Returns: false at the end.
    /// - Throws: `QueryError` with its place for a record without an end, or too long.
    package mutating func next() throws -> Bool {
        while true {
            if let end = try scan() {
                (recordStart, line, start) = (start, nextLine, end)
                // Without quotes, a line feed can only end a record.
                nextLine += hasQuotes ? lineBreaks(recordStart..<end) : bytes[end - 1] == lineEnd ? 1 : 0
                if lineEnd == 0x0D { try refuseLineFeeds() }
                let isBlank = cells.count == 1 && cells[0].range.isEmpty && cells[0].quotes == .none
                if isBlank, columns != 1 { continue }
                if columns == nil { columns = cells.count }
                return true
            }
            if isAtEnd { return false }
            try fill()
        }
    }

    private mutating func fill() throws {
        if !hasBegun { return try begin() }
        let held = bytes.count - start
        guard held <= longest else {
            let message = "the record is longer than \(longest) bytes"
            throw fault(message, at: start, line: nextLine, hint: "is a closing quotation mark missing?")
        }
        bytes.removeFirst(start)
        start = 0
        // Twice as much each time, so that a long record is not scanned again and again.
        let wanted = max(64 * 1_024, held)
        while bytes.count - held < (held > 64 * 1_024 ? wanted : 1), !isAtEnd {
            let more = try read(wanted)
            isAtEnd = more.isEmpty
            bytes += more
        }
    }

    /// Reads the first line at least.
    private mutating func begin() throws {
        hasBegun = true
        var first = CellStart(separators: [separator], hasQuotes: separator != 0x09)
        repeat {
            let more = try read(64 * 1_024)
            isAtEnd = more.isEmpty
            bytes += more
        } while !first.look(in: bytes, isAtEnd: isAtEnd) && !isAtEnd && bytes.count <= longest
        lineEnd = first.lineEnd
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard let named = CellStart.named(bytes), named.separator == separator else { return }
        bytes.removeFirst(named.length)
        nextLine = 2
    }

    /// Line feeds outside of quotes, where lines end with carriage returns, are neither text nor lines for certain.
    private func refuseLineFeeds() throws {
        for cell in cells where cell.quotes == .none {
            guard let place = bytes[cell.range].firstIndex(of: 0x0A) else { continue }
            throw mixedLineEnds(place, line)
        }
    }

    private func mixedLineEnds(_ place: Int, _ line: Int) -> QueryError {
        let message = "a line feed, but the first line ends with a carriage return alone"
        return fault(message, at: place, line: line, hint: "make all line endings the same: tr '\\r' '\\n'")
    }

    /// Finds the cells of the record at `start`.
    ///
    /// - Returns: where the next begins; nil if the bytes end before that.
    private mutating func scan() throws -> Int? {
        cells.removeAll(keepingCapacity: true)
        hasQuotes = false
        guard start < bytes.count else { return nil }
        var at = start
        while true {
            let quoted = at < bytes.count && bytes[at] == Self.quote ? closed(from: at + 1) : .none
            if case .unknown = quoted {
                guard isAtEnd else { return nil }
                let line = nextLine + lineBreaks(start..<at)
                throw fault("the quotation mark is not closed", at: at, line: line, hint: nil)
            }
            if case .closed(let cell) = quoted {
                hasQuotes = true
                cells.append(cell)
                at = cell.range.upperBound + 1
                if at < bytes.count, bytes[at] == 0x0D, lineEnd == 0x0A {
                    guard at + 1 < bytes.count || isAtEnd else { return nil }
                    if at + 1 == bytes.count || bytes[at + 1] == 0x0A { at += 1 }
                }
            } else {
                at = Self.plainCells(of: bytes, from: at, separator, lineEnd, into: &cells)
                if at < bytes.count, bytes[at] == Self.quote { continue }
            }
            guard at < bytes.count else { return isAtEnd ? at : nil }
            switch bytes[at] {
            case separator: at += 1
            case lineEnd: return at + 1
            case 0x0A: throw mixedLineEnds(at, nextLine + lineBreaks(start..<at))
            default:
                throw fault(
                    "text after a closing quotation mark",
                    at: at,
                    line: nextLine + lineBreaks(start..<at),
                    hint: "inside quotation marks, write a quotation mark twice"
                )
            }
        }
    }

    /// Finds the cells without quotes from a position on.
    ///
    /// - Returns: where the record ends, or where a cell with quotes begins.
    private static func plainCells(
        of bytes: [UInt8],
        from start: Int,
        _ separator: UInt8,
        _ lineEnd: UInt8,
        into cells: inout [Cell]
    ) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var begin = start
            var marks = ByteMarks(separator, lineEnd, in: bytes, from: start)
            while let end = marks.next() {
                if bytes[end] == lineEnd {
                    let isCut = end > begin && bytes[end - 1] == 0x0D
                    cells.append(Cell(range: begin..<(isCut ? end - 1 : end)))
                    return end
                }
                cells.append(Cell(range: begin..<end))
                begin = end + 1
                if begin < bytes.count, bytes[begin] == quote { return begin }
            }
            let isCut = bytes.count > begin && bytes[bytes.count - 1] == 0x0D
            cells.append(Cell(range: begin..<(isCut ? bytes.count - 1 : bytes.count)))
            return bytes.count
        }
    }

    private func lineBreaks(_ range: Range<Int>) -> Int { bytes[range].count { $0 == lineEnd } }

    /// What an opening quote begins.
    private enum Quoted {
        /// A cell in quotes.
        case closed(Cell)
        /// A cell without quotes.
        case none
        /// The bytes end before it is certain.
        case unknown
    }

    /// The cell from after its opening quote up to its closing one.
    private func closed(from start: Int) -> Quoted {
        let isTabbed = separator == 0x09
        return bytes.withUnsafeBufferPointer { bytes in
            var cell = Cell(range: start..<start, quotes: .around)
            var marks = ByteMarks(Self.quote, isTabbed ? lineEnd : Self.quote, in: bytes, from: start)
            while let at = marks.next() {
                if bytes[at] != Self.quote { return .none }
                if at + 1 < bytes.count, bytes[at + 1] == Self.quote {
                    cell.quotes = .doubled
                    _ = marks.next()
                    continue
                }
                cell.range = start..<at
                guard at + 1 < bytes.count || isAtEnd else { return .unknown }
                return isTabbed && !isEnd(at + 1) ? .none : .closed(cell)
            }
            return isTabbed && isAtEnd ? .none : .unknown
        }
    }

    /// True if a cell between tabs ends at a position; a carriage return before bytes to come counts as an end.
    private func isEnd(_ at: Int) -> Bool {
        guard at < bytes.count, bytes[at] != 0x09, bytes[at] != lineEnd else { return true }
        return bytes[at] == 0x0D && (at + 1 == bytes.count || bytes[at + 1] == lineEnd)
    }

    /// An error of the last record at an offset in ``bytes``.
    func fault(_ message: String, at place: Int, hint: String? = nil) -> QueryError {
        fault(message, at: place, line: line + lineBreaks(recordStart..<max(recordStart, place)), hint: hint)
    }

    /// `file:line:column: message`; columns count Unicode scalars from 1.
    private func fault(_ message: String, at place: Int, line: Int, hint: String?) -> QueryError {
        let begin = bytes[..<place].lastIndex(of: lineEnd).map { $0 + 1 } ?? 0
        let column = String(decoding: bytes[begin..<place], as: UTF8.self).unicodeScalars.count + 1
        return QueryError(.json, "\(name):\(line):\(column): \(message)", hint: hint)
    }
}
