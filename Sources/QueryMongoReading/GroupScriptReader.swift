import QueryMongo
import QueryTree
import QueryValues

/// Recognises the JavaScript of group requests by its shape; nothing is run.
///
/// White space, quotes and `a.b` for `a["b"]` make no difference. A script is either one that ``GroupScript`` writes or
/// one of the forms of `foreign`.
struct GroupScriptReader {
    /// What a script computes, and the accumulators that it expects.
    struct Script {
        var values: [GroupScript.Value]
        var initial: Document
        /// True if an average's sum and count are results too.
        var showsParts: Bool
    }

    /// The forms of other clients, each a script's only statements: counts, sums, averages, and extremes of numbers.
    private static let foreign: [(GroupStatement, [GroupPiece])] = [
        (.sum, [.result, "+=", .value, ";"]),
        (.average, [.count, "++;", .sum, "+=", .value, ";", .result, "=", .sum, "/", .count, ";"]),
        (.leastNumber, [.result, "=Math.min(", .result, ",", .value, ");"]),
        (.greatestNumber, [.result, "=Math.max(", .result, ",", .value, ");"]),
    ]

    static let hint =
        "recognised: function(doc,out){out.count++;}, {out.sum+=doc.a;}, "
        + "{out.count++;out.sum+=doc.a;out.avg=out.sum/out.count;}, {out.min=Math.min(out.min,doc.a);}, the same with "
        + #"max; or write "reducers":[{"op":"avg","field":"a","as":"avg"}] in place of reduce and initial"#

    private enum Token: Hashable {
        case word(UTF8Key)
        case text(UTF8Key)
        case mark(UInt8)
    }

    private let tokens: [Token]
    private var at = 0

    /// Reads a script.
    ///
    /// - Parameter text: a function of `doc` and `out`.
    /// - Returns: what it computes; nil for a script of another form. Linear in the text.
    static func read(_ text: String) -> Script? {
        guard let tokens = tokens(of: text), var reader = GroupScriptReader(tokens) else { return nil }
        return reader.own() ?? reader.other()
    }

    /// A reader before the body's first statement.
    private init?(_ tokens: [Token]) {
        self.tokens = tokens
        guard take("function(doc,out){") else { return nil }
    }

    private var isAtEnd: Bool { at == tokens.count - 1 && tokens[at] == .mark(UInt8(ascii: "}")) }

    /// A script that ``GroupScript`` writes for the values that are read from it.
    private mutating func own() -> Script? {
        let start = at
        defer { at = start }
        _ = take("var v;")
        for helper in GroupScript.helpers { _ = take(helper) }
        var values: [GroupScript.Value] = []
        while !isAtEnd {
            var next: GroupScript.Value?
            for statement in GroupStatement.allCases where next == nil {
                next = value(statement, statement.pieces, isOwn: true)
            }
            guard let next else { return nil }
            values.append(next)
        }
        let script = GroupScript(values: values)
        let names = values.flatMap { [$0.name, $0.sum, $0.count] }.filter { !$0.isEmpty }.map(UTF8Key.init)
        guard !values.isEmpty, Set(names).count == names.count, Self.tokens(of: script.reduce) == tokens else {
            return nil
        }
        return Script(values: values, initial: script.initial, showsParts: false)
    }

    private mutating func other() -> Script? {
        for (statement, pieces) in Self.foreign {
            guard let value = value(statement, pieces, isOwn: false), isAtEnd else { continue }
            let initial: Document =
                switch statement {
                case .count, .sum: [value.name: 0]
                case .average: [value.sum: 0, value.count: 0]
                case .leastNumber, .least: [value.name: "Infinity"]
                case .greatestNumber, .greatest: [value.name: "-Infinity"]
                }
            return Script(values: [value], initial: initial, showsParts: true)
        }
        return nil
    }

