import QueryChecking
import QueryTree
import QueryValues

/// The values for `%@`, `%K` and the printf family (S24).
struct FormatArguments {
    private let values: [QueryValue]
    private var next = 0
    /// True if placeholders have positions; nil before the first.
    private var isPositional: Bool?
    private var used: Set<Int> = []

    init(_ values: [QueryValue]) {
        self.values = values
    }

    /// The value for a placeholder, converted as its letter requires.
    mutating func value(_ specifier: Specifier, _ range: Range<Int>) throws(Mistake) -> QueryValue {
        let (value, number) = try take(specifier, range)
        let letter = specifier.conversion
        if letter == UInt8(ascii: "@") { return value }
        if Lexer.integers.contains(letter) { return try int(value, letter, number, range) }
        if Lexer.floats.contains(letter) { return try float(value, number, range) }
        if letter == UInt8(ascii: "s") {
            guard case .string = value else { throw wrongKind("a text", number, range) }
            return value
        }
        return try int(value, letter, number, range)
    }

    /// The parts of the path for `%K`.
    mutating func path(_ specifier: Specifier, _ range: Range<Int>) throws(Mistake) -> [PathPart] {
        let (value, number) = try take(specifier, range)
        guard case .string(let text) = value else { throw wrongKind("a path as text", number, range) }
        switch PathPart.parts(of: text) {
        case .success(let parts): return parts
        case .failure(let fault): throw fault.error("argument \(number)", range)
        }
    }

    private mutating func take(_ specifier: Specifier, _ range: Range<Int>) throws(Mistake) -> (QueryValue, Int) {
        if let isPositional, isPositional != (specifier.position != nil) {
            throw Mistake(
                .argument,
                "placeholders with and without positions cannot be mixed",
                range: range,
                hint: "give every placeholder a position, or none"
            )
        }
        isPositional = specifier.position != nil
        let index = (specifier.position ?? next + 1) - 1
        guard index >= 0 else { throw Mistake(.argument, "argument positions start at 1", range: range) }
        guard index < values.count else {
            throw Mistake(
                .argument,
                "\(index + 1 < Specifier.mostPosition ? "argument \(index + 1)" : "this argument") is missing: \(Self.count(values.count)) passed",
                range: range,
                hint: "pass one argument for every placeholder (pql: --arg VALUE)"
            )
        }
        if specifier.position == nil { next += 1 } else { used.insert(index) }
        return (values[index], index + 1)
    }

    private static func count(_ count: Int) -> String {
        switch count {
        case 0: "none was"
        case 1: "only one was"
        default: "only \(count) were"
        }
    }

    private func int(
        _ value: QueryValue,
        _ letter: UInt8,
        _ number: Int,
        _ range: Range<Int>
    ) throws(Mistake) -> QueryValue {
        var int: Int64?
        switch value {
        case .int(let value): int = value
        case .double(let value): int = Int64(exactly: value)
        default: break
        }
        guard let int else { throw wrongKind("a whole number", number, range) }
        if letter == UInt8(ascii: "u") || letter == UInt8(ascii: "U"), int < 0 {
            throw wrongKind("a whole number that is not negative", number, range)
        }
        return .int(int)
    }

    private func float(_ value: QueryValue, _ number: Int, _ range: Range<Int>) throws(Mistake) -> QueryValue {
        switch value {
        case .int(let value): return .double(Double(value))
        case .double: return value
        default: throw wrongKind("a number", number, range)
        }
    }

    private func wrongKind(_ expected: String, _ number: Int, _ range: Range<Int>) -> Mistake {
        Mistake(
            .argument,
            "argument \(number) must be \(expected)",
            range: range,
            hint: "use %@ for a value of any kind, %K for a path"
        )
    }

    /// Rejects unused arguments; a placeholder in quotes does not count.
    func checkAllUsed(quoted: Range<Int>?, in text: Range<Int>) throws(Mistake) {
        guard !values.isEmpty else { return }
        let count = isPositional == true ? used.count : next
        guard count < values.count else { return }
        if let quoted {
            throw Mistake(
                .argument,
                "a placeholder in quotes is plain text and takes no argument",
                range: quoted,
                hint: "write %@ without quotes",
                fix: QueryError.Fix(range: quoted, replacement: "%@")
            )
        }
        throw Mistake(
            .argument,
            values.count == 1
                ? "the argument is not used"
                : "\(values.count - count) of \(values.count) arguments \(values.count - count == 1 ? "is" : "are") not used",
            range: text,
            hint: "write %@ for each argument; inside quotes it is plain text"
        )
    }

