import QueryMongo
import QueryTree
import QueryValues

/// Recognises the JavaScript of group requests by its shape; nothing is run.
///
/// White space, quotes, the names of the parameters and `a.b` for `a["b"]` make no difference, nor does a last statement
/// `return out`. A script is either one that ``GroupScript`` writes or one of the forms of ``Foreign``.
struct GroupScriptReader {
    /// A longer script has none of the forms; so many values have no use in one.
    static let mostBytes = 65_536

    /// What a script computes, and the accumulators that it expects.
    struct Script {
        var values: [GroupScript.Value]
        var initial: Document
        /// The form of another client; its average leaves its count, and its sum if it keeps one.
        var form: Foreign?
    }

    /// The forms of other clients, each a script's only statements, with steps as ``stepped()`` writes them.
    enum Foreign: CaseIterable {
        case count, sum, average, runningAverage, lateAverage, least, greatest

        fileprivate var statement: GroupStatement {
            switch self {
            case .count: .count
            case .sum: .sum
            case .average, .runningAverage, .lateAverage: .average
            case .least: .leastNumber
            case .greatest: .greatestNumber
            }
        }

        fileprivate var pieces: [GroupPiece] {
            switch self {
            case .count: [.result, "+=1;"]
            case .sum: [.result, "+=", .value, ";"]
            case .average: [.count, "+=1;", .sum, "+=", .value, ";", .result, "=", .sum, "/", .count, ";"]
            case .runningAverage: Self.mean(by: .count, [.count, "+=1;"])
            case .lateAverage:
                ["var count=(", .count, "==undefined)?0:", .count, ";"]
                    + Self.mean(by: "count", [.count, "=count+1;"])
            case .least: [.result, "=Math.min(", .result, ",", .value, ");"]
            case .greatest: [.result, "=Math.max(", .result, ",", .value, ");"]
            }
        }

        /// The mean of one value more.
        private static func mean(by count: GroupPiece, _ next: [GroupPiece]) -> [GroupPiece] {
            [.result, "=(", .result, "*", count, "+", .value, ")/(", count, "+1);"] + next
        }

        fileprivate func initial(_ value: GroupScript.Value) -> Document {
            switch self {
            case .count, .sum, .lateAverage: [value.name: 0]
            case .average: [value.sum: 0, value.count: 0]
            case .runningAverage: [value.count: 0, value.name: 0]
            case .least: [value.name: "Infinity"]
            case .greatest: [value.name: "-Infinity"]
            }
        }
    }

    static let hint =
        "recognised: function(doc,out){out.count++;}, {out.sum+=doc.a;}, "
        + "{out.count++;out.sum+=doc.a;out.avg=out.sum/out.count;}, {out.min=Math.min(out.min,doc.a);}, the same with "
        + #"max, and what Kinvey's SDKs send; or write "reducers":[{"op":"avg","field":"a","as":"avg"}] in place of reduce and initial"#

    private enum Token: Hashable {
        case word(UTF8Key)
        case text(UTF8Key)
        case mark(UInt8)
    }

    private var tokens: [Token]
    private var at = 0

    /// Reads a script.
    ///
    /// - Parameter text: a function of a document and its group.
    /// - Returns: what it computes; nil for a script of another form. Linear in the text.
    static func read(_ text: String) -> Script? {
        guard let tokens = tokens(of: text), var reader = GroupScriptReader(tokens) else { return nil }
        return reader.own() ?? reader.other()
    }

    /// A reader before the body's first statement.
    private init?(_ tokens: [Token]) {
        guard let named = Self.named(tokens) else { return nil }
        self.tokens = named
        guard take("function(doc,out){") else { return nil }
        let ending = Self.tokens(of: "return out}") ?? []
        if self.tokens.count > at + ending.count, self.tokens.suffix(ending.count) == ending[...] {
            self.tokens.removeSubrange((self.tokens.count - ending.count)..<(self.tokens.count - 1))
        }
    }