    /// The value of a statement that begins here; otherwise nothing is read.
    private mutating func value(
        _ statement: GroupStatement,
        _ pieces: [GroupPiece],
        isOwn: Bool
    ) -> GroupScript.Value? {
        let start = at
        var (names, path) = ([GroupPiece: String](), [String]())
        for piece in pieces {
            switch piece {
            case .code(let code):
                if take(code) { continue }
            case .result, .sum, .count:
                if let name = member("out"), name.count == 1, names[piece, default: name[0]].hasSameUTF8(as: name[0]) {
                    names[piece] = name[0]
                    continue
                }
            case .value:
                if let read = isOwn ? guardedPath() : member("doc") {
                    path = read
                    continue
                }
            }
            at = start
            return nil
        }
        return GroupScript.Value(
            operation: statement.operation(GroupKey(FieldPath(keys: path))),
            path: path,
            type: [.leastNumber, .greatestNumber].contains(statement) ? .double : .any,
            name: names[.result] ?? "",
            sum: names[.sum] ?? "",
            count: names[.count] ?? ""
        )
    }

    /// `doc["a"]`, or `isObject(doc["a"])?doc["a"]["b"]:null`.
    private mutating func guardedPath() -> [String]? {
        guard take("isObject(") else { return member("doc") }
        repeat {
            guard member("doc") != nil, take(")") else { return nil }
        } while take("&&isObject(")
        guard take("?"), let path = member("doc"), take(":null") else { return nil }
        return path
    }

    /// The names after an object: `out["a"]["b"]`.
    private mutating func member(_ object: String) -> [String]? {
        guard take(object) else { return nil }
        var names: [String] = []
        while at + 2 < tokens.count, tokens[at] == .mark(UInt8(ascii: "[")), case .text(let name) = tokens[at + 1],
            tokens[at + 2] == .mark(UInt8(ascii: "]"))
        {
            names.append(name.text)
            at += 3
        }
        return names.isEmpty ? nil : names
    }

    /// Reads a given piece of code, if it is here.
    private mutating func take(_ code: String) -> Bool {
        let wanted = Self.tokens(of: code) ?? []
        guard tokens[at...].starts(with: wanted) else { return false }
        at += wanted.count
        return true
    }
}

extension GroupScriptReader {
    /// The tokens without white space; nil for a string that is not one of JSON's but for its quotes.
    private static func tokens(of code: String) -> [Token]? {
        let bytes = Array(code.utf8)
        var tokens: [Token] = []
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                at += 1
            } else if isWord(byte) {
                let end = bytes[at...].firstIndex { !isWord($0) } ?? bytes.count
                add(UTF8Key(String(decoding: bytes[at..<end], as: UTF8.self)), to: &tokens)
                at = end
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                guard let text = string(bytes, &at) else { return nil }
                tokens.append(.text(UTF8Key(text)))
            } else {
                // The last statement needs no semicolon.
                if byte == UInt8(ascii: "}"), let last = tokens.last, !endsStatement(last) {
                    tokens.append(.mark(UInt8(ascii: ";")))
                }
                tokens.append(.mark(byte))
                at += 1
            }
        }
        return tokens
    }

    private static func endsStatement(_ token: Token) -> Bool {
        ";{}".utf8.contains { token == .mark($0) }
    }

    /// A name after a dot is the same as a text in brackets.
    private static func add(_ word: UTF8Key, to tokens: inout [Token]) {
        guard tokens.count > 1, tokens.last == .mark(UInt8(ascii: ".")) else { return tokens.append(.word(word)) }
        tokens.removeLast()
        tokens += [.mark(UInt8(ascii: "[")), .text(word), .mark(UInt8(ascii: "]"))]
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// A string literal, read as JSON with its own quotes.
    private static func string(_ bytes: [UInt8], _ at: inout Int) -> String? {
        let (quote, escape) = (bytes[at], UInt8(ascii: "\\"))
        var json = [UInt8(ascii: "\"")]
        at += 1
        while at < bytes.count, bytes[at] != quote {
            let isEscaped = bytes[at] == escape && at + 1 < bytes.count
            if isEscaped { at += 1 }
            // JSON escapes no apostrophe, and always escapes a quotation mark.
            if bytes[at] == UInt8(ascii: "\"") || isEscaped && bytes[at] != UInt8(ascii: "'") { json.append(escape) }
            json.append(bytes[at])
            at += 1
        }
        guard at < bytes.count else { return nil }
        at += 1
        json.append(UInt8(ascii: "\""))
        var reader = JSONReader()
        guard case .string(let text)? = try? reader.read(json) else { return nil }
        return text
    }
}
