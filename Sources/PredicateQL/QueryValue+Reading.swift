import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension QueryValue {
    /// The bool; nil for every other kind.
    ///
    ///     (["open": true] as Document)["open"]?.bool  // → true
    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    /// The whole number; nil for every other value, a double too.
    ///
    ///     cities[0]["population"]?.int  // → 653833
    public var int: Int? { if case .int(let number) = self { Int(exactly: number) } else { nil } }

    /// The number as a double; nil for every other kind.
    ///
    ///     cities[0]["population"]?.double  // → 653833.0
    public var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .null, .bool, .string, .date, .data, .uuid, .list, .object, .shape: nil
        }
    }

    /// The text; nil for every other kind.
    ///
    ///     cities[0]["name"]?.string  // → Boston
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The date; nil for every other kind.
    ///
    ///     QueryValue.date(1_594_916_197_597).date?.timeIntervalSince1970  // → 1594916197.597
    public var date: Date? {
        if case .date(let milliseconds) = self {
            Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        } else {
            nil
        }
    }

    /// The elements of the list; nil for every other kind.
    ///
    ///     (["tags": ["a", "b"]] as Document)["tags"]?.list?.count  // → 2
    public var list: [QueryValue]? { if case .list(let elements) = self { elements } else { nil } }

    /// The object; nil for every other kind.
    ///
    ///     QueryValue.object(cities[0]).object?["name"]?.string  // → Boston
    public var object: Document? { if case .object(let object) = self { object } else { nil } }
}

extension Document {
    /// An object of values of any type, such as one that `JSONSerialization` gives.
    ///
    ///     let rows: [[String: Any]] = [["name": "Ann", "age": 31], ["name": "Bob", "age": 17]]
    ///     try Query(format: "age > 18").results(in: rows.map { try Document(any: $0) })  // → [{"age":31,"name":"Ann"}]
    ///
    /// - Parameter dictionary: the fields; they are sorted by the UTF-8 bytes of their names.
    /// - Throws: as ``QueryValue/init(any:)``.
    /// - Complexity: O(size of the values).
    public init(any dictionary: [String: Any?]) throws(QueryError) {
        guard case .object(let object) = try QueryValue(any: dictionary) else {
            throw QueryError(.argument, "no object")
        }
        self = object
    }
}

extension [Document] {
    /// The rows of a JSON array of objects; ``JSONRows`` reads objects that stand in a line each.
    ///
    ///     let people = try [Document](json: #"[{"name":"Ann","age":31},{"name":"Bob","age":17}]"#)
    ///     try Query(format: "age > 18").count(in: people)  // → 1
    ///
    /// - Parameters:
    ///   - json: the text.
    ///   - limits: bounds on the nesting.
    /// - Throws: `QueryError` of code `json` with the place of a mistake, and for what is no array of objects.
    /// - Complexity: O(size of the text).
    public init(json: String, limits: Limits = .default) throws(QueryError) {
        guard case .list(let elements) = try QueryValue(json: json, limits: limits) else {
            throw QueryError(.json, "a list of rows is a JSON array of objects", hint: "write [{…}, {…}]")
        }
        self = []
        reserveCapacity(elements.count)
        for (number, element) in elements.enumerated() {
            guard case .object(let row) = element else {
                throw QueryError(.json, "the element \(number) is not an object", hint: "a list of rows is [{…}, {…}]")
            }
            append(row)
        }
    }
}
