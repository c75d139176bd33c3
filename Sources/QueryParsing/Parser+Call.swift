import QuerySyntax

extension Parser {
    /// `call = function-name "(" [ term { "," term } ] ")" | subquery | ternary | cast ;`
    mutating func call() throws(Mistake) -> Node {
        let name = token
        advance()
        return try call(name)
    }

    /// A call whose name was taken; the parenthesis comes next.
    mutating func call(_ name: Token) throws(Mistake) -> Node {
        if name.kind == .reserved(.function) { throw functionCall(name) }
        let row = FunctionRow.named(word(name, skipping: 0))
        if row == nil, !isSpecial(name) { throw unknownFunction(name) }
        try enter()
        advance()
        let result: Node
        switch (name.kind, row) {
        case (.reserved(.subquery), _): result = try subquery(name.start)
        case (.reserved(.ternary), _): result = try ternary(name.start)
        case (.reserved(.cast), _):
            let values = try values(of: name, atMost: 2)
            guard values.count == 2 else { throw wrongCount(of: name, "a value and a type in quotes", values) }
            result = try cast(values[0], values[1], name.start)
        case (_, let row?):
            let values = try values(of: name, atMost: row.arguments.count)
            guard values.count == row.arguments.count else { throw wrongCount(of: name, row, values) }
            result = try node(of: row, values, name)
        default: throw unknownFunction(name)
        }
        leave()
        return result
    }

    private func isSpecial(_ name: Token) -> Bool {
        switch name.kind {
        case .reserved(.subquery), .reserved(.ternary), .reserved(.cast): true
        default: false
        }
    }

    /// The arguments up to and with the closing parenthesis.
    private mutating func values(of name: Token, atMost most: Int) throws(Mistake) -> [Node] {
        var values: [Node] = []
        if token.kind != .close {
            while true {
                let value = try expression(.or)
                guard value.term != nil else { throw noTerm(value) }
                // Arguments beyond the last are only counted.
                if values.count <= most { values.append(value) }
                guard token.kind == .comma else { break }
                advance()
                if token.kind == .close { throw trailingComma() }
            }
        }
        guard token.kind == .close else { throw unclosedCall(name) }
        advance()
        return values
    }

    private func node(of row: FunctionRow, _ values: [Node], _ name: Token) throws(Mistake) -> Node {
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
        case .index:
            var depth = Depth()
            let base = try term(values[0])
            depth.include(values[0], parenthesized: base.needsParenthesesBeforeIndex)
            depth.include(values[1], parenthesized: true)
            let place = origin(start, previousEnd)
            return try node(.index(base, .at(try term(values[1])), place), start, previousEnd, over: depth)
        case .geoWithin:
            var depth = Depth()
            depth.include(values[0])
            depth.include(values[1])
            let comparison = Comparison(
                try term(values[0]),
                .geoWithin,
                try term(values[1]),
                origin: origin(start, previousEnd)
            )
            return try node(.comparison(comparison), start, previousEnd, over: depth, nesting: 1)
        }
    }

    /// `subquery = "SUBQUERY" "(" term "," variable "," predicate ")" ;`
    private mutating func subquery(_ start: Int) throws(Mistake) -> Node {
        if token.kind == .close { throw unexpected("a collection") }
        let collection = try expression(.or)
        let base = try term(collection)
        try take(.comma, "`,` and a variable after the collection")
        guard token.kind == .variable else { throw missingVariable() }
        let variable = Variable(try key(token))
        advance()
        if token.kind == .dot { throw unexpected("`,` after the variable; it has no path here") }
        try take(.comma, "`,` and a condition after the variable")
        let test = try expression(.or)
        let condition = try predicate(test)
        try takeClosing("SUBQUERY", test)
        var depth = Depth()
        depth.include(collection)
        depth.include(test)
        return try node(
            .subquery(Subquery(base, variable, where: condition), origin(start, previousEnd)),
            start,
            previousEnd,
            over: depth,
            nesting: 1
        )
    }

    /// `ternary = "TERNARY" "(" predicate "," term "," term ")" ;`
    private mutating func ternary(_ start: Int) throws(Mistake) -> Node {
        let test = try expression(.or)
        let condition = try predicate(test)
        try take(.comma, "`,` and the value for true")
        let first = try expression(.or)
        let whenTrue = try term(first)
        try take(.comma, "`,` and the value for false")
        let second = try expression(.or)
        let whenFalse = try term(second)
        try takeClosing("TERNARY", second)
        var depth = Depth()
        depth.include(test)
        depth.include(first)
        depth.include(second)
        return try node(
            .conditional(condition, whenTrue, whenFalse, origin(start, previousEnd)),
            start,
            previousEnd,
            over: depth,
            nesting: 1
        )
    }

    /// `cast = "CAST" "(" term "," string ")" ;`
    ///
    /// A number as date and a text as UUID are values at once.
    private func cast(_ operand: Node, _ type: Node, _ start: Int) throws(Mistake) -> Node {
        guard case .term(.value(.string(let name), _)) = type.content else { throw noType(type) }
        guard let target = CastTarget(rawValue: name) else { throw classCast(name, type.range) }
        let inner = try term(operand)
        let place = origin(start, previousEnd)
        if case .value(let value, _) = inner, let folded = try folded(value, operand, target) {
            return Node(.value(folded, place), start: start, end: previousEnd, nesting: 1)
        }
        var depth = Depth()
        depth.include(operand)
        return try node(.cast(inner, target, place), start, previousEnd, over: depth, nesting: 1)
    }
}
