import QueryTree
import QueryValues

extension Parser {
    /// The base of a path that starts with `@count` or `%K`, for which nothing is written.
    var emptyPath: ParsedNode {
        ParsedNode(.field(FieldPath(keys: []), origin(token.start, token.start)), start: token.start, end: token.start)
    }

    /// `path = ( "SELF" | key ) { "." key } ;`.
    mutating func path() throws(Mistake) -> ParsedNode {
        let first = token
        var path = FieldPath(keys: [])
        if first.kind == .reserved(.self) {
            path.startsAtSelf = true
            advance()
            if token.kind == .dot, beginsKey {
                advance()
                try keys(into: &path.keys)
            }
        } else {
            if first.kind == .word {
                path.keys = [try key(first)]
                advance()
                if token.kind == .dot, beginsKey {
                    advance()
                    try keys(into: &path.keys)
                }
            } else {
                try keys(into: &path.keys)
            }
        }
        return ParsedNode(.field(path, origin(first.start, previousEnd)), start: first.start, end: previousEnd)
    }

    /// True when a plain key follows the dot that comes next.
    private var beginsKey: Bool {
        switch lexer.byteAhead() {
        case UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "%"): false
        default: true
        }
    }

    /// `keys = key { "." key } ;`.
    private mutating func keys(into keys: inout [String]) throws(Mistake) {
        while true {
            guard token.kind == .escapedWord || isWord(token) else { throw missingKey() }
            keys.append(try key(token))
            advance()
            if keys.count > limits.pathParts { throw pathTooLong() }
            guard token.kind == .dot, beginsKey else { return }
            advance()
        }
    }

    /// `postfix = atom { "." step | index } ;`.
    ///
    /// `isStep` means that the next token is already a step, without a dot.
    mutating func postfix(_ base: ParsedNode, isStep: Bool = false) throws(Mistake) -> ParsedNode {
        var result = base
        // An operator such as `@unionOfObjects` that still needs its path.
        var needsPath: Range<Int>?
        if isStep { result = try step(result, &needsPath) }
        while true {
            switch token.kind {
            case .dot:
                advance()
                result = try step(result, &needsPath)
            case .openBracket:
                if let needsPath { throw missingAggregatePath(needsPath) }
                result = try index(result)
            default:
                if let needsPath { throw missingAggregatePath(needsPath) }
                return result
            }
        }
    }

    /// `step = key | "@" word | variable | "%K" ;`.
    private mutating func step(_ base: ParsedNode, _ needsPath: inout Range<Int>?) throws(Mistake) -> ParsedNode {
        switch token.kind {
        case .aggregate:
            if let needsPath { throw missingAggregatePath(needsPath) }
            guard let aggregate = Aggregate(rawValue: word(token, skipping: 1)) else { throw unknownAggregate(base) }
            let range = token.range
            advance()
            if aggregate.pathRule == .required { needsPath = range }
            return try applying(aggregate, to: base)
        case .variable:
            if let needsPath { throw missingAggregatePath(needsPath) }
            let variable = Variable(try key(token))
            advance()
            return try appending([.variable(variable)], to: base)
        case .specifier where Specifier(packed: token.value).conversion == UInt8(ascii: "K"):
            return try namedPath(base, &needsPath)
        default:
            var keys: [String] = []
            let start = token.start
            try self.keys(into: &keys)
            needsPath = nil
            return try appending(keys, to: base, from: start)
        }
    }

    /// The steps of the path that `%K` stands for.
    private mutating func namedPath(_ base: ParsedNode, _ needsPath: inout Range<Int>?) throws(Mistake) -> ParsedNode {
        let placeholder = token
        var parts = try arguments.path(Specifier(packed: token.value), token.range)[...]
        if parts.count > limits.pathParts { throw pathTooLong() }
        advance()
        var result = base
        if base.start == placeholder.start, parts.first?.isItself == true {
            parts.removeFirst()
            result = ParsedNode(.field(.itself, origin(base.start, previousEnd)), start: base.start, end: previousEnd)
        }
        var keys: [String] = []
        for part in parts {
            switch part {
            case .key(let key): keys.append(key)
            case .aggregate(let aggregate):
                if !keys.isEmpty {
                    result = try appending(keys, to: result, from: placeholder.start)
                    keys = []
                    needsPath = nil
                }
                if let needsPath { throw missingAggregatePath(needsPath) }
                result = try applying(aggregate, to: result)
                if aggregate.pathRule == .required { needsPath = placeholder.range }
            }
        }
        guard !keys.isEmpty else { return result }
        needsPath = nil
        return try appending(keys, to: result, from: placeholder.start)
    }

    /// `items.@sum`.
    private func applying(_ aggregate: Aggregate, to base: ParsedNode) throws(Mistake) -> ParsedNode {
        let inner = try term(base)
        if case .aggregate(let count, of: _, _, _) = inner, !base.isGroup, count.pathRule == .none {
            throw pathAfterCount(count, min(base.end + 1, previousEnd))
        }
        var depth = Depth()
        depth.include(base, parenthesized: inner.needsParenthesesBeforeDot(isAggregated: true))
        let place = origin(base.start, previousEnd)
        return try node(
            .aggregate(aggregate, of: inner, FieldPath(keys: []), place),
            base.start,
            previousEnd,
            over: depth
        )
    }

    /// Keys after a field extend its path, keys after an operator are the operator's path.
    private func appending(_ keys: [String], to base: ParsedNode, from start: Int) throws(Mistake) -> ParsedNode {
        var result = base
        let isGroup = base.isGroup
        result.end = previousEnd
        result.isGroup = false
        let place = origin(base.start, previousEnd)
        switch try term(base) {
        case .field(var path, _):
            path.keys += keys
            if path.keys.count > limits.pathParts { throw pathTooLong() }
            result.content = .term(.field(path, place))
            return result
        case .aggregate(let aggregate, of: let inner, var path, _) where !isGroup:
            if aggregate.pathRule == .none { throw pathAfterCount(aggregate, start) }
            let isItself = path.keys.isEmpty && keys.first?.utf8.count == 4 && keys.first?.lowercased() == "self"
            path.keys += isItself ? keys.dropFirst() : keys[...]
            if path.keys.count > limits.pathParts { throw pathTooLong() }
            result.content = .term(.aggregate(aggregate, of: inner, path, place))
            return result
        default:
            return try appending(keys.map { .key($0) }, to: base)
        }
    }

    /// Steps after something that is not a field.
    private func appending(_ steps: [PathStep], to base: ParsedNode) throws(Mistake) -> ParsedNode {
        let place = origin(base.start, previousEnd)
        let inner = try term(base)
        if case .path(let root, var before, _) = inner {
            before += steps
            if before.count > limits.pathParts { throw pathTooLong() }
            var result = base
            result.end = previousEnd
            result.isGroup = false
            result.content = .term(.path(root, before, place))
            return result
        }
        if steps.count > limits.pathParts { throw pathTooLong() }
        var depth = Depth()
        depth.include(base, parenthesized: inner.needsParenthesesBeforeDot(isAggregated: false))
        return try node(.path(inner, steps, place), base.start, previousEnd, over: depth)
    }

    /// `index = "[" ( "FIRST" | "LAST" | "SIZE" | term ) "]" ;`.
    private mutating func index(_ base: ParsedNode) throws(Mistake) -> ParsedNode {
        try enter()
        advance()
        if token.kind == .closeBracket { throw unexpected("a position, a key, FIRST, LAST or SIZE") }
        let word = indexWord
        var position: ParsedNode?
        if word != nil { advance() } else { position = try expression(.or) }
        guard token.kind == .closeBracket else { throw unclosedIndex() }
        if let position, position.condition != nil { throw filter(of: base, position) }
        advance()
        leave()
        return try indexed(base, word, position, base.start)
    }

    /// An element by its position: a word or a term.
    func indexed(_ base: ParsedNode, _ word: Index?, _ position: ParsedNode?, _ start: Int) throws(Mistake)
        -> ParsedNode
    {
        let inner = try term(base)
        var depth = Depth()
        depth.include(base, parenthesized: inner.needsParenthesesBeforeIndex)
        if let position { depth.include(position, parenthesized: true) }
        let index: Index
        if let position { index = .at(try term(position)) } else { index = word ?? .first }
        return try node(.index(inner, index, origin(start, previousEnd)), start, previousEnd, over: depth)
    }

    /// FIRST, LAST or SIZE if it is alone in its brackets.
    private var indexWord: Index? {
        guard case .reserved(let word) = token.kind, lexer.byteAhead() == UInt8(ascii: "]") else { return nil }
        switch word {
        case .first: return .first
        case .last: return .last
        case .size: return .size
        default: return nil
        }
    }
}
