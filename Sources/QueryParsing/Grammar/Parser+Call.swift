import QueryChecking
import QueryTree
import QueryValues

extension Parser {
    /// `call = function-name "(" [ term { "," term } ] ")" | subquery | ternary | cast ;`.
    mutating func call() throws(Mistake) -> ParsedNode {
        let name = token
        advance()
        if token.kind != .open { throw unexpected("`(`") }
        let row = try row(of: name)
        try enter()
        advance()
        let result: ParsedNode
        switch name.kind {
        case .reserved(.subquery): result = try subquery(name.start)
        case .reserved(.ternary): result = try ternary(name.start)
        default:
            let values = try values(of: name, atMost: row.map { $0.arguments.count + ($0.last == nil ? 0 : 1) } ?? 2)
            result = try node(of: row, values, name)
        }
        leave()
        return result
    }

    /// The function's row, nil for the special calls.
    private func row(of name: Token) throws(Mistake) -> FunctionEntry? {
        if name.kind == .reserved(.function) { throw functionCall(name) }
        if isSpecial(name) { return nil }
        guard let row = FunctionEntry.named(word(name, skipping: 0)) else { throw unknownFunction(name) }
        return row
    }

    private func isSpecial(_ name: Token) -> Bool {
        switch name.kind {
        case .reserved(.subquery), .reserved(.ternary), .reserved(.cast): true
        default: false
        }
    }

    /// The arguments up to and including the closing parenthesis.
    private mutating func values(of name: Token, atMost most: Int) throws(Mistake) -> [ParsedNode] {
        var values: [ParsedNode] = []
        if token.kind != .close {
            while true {
                let value = try expression(.or)
                try append(value, to: &values, atMost: most)
                guard token.kind == .comma else { break }
                advance()
                if token.kind == .close { throw trailingComma() }
            }
        }
        guard token.kind == .close else { throw unclosedCall(name) }
        advance()
        return values
    }

    /// Arguments beyond the last are only counted.
    private func append(_ value: ParsedNode, to values: inout [ParsedNode], atMost most: Int) throws(Mistake) {
        if !value.isTerm { throw noTerm(value) }
        if values.count <= most { values.append(value) }
    }

    private func node(of row: FunctionEntry?, _ values: [ParsedNode], _ name: Token) throws(Mistake) -> ParsedNode {
        guard let row else {
            guard values.count == 2 else { throw wrongCount(of: name, "a value and a type in quotes", values) }
            return try cast(values[0], values[1], name.start)
        }
        guard row.takes(values.count) else { throw wrongCount(of: name, row, values) }
        let start = name.start
        switch row.node {
        case .call(let function):
            var depth = Depth()
            var arguments: [Term] = []
            for value in values {
                arguments.append(try term(value))
                depth.include(value)
            }
            let place = origin(start, previousEnd)
            return try node(.call(function, arguments, place), start, previousEnd, over: depth, nesting: 1)
        case .arithmetic(let operation): return try arithmetic(operation, values[0], values[1], start)
        case .cast: return try cast(values[0], values[1], start)
        case .index: return try indexed(values[0], nil, values[1], start)
        case .geoWithin:
            var depth = Depth()
            depth.include(values[0])
            depth.include(values[1])
            depth.isPlain = false
            let comparison = Comparison(
                try term(values[0]),
                .geoWithin,
                try term(values[1]),
                origin: origin(start, previousEnd)
            )
            return try node(.comparison(comparison), start, previousEnd, over: depth, nesting: 1)
        }
    }

    /// `subquery = "SUBQUERY" "(" term "," variable "," predicate ")" ;`.
    private mutating func subquery(_ start: Int) throws(Mistake) -> ParsedNode {
        if token.kind == .close { throw unexpected("a collection") }
        let collection = try expression(.or)
        let name = try elementVariable(collection)
        let test = try expression(.or)
        return try subquery(collection, name, test, start)
    }

    /// The variable of SUBQUERY with the commas around it.
    private mutating func elementVariable(_ collection: ParsedNode) throws(Mistake) -> Token {
        if collection.condition != nil { throw unexpectedCondition(collection) }
        try take(.comma, "`,` and a variable after the collection")
        guard token.kind == .variable else { throw missingVariable() }
        let name = token
        advance()
        if token.kind == .dot { throw unexpected("`,` after the variable; it has no path here") }
        try take(.comma, "`,` and a condition after the variable")
        return name
    }

    private mutating func subquery(
        _ collection: ParsedNode,
        _ name: Token,
        _ test: ParsedNode,
        _ start: Int
    ) throws(Mistake) -> ParsedNode {
        let condition = try predicate(test)
        try takeClosing(ReservedWord.subquery.rawValue, test)
        var depth = Depth()
        depth.include(collection)
        depth.include(test)
        let subquery = Subquery(try term(collection), Variable(try key(name)), where: condition)
        let place = origin(start, previousEnd)
        return try node(.subquery(subquery, place), start, previousEnd, over: depth, nesting: 1)
    }

    /// `ternary = "TERNARY" "(" predicate "," term "," term ")" ;`.
    private mutating func ternary(_ start: Int) throws(Mistake) -> ParsedNode {
        let test = try expression(.or)
        try takeTest(test)
        let first = try expression(.or)
        try takeBranch(first)
        let second = try expression(.or)
        return try ternary(test, first, second, start)
    }

    private mutating func takeTest(_ test: ParsedNode) throws(Mistake) {
        _ = try predicate(test)
        try take(.comma, "`,` and the value for true")
    }

    private mutating func takeBranch(_ branch: ParsedNode) throws(Mistake) {
        _ = try term(branch)
        try take(.comma, "`,` and the value for false")
    }

    private mutating func ternary(
        _ test: ParsedNode,
        _ first: ParsedNode,
        _ second: ParsedNode,
        _ start: Int
    ) throws(Mistake) -> ParsedNode {
        let whenFalse = try term(second)
        try takeClosing(ReservedWord.ternary.rawValue, second)
        var depth = Depth()
        depth.include(test)
        depth.include(first)
        depth.include(second)
        let place = origin(start, previousEnd)
        return try node(
            .conditional(try predicate(test), try term(first), whenFalse, place),
            start,
            previousEnd,
            over: depth,
            nesting: 1
        )
    }

    /// `cast = "CAST" "(" term "," string ")" ;`.
    ///
    /// A cast of a number to a date, or of a text to a UUID, is folded to a value.
    private func cast(_ operand: ParsedNode, _ type: ParsedNode, _ start: Int) throws(Mistake) -> ParsedNode {
        guard case .term(.value(.string(let name), _)) = type.content else { throw noType(type) }
        guard let target = CastTarget(rawValue: name) else { throw classCast(name, type.range) }
        let inner = try term(operand)
        let place = origin(start, previousEnd)
        if case .value(let value, _) = inner, let folded = try folded(value, operand, target) {
            return ParsedNode(.value(folded, place), start: start, end: previousEnd, nesting: folded.nesting)
        }
        var depth = Depth()
        depth.include(operand)
        return try node(.cast(inner, target, place), start, previousEnd, over: depth, nesting: 1)
    }
}
