/// Bounds on queries and runs, so that any input gives a query or an error in linear time.
///
///     var limits = Limits.default
///     limits.nesting = 2
///     try Query(format: "((((a == 1))))", limits: limits)  // throws limit
public struct Limits: Hashable, Sendable {  // S26
    /// Bytes of format text.
    ///
    /// 1 MiB is more than any query that a person or a program writes.
    public var textBytes: Int
    /// Nesting of parentheses, lists, calls, indices, NOT and unary minus.
    ///
    /// Deep nesting is processed on a stack of its own, whatever the caller's thread has. Trees higher than 1,000
    /// levels, about 300 such levels of a text, are rejected whatever this limit is.
    public var nesting: Int
    /// Elements of one literal or argument list.
    public var listElements: Int
    /// Keys in one path.
    public var pathParts: Int
    /// Steps one MATCHES may take before it is an error (PCRE2's match limit).
    public var matchSteps: Int
    /// Backtracking depth one MATCHES may take (PCRE2's depth limit).
    package var matchDepth: Int
    /// KiB of heap one MATCHES may take (PCRE2's heap limit).
    package var matchHeapKiB: Int
    /// Levels of JSON that a reader or the Mongo writer accepts.
    public var jsonDepth: Int
    /// Bytes of one row of NDJSON or of a JSON list; a reader keeps only one row of an input of any size.
    public var rowBytes: Int
    /// Rows that a sort may keep in memory: all matching rows, or skip + limit of them.
    ///
    /// Each takes about 100 bytes plus its texts, besides the row itself; 16 bytes in the lanes of structs and columns.
    public var sortedRows: Int
    /// Groups that a grouping may keep in memory.
    ///
    /// Each takes about 150 bytes, 100 for each computed value, and the texts of its keys.
    public var groups: Int
    /// Steps that one run may take in memory, whatever its rows; `Int.max` for no limit.
    ///
    /// A step is roughly what ``Query/estimatedCost`` counts. List elements and text bytes are counted as they are
    /// visited, so a row that is larger than expected, or a query that no policy has checked, ends with an error of
    /// code `tooMuchWork`. A single comparison of a value with a constant counts as part of its row.
    ///
    ///     var limits = Limits.default
    ///     limits.steps = 100
    ///     let query = try Query(format: "SUBQUERY(tags, $t, ANY tags == $t).@count > 1")
    ///     let row: Document = ["tags": ["a", "b", "c", "d", "e", "f", "g", "h"]]
    ///     try Matcher(query, limits: limits).matches(row)  // throws tooMuchWork
    public var steps: Int
    /// How long one run may take; nil for no limit.
    ///
    /// The clock is read every few thousand steps, so a run may continue for some milliseconds after that.
    public var duration: Duration?

    /// The default limits.
    public static let `default` = Limits(
        textBytes: 1 << 20,
        nesting: 64,
        listElements: 100_000,
        pathParts: 1_000,
        matchSteps: 1_000_000,
        matchDepth: 10_000,
        matchHeapKiB: 16_384,
        jsonDepth: 200,
        rowBytes: 1 << 26,
        sortedRows: 1 << 26,
        groups: 1 << 24,
        steps: .max,
        duration: nil
    )
}
