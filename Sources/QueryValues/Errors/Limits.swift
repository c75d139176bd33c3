/// Bounds on what a query may ask for, so that any bytes give a query or an error in linear time (S26).
///
///     var limits = Limits.default
///     limits.nesting = 2
///     try Query(format: "((((a == 1))))", limits: limits)  // throws limit
public struct Limits: Hashable, Sendable {
    /// Bytes of format text.
    ///
    /// 1 MiB holds any query a person or a program writes.
    public var textBytes: Int
    /// Parentheses, lists, calls, indices, NOT and unary minus inside each other.
    ///
    /// What nests deep is worked on with a stack of its own, whatever the caller's thread has. Trees higher than 1,000
    /// levels, about 300 such levels of a text, are refused whatever stands here.
    public var nesting: Int
    /// Elements of one literal or argument list.
    public var listElements: Int
    /// Keys of one path.
    public var pathParts: Int
    /// Steps one MATCHES may take before it is an error (PCRE2's match limit).
    public var matchSteps: Int
    /// Backtracking depth one MATCHES may take (PCRE2's depth limit).
    public var matchDepth: Int
    /// KiB of heap one MATCHES may take (PCRE2's heap limit).
    public var matchHeapKiB: Int
    /// Levels of JSON that a reader or the Mongo writer goes down.
    public var jsonDepth: Int
    /// Bytes of one row of NDJSON or of a JSON list, which is what a reader holds of a text of any size.
    public var rowBytes: Int
    /// Rows that an order may keep at once: all found rows, or skip + limit of them.
    ///
    /// Besides the row itself one takes about 100 bytes and its texts; in the lanes of structs and columns 16 bytes.
    public var sortedRows: Int
    /// Groups that a grouping may keep at once.
    ///
    /// One takes about 150 bytes and 100 for each value that is computed; its keys' texts too.
    public var groups: Int
    /// Steps that one run may take in memory, whatever its rows; `Int.max` for any number.
    ///
    /// A step is about what ``Query/estimatedCost`` counts. Elements of lists and bytes of texts are counted as they are
    /// met, so a row that is larger than expected, or a query that no policy has seen, ends in an error of code
    /// `tooMuchWork`. One comparison of a value and a constant is counted with its row.
    ///
    ///     var limits = Limits.default
    ///     limits.steps = 100
    ///     let query = try Query(format: "SUBQUERY(tags, $t, ANY tags == $t).@count > 1")
    ///     let row: Document = ["tags": ["a", "b", "c", "d", "e", "f", "g", "h"]]
    ///     try Matcher(query, limits: limits).matches(row)  // throws tooMuchWork
    public var steps: Int
    /// How long one run may take; nil for any time.
    ///
    /// The clock is read every few thousand steps, so a run may go on for some milliseconds after that.
    public var duration: Duration?

    /// The limits used when none are given.
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