    /// The script with the names that the forms give its parameters and its variable; nil if these names, or ones that
    /// the forms use, mean something else in it.
    private static func named(_ tokens: [Token]) -> [Token]? {
        guard tokens.count > 7, case .word(let row) = tokens[2], case .word(let group) = tokens[4], row != group else {
            return nil
        }
        var names = [row: UTF8Key("doc"), group: UTF8Key("out")]
        if tokens[7] == .word(UTF8Key("var")), tokens.count > 9, case .word(let variable) = tokens[8],
            tokens[9] == .mark(UInt8(ascii: "="))
        {
            guard names.updateValue(UTF8Key("count"), forKey: variable) == nil else { return nil }
        }
        let fixed = ["function", "var", "return", "undefined", "Math", "v"].map(UTF8Key.init)
        guard names.keys.allSatisfy({ !startsWithDigit($0) && !fixed.contains($0) }) else { return nil }
        var named: [Token] = []
        for token in tokens {
            guard case .word(let word) = token else {
                named.append(token)
                continue
            }
            guard names[word] != nil || !names.values.contains(word) else { return nil }
            named.append(.word(names[word] ?? word))
        }
        return named
    }

    private static func startsWithDigit(_ word: UTF8Key) -> Bool {
        word.text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
    }

    /// The tokens with `x++`, `++x` and `x=x+y` written as `x+=1` and `x+=y`.
    private func stepped() -> [Token] {
        let (plus, equals, one) = (
            Token.mark(UInt8(ascii: "+")), Token.mark(UInt8(ascii: "=")), Self.tokens(of: "1") ?? []
        )
        var stepped = Array(tokens[..<at])
        var rest = tokens[at...]
        while let end = rest.firstIndex(of: .mark(UInt8(ascii: ";"))) {
            let statement = rest[..<end]
            rest = rest[(end + 1)...]
            if statement.count > 2, statement.suffix(2) == [plus, plus] {
                stepped += statement.dropLast(2) + [plus, equals] + one
            } else if statement.count > 2, statement.prefix(2) == [plus, plus] {
                stepped += statement.dropFirst(2) + [plus, equals] + one
            } else if let sign = statement.firstIndex(of: equals), statement[..<sign].last != plus,
                case let place = statement[..<sign], case let value = statement[(sign + 1)...],
                value.count > place.count + 1, value.starts(with: place), value.dropFirst(place.count).first == plus
            {
                stepped += place + [plus, equals] + value.dropFirst(place.count + 1)
            } else {
                stepped += statement
            }
            stepped.append(.mark(UInt8(ascii: ";")))
        }
        return stepped + rest
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
        return Script(values: values, initial: script.initial)
    }

    private mutating func other() -> Script? {
        tokens = stepped()
        for form in Foreign.allCases {
            let start = at
            defer { at = start }
            guard let value = value(form.statement, form.pieces, isOwn: false), isAtEnd else { continue }
            return Script(values: [value], initial: form.initial(value), form: form)
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
                // Each key has one place: no other key is the same.
                if let name = member("out"), name.count == 1,
                    names.allSatisfy({ ($0 == piece) == $1.hasSameUTF8(as: name[0]) })
                {
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
            tokens[at + 2] == .mark(UInt8(ascii: "]")), !name.text.hasSameUTF8(as: "__proto__")
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
        var (at, isOnNewLine) = (0, false)
        while at < bytes.count {
            let byte = bytes[at]
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                isOnNewLine = isOnNewLine || byte == 0x0A || byte == 0x0D
                at += 1
                continue
            }
            if isOnNewLine, let last = tokens.last, endsValue(last) {
                // A line ends a statement before a word, and before a step, which would be one of the next value.
                if isWord(byte) || bytes[at...].starts(with: "++".utf8) { tokens.append(.mark(UInt8(ascii: ";"))) }
            }
            isOnNewLine = false
            if isWord(byte) {
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

    /// True for a token that may be the last of a statement, `++` included.
    private static func endsValue(_ token: Token) -> Bool {
        switch token {
        case .word, .text: true
        case .mark(let mark): "])+".utf8.contains(mark)
        }
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
