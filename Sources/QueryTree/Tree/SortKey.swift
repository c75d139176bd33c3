import QueryValues

/// One key of an order: a path, a direction, and whether strings are folded.
///
///     let order: [SortKey] = [.descending("population"), "name"]
///     try Query(order: order).first(in: cities)?["name"]  // → "New York"
public struct SortKey: Hashable, Sendable {  // S22
    /// The path, in property names.
    public var path: FieldPath
    /// True for ascending order, in which nil comes first.
    public var isAscending: Bool
    /// `[c]`, `[d]` or both: strings sort by their folded form.
    public var options: StringOptions
    /// The term of the computed field that the path names (S22).
    package var computed: Term?
    /// Why the key's literal, which cannot throw, names no path; every backend throws it.
    package var mistake: QueryError?

    /// A key by its path.
    ///
    ///     SortKey("name", ascending: false, options: .caseInsensitive)  // → -name[c]
    ///
    /// - Parameters:
    ///   - path: in property names.
    ///   - ascending: true for least first.
    ///   - options: how strings are folded.
    public init(_ path: FieldPath, ascending: Bool = true, options: StringOptions = []) {
        self.path = path
        isAscending = ascending
        self.options = options
    }

    /// Least first.
    ///
    ///     try Query(order: [.ascending("name")]).first(in: cities)?["name"]  // → "Boston"
    ///
    /// - Parameters:
    ///   - path: in property names.
    ///   - options: how strings are folded.
    /// - Returns: the key.
    public static func ascending(_ path: FieldPath, options: StringOptions = []) -> SortKey {
        SortKey(path, options: options)
    }

    /// Greatest first.
    ///
    ///     try Query(order: [.descending("name")]).first(in: cities)?["name"]  // → "Worcester"
    ///
    /// - Parameters:
    ///   - path: in property names.
    ///   - options: how strings are folded.
    /// - Returns: the key.
    public static func descending(_ path: FieldPath, options: StringOptions = []) -> SortKey {
        SortKey(path, ascending: false, options: options)
    }

    /// What rows are sorted by.
    package var term: Term { computed ?? .field(path, .none) }
    /// The field that rows are sorted by; nil for a computed value.
    package var field: FieldPath? { if case .field(let path, _) = term { path } else { nil } }
}

/// What `== nil` tests for.
///
///     let rows: [Document] = [["city": nil], [:]]
///     try Query(format: "city == nil").count(in: rows)  // → 2
///     try Query(Field("city") == nil, nilMeaning: .absent).matchingIndices(in: rows)  // → [1]
public enum NilMeaning: String, Hashable, Sendable, CaseIterable, Codable {  // S8
    /// Null or absent: the default.
    case nullOrAbsent
    /// The field is absent.
    case absent
    /// The field is present and null.
    case null
}
