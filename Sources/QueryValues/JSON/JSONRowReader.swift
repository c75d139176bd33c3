/// Reads some paths of single rows, each the JSON text of an object; the texts share what was learnt of their keys.
///
///     let evaluator = RowEvaluator(schema: nil, nilMeaning: .nullOrAbsent)
///     var paths = RowPaths()
///     let program = try evaluator.compile(Condition(format: "a > 1"), reading: &paths)
///     var frame = program.makeFrame(now: 0)
///     var reader = JSONRowReader(paths)
///     try Array(#"{"a":2,"b":3}"#.utf8).withUnsafeBytes { try reader.read($0) }
///     try program.holds(reader.row, &frame)  // → true
package struct JSONRowReader {
    /// A longer text's memory is not kept.
    private static let longestKept = 1 << 20

    private var scanner: JSONPathScanner
    /// Reads the texts that the scanner leaves to it.
    private var reader: JSONReader
    /// The text, its terminator, and padding for wide loads.
    private var text: [UInt8] = []

    /// A reader of plain JSON.
    ///
    /// - Parameters:
    ///   - paths: what to keep of each row.
    ///   - limits: `jsonDepth` bounds the levels.
    package init(_ paths: RowPaths, limits: Limits = .default) {
        scanner = JSONPathScanner(paths, mode: .plain, depthLimit: limits.jsonDepth, ofLines: false)
        reader = JSONReader(limits: limits)
    }

    /// The values kept of the last row.
    package var row: Document { scanner.row.document }

    /// Reads a row.
    ///
    /// - Parameter json: a text in UTF-8.
    /// - Throws: `QueryError` as ``JSONReader``, and of code `json` for a text that is no object. Linear in the text.
    package mutating func read(_ json: UnsafeRawBufferPointer) throws(QueryError) {
        text.removeAll(keepingCapacity: text.capacity <= Self.longestKept)
        text.reserveCapacity(json.count + 1 + ByteStream.padding)
        text.append(contentsOf: json)
        text.append(contentsOf: repeatElement(0, count: 1 + ByteStream.padding))
        let isRead = text.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return false }
            let end = start + (bytes.count - ByteStream.padding)
            return scanner.scan(from: start, to: end) == end
        }
        if isRead { return }
        let value = try json.withMemoryRebound(to: UInt8.self) { (bytes) throws(QueryError) in try reader.read(bytes) }
        guard case .object(let object) = value else {
            throw QueryError(.json, QueryError.rowIsNoObject, range: 0..<json.count, path: "$")
        }
        scanner.take(object)
    }
}