    /// The nesting of a value's canonical text; lists that nest too deep or are too long are an error.
    func depth(
        of value: QueryValue,
        _ limits: Limits,
        _ range: Range<Int>,
        inside level: Int = 0
    ) throws(Mistake) -> Int {
        guard case .list(let elements) = value else { return value.nesting }
        guard elements.count <= limits.listElements else {
            throw Mistake(.limit, "a list has more than \(limits.listElements) elements", range: range)
        }
        guard level < limits.nesting else {
            throw Mistake(.limit, "lists are nested more than \(limits.nesting) deep", range: range)
        }
        var deepest = 0
        for element in elements { deepest = max(deepest, try depth(of: element, limits, range, inside: level + 1)) }
        return deepest + 1
    }
}

extension QueryValue {
    /// The nesting of a single value's canonical text: a minus, a cast, or a cast of a negative number.
    var nesting: Int {
        switch self {
        case .int(let value): value < 0 ? 1 : 0
        case .double(let value): value.isFinite && value.sign == .minus ? 1 : 0
        case .date(let milliseconds): milliseconds < CastTarget.referenceDate ? 2 : 1
        case .uuid: 1
        case .null, .bool, .string, .data, .list, .object, .shape: 0
        }
    }
}

/// A part of a path, between two dots.
enum PathPart {
    case key(String)
    case aggregate(Aggregate)

    /// True for `SELF`, which at the start of a path is the object itself.
    var isItself: Bool {
        if case .key(let key) = self { key.uppercased() == ReservedWord.`self`.rawValue } else { false }
    }

    /// Why a text is not a path.
    enum Fault: Error {
        case emptyKey
        case unknownAggregate(String)
        case tooLong

        func error(_ what: String, _ range: Range<Int>?) -> Mistake {
            switch self {
            case .emptyKey:
                Mistake(
                    .argument,
                    "\(what) is not a path: a key is empty",
                    range: range,
                    hint: "write keys with one dot between"
                )
            case .unknownAggregate:
                Mistake(
                    .unknownAggregate,
                    "\(what) names an unknown @ operator",
                    range: range,
                    hint: "one of " + Aggregate.allCases.map(\.spelling).joined(separator: ", ")
                )
            case .tooLong: Mistake(.limit, "\(what) has too many keys", range: range)
            }
        }
    }

    /// The parts of a text with dots.
    static func parts(of text: String) -> Result<[PathPart], Fault> {
        let keys = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var parts: [PathPart] = []
        for key in keys {
            guard let first = key.first else { return .failure(.emptyKey) }
            guard first == UInt8(ascii: "@") else {
                parts.append(.key(String(Substring(key))))
                continue
            }
            guard let aggregate = Aggregate(rawValue: String(Substring(key.dropFirst()))) else {
                // There is nothing before it to be calculated: a key of data such as JSON-LD, `@type`.
                if parts.isEmpty {
                    parts.append(.key(String(Substring(key))))
                    continue
                }
                return .failure(.unknownAggregate(String(Substring(key))))
            }
            parts.append(.aggregate(aggregate))
        }
        return .success(parts)
    }
}

extension Term {
    /// Reads a key path of Foundation, as `%K` takes it: keys and `@` operators joined by dots.
    ///
    /// - Parameters:
    ///   - text: the key path, each key taken literally.
    ///   - base: the value it starts from, nil for the row.
    /// - Throws: `QueryError` for an empty key or an unknown `@` operator.
    package init(keyPath text: String, below base: Term?) throws(QueryError) {
        do {
            var parts = try PathPart.parts(of: text).get()[...]
            var term = base ?? .field(FieldPath(keys: []), .none)
            if base == nil, parts.first?.isItself == true {
                parts.removeFirst()
                term = .field(.itself, .none)
            }
            // What it starts from has ended: a key of `a.@max.b` is one of the value.
            if let base, case .aggregate = base, case .key(let key)? = parts.first {
                parts.removeFirst()
                term = .path(base, [.key(key)], .none)
            }
            for part in parts { term = term.appending(part) }
            self = term
        } catch {
            throw error.error("the key path \(text)", nil).error
        }
    }

    private func appending(_ part: PathPart) -> Term {
        switch (part, self) {
        case (.aggregate(let aggregate), _): return .aggregate(aggregate, of: self, FieldPath(keys: []), .none)
        case (.key(let key), .field(var path, _)):
            path.keys.append(key)
            return .field(path, .none)
        case (.key(let key), .aggregate(let aggregate, of: let base, var path, _)) where aggregate.pathRule != .none:
            let isItself = path.keys.isEmpty && key.uppercased() == ReservedWord.`self`.rawValue
            if !isItself { path.keys.append(key) }
            return .aggregate(aggregate, of: base, path, .none)
        case (.key(let key), .path(let base, let steps, _)): return .path(base, steps + [.key(key)], .none)
        case (.key(let key), _): return .path(self, [.key(key)], .none)
        }
    }
}
