import PredicateQL
import QueryTree
import QueryValues

/// An answer being assembled; keys keep their order.
struct BatchAnswer {
    private(set) var object: Document

    init(id: QueryValue) {
        object = ["id": id]
    }

    /// An answer that contains only an error.
    init(id: QueryValue, error: QueryError) {
        self.init(id: id)
        fail(error)
    }

    /// Adds the error of the whole request.
    mutating func fail(_ error: QueryError) { object["error"] = error.answer }

    /// Adds an output, or its error; an error of one backend does not affect the others.
    mutating func add(_ name: String, _ make: () throws(QueryError) -> QueryValue) {
        do throws(QueryError) {
            object[name] = try make()
        } catch {
            object[name] = .object(["error": error.answer])
        }
    }

    /// The line without its line ending.
    var text: String { QueryValue.object(object).json }
}

extension QueryError {
    /// `{"code","message","range","hint","path","fix"}`, null for missing parts; a fix is a range and its replacement.
    ///
    /// A range without a path belongs to the format string.
    var answer: QueryValue {
        let range: QueryValue = range.map { [.int(Int64($0.lowerBound)), .int(Int64($0.upperBound))] } ?? .null
        let path = path ?? (self.range == nil ? nil : "format")
        return .object([
            "code": .string(code.rawValue),
            "message": .string(message),
            "range": range,
            "hint": hint.map(QueryValue.string) ?? .null,
            "path": path.map(QueryValue.string) ?? .null,
            "fix": fix?.answer ?? .null,
        ])
    }
}

extension QueryError.Fix {
    /// `range` and `replacement`.
    fileprivate var answer: QueryValue {
        let range: QueryValue = [.int(Int64(range.lowerBound)), .int(Int64(range.upperBound))]
        return .object(["range": range, "replacement": .string(replacement)])
    }
}

extension MongoQuery {
    /// `filter`, `sort`, `projection`, `skip`, `limit` if set, and `assumptions`.
    var answer: QueryValue {
        var object = document.namingLargeIntegers
        object["assumptions"] = assumptions.answer
        return .object(object)
    }
}

extension MongoPipeline {
    /// `pipeline` and `assumptions`.
    var answer: QueryValue {
        var object = document.namingLargeIntegers
        object["assumptions"] = assumptions.answer
        return .object(object)
    }
}

extension Document {
    /// Ints beyond 2^53 as `$numberLong`, because readers that use doubles would round them.
    fileprivate var namingLargeIntegers: Document {
        Document(shape: shape, values: values.map(\.namingLargeIntegers))
    }
}

extension QueryValue {
    var namingLargeIntegers: QueryValue {
        switch self {
        case .int(let value) where value.magnitude > 1 << 53: .object(["$numberLong": .string(String(value))])
        case .list(let values): .list(values.map(\.namingLargeIntegers))
        case .object(let object): .object(object.namingLargeIntegers)
        default: self
        }
    }
}

extension SQLQuery {
    /// `sql`, `bindings`, `where`, `whereBindings`, `functions` and `assumptions`.
    var answer: QueryValue {
        .object([
            "sql": .string(sql),
            "bindings": .list(bindings),
            "where": .string(self.where),
            "whereBindings": .list(whereBindings),
            "functions": .list(
                functions.map { .object(["name": .string($0.name), "arguments": .int(Int64($0.arguments))]) }
            ),
            "assumptions": assumptions.answer,
        ])
    }
}

extension [Assumption] {
    /// The list of their JSON forms.
    var answer: QueryValue { .list(map { .object($0.document) }) }
}
