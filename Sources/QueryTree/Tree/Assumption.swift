import QueryValues

/// An assumption of a translation about what no schema declares.
///
///     try Query(format: "age > 21").mongo().assumptions.map(\.document)  // → [{"single":"age"}]
///
/// Sorted and unique in every translation. nil satisfies every assumption. An assumption about a path below one that is
/// listed as a list or as objects applies to each element; on the way to any other path there is no list. See S11.
public enum Assumption: Hashable, Sendable {
    /// The path holds single values: no lists.
    case single(String)
    /// The path holds lists, and no object in them has a key of digits alone, which would be read as a position.
    case list(String)
    /// The path holds objects, or lists whose elements are all objects.
    case objects(String)
    /// The path holds values of one kind; a number is not NaN.
    case kind(String, Kind)
    /// The path holds dates in this form.
    case date(String, DateForm)
    /// The column holds lists and objects as JSON text; any other text is a single value.
    case json(String)

    /// How a store keeps dates that no schema declares.
    ///
    ///     Assumption.date("joined", .grdb).document  // → {"date":["joined","grdb"]}
    public enum DateForm: String, Hashable, Sendable {  // S5
        /// The store's own dates; no text is a date.
        case native
        /// ISO 8601 text with or without a time, milliseconds and a zone.
        case iso8601  // S5
        /// `yyyy-MM-ddTHH:mm:ss.SSSZ`; texts in other ISO 8601 forms are not dates.
        case iso8601Milliseconds
        /// GRDB's `yyyy-MM-dd HH:mm:ss.SSS`.
        case grdb
    }

    /// The JSON form: `{"single":"age"}`, `{"kind":["age","number"]}`.
    public var document: Document {
        switch self {
        case .single(let path): ["single": .string(path)]
        case .list(let path): ["list": .string(path)]
        case .objects(let path): ["objects": .string(path)]
        case .kind(let path, let kind): ["kind": [.string(path), .string(kind.rawValue)]]
        case .date(let path, let form): ["date": [.string(path), .string(form.rawValue)]]
        case .json(let path): ["json": .string(path)]
        }
    }

    private var sortText: (String, String, String) {
        switch self {
        case .single(let path): ("single", path, "")
        case .list(let path): ("list", path, "")
        case .objects(let path): ("objects", path, "")
        case .kind(let path, let kind): ("kind", path, kind.rawValue)
        case .date(let path, let form): ("date", path, form.rawValue)
        case .json(let path): ("json", path, "")
        }
    }

    /// Sorted by name, then path, then detail, each once.
    ///
    /// - Parameter assumptions: in any order, repeated or not.
    /// - Returns: the assumptions in order.
    package static func sorted(_ assumptions: some Sequence<Assumption>) -> [Assumption] {
        Set(assumptions).sorted { $0.sortText < $1.sortText }
    }
}
