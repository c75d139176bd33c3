import PredicateQL

/// Rows with every kind that JSON can hold, absent and null fields, and values that nearly fit.
public struct RowGenerator {
    /// Fields with single values.
    public static let scalars = ["a", "b", "s", "t", "o.x", "o.s"]
    /// Fields with lists of values.
    public static let lists = ["l", "m", "kids.age"]
    /// A field with a list of objects, and the keys of those.
    public static let objects = "kids"
    /// Keys of the objects.
    public static let keys = ["age", "name"]

    private static let numbers: [QueryValue] = [
        0, 1, -1, 2, 5, 7, 1.5, -0.0, 2.0, 1e300, .int(.max), .int(.min), .int(9_007_199_254_740_993),
        .double(9_007_199_254_740_992),
    ]
    private static let texts = [
        "", "a", "A", "ab", "é", "e\u{301}", "É", "ß", "ss", "a*c", "a?c", "[x]", "it's", "a\"b", "\\", "x\ny", "%",
        "_",
        "{\"k\":1}", "[1]", "5", "日本", "😀", "ſ", "K",
    ]

    /// Some rows.
    ///
    /// - Parameter source: the choices.
    /// - Returns: from 1 to 6 rows.
    public static func rows(_ source: inout ByteSource) -> [Document] {
        (0...source.below(6)).map { _ in row(&source) }
    }

    private static func row(_ source: inout ByteSource) -> Document {
        var row = Document()
        for key in ["a", "b", "s", "t"] { row[key] = scalar(&source) }
        for key in ["l", "m"] { row[key] = list(&source) }
        row["o"] = source.below(4) == 0 ? scalar(&source) : .object(object(["x", "s"], &source))
        row["kids"] =
            source.below(5) == 0
            ? scalar(&source) : .list((0..<source.below(4)).map { _ in .object(object(keys, &source)) })
        return row
    }

    private static func object(_ keys: [String], _ source: inout ByteSource) -> Document {
        var document = Document()
        for key in keys { document[key] = scalar(&source) }
        return document
    }

    private static func list(_ source: inout ByteSource) -> QueryValue? {
        switch source.below(6) {
        case 0: nil
        case 1: scalar(&source)
        default: .list((0..<source.below(5)).map { _ in scalar(&source) ?? .null })
        }
    }

    private static func scalar(_ source: inout ByteSource) -> QueryValue? {
        switch source.below(10) {
        case 0: nil
        case 1: .null
        case 2: .bool(source.below(2) == 1)
        case 3, 4, 5: source.pick(numbers)
        default: .string(source.pick(texts))
        }
    }

    /// A literal that may well be in a row.
    ///
    /// - Parameter source: the choices.
    /// - Returns: null, a bool, a number or text.
    public static func literal(_ source: inout ByteSource) -> QueryValue { scalar(&source) ?? .null }

    /// Text that may well be in a row.
    ///
    /// - Parameter source: the choices.
    /// - Returns: the text.
    public static func text(_ source: inout ByteSource) -> String { source.pick(texts) }
}
