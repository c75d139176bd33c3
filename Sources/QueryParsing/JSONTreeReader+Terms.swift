import QuerySyntax

extension JSONTreeReader {
    /// The term at a key of a node.
    func term(_ node: JSONTreeNode, _ key: JSONTreeKey, _ level: Int) throws(QueryError) -> Term {
        try term(node.value(key), node.way(to: key), level)
    }

    private func term(_ value: QueryValue, _ path: String, _ level: Int) throws(QueryError) -> Term {
        try checkLevel(level, path)
        guard case .object(let members) = value else { throw JSONTreeNode.error("a term is an object", path) }
        let node = try JSONTreeNode(.object(members), at: path)
        let name = try node.name(among: JSONTreeKey.terms)
        // One small function a case: a debug build gives one frame the locals of every case.
        switch name {
        case .value: return try constant(node)
        case .field: return try fieldTerm(node)
        case .variable: return .variable(try variable(node), .none)
        case .list: return try list(node, level)
        case .path: return try pathTerm(node, level)
        case .index: return try index(node, level)
        case .aggregate: return try aggregate(node, level)
        case .arithmetic: return try arithmetic(node, level)
        case .negate:
            try node.allows([.negate])
            return .negated(try term(node, .negate, level + 1), .none)
        case .call: return try call(node, level)
        case .subquery: return try subquery(node, level)
        case .test: return try conditional(node, level)
        case .cast: return try cast(node, level)
        default: return try assignment(node, level)
        }
    }

    private func constant(_ node: JSONTreeNode) throws(QueryError) -> Term {
        try node.allows([.value])
        return .constant(try node.value(.value))
    }

    private func fieldTerm(_ node: JSONTreeNode) throws(QueryError) -> Term {
        try node.allows([.field, .startsAtSelf])
        return .field(try field(node), .none)
    }

    private func variable(_ node: JSONTreeNode) throws(QueryError) -> Variable {
        try node.allows([.variable])
        return try variable(node, .variable)
    }

    private func variable(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> Variable {
        let name = try node.text(key)
        if name.isEmpty { throw node.error("a variable needs a name", at: key) }
        return Variable(name)
    }

    private func terms(_ node: JSONTreeNode, _ key: JSONTreeKey, _ level: Int) throws(QueryError) -> [Term] {
        var terms: [Term] = []
        for (position, value) in try node.list(key).enumerated() {
            terms.append(try term(value, node.way(to: key) + "[\(position)]", level))
        }
        return terms
    }

    private func list(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.list])
        return .list(try terms(node, .list, level + 1), .none)
    }

    private func pathTerm(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.path, .of])
        var steps: [PathStep] = []
        for (position, value) in try node.list(.path).enumerated() {
            let place = node.way(to: .path) + "[\(position)]"
            if case .string(let key) = value {
                if key.isEmpty { throw JSONTreeNode.error("a key is empty", place) }
                steps.append(.key(key))
            } else {
                steps.append(.variable(try variable(JSONTreeNode(value, at: place))))
            }
        }
        if steps.isEmpty { throw node.error("a path after a term needs a key", at: .path) }
        return .path(try term(node, .of, level + 1), steps, .none)
    }

    private func index(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.index, .of])
        let index: Index
        if case .string = try node.value(.index) {
            index = try node.word(.index, "index", [(ReservedWord.first, Index.first), (.last, .last), (.size, .size)])
            {
                $0.0.spellings
            }.1
        } else {
            index = .at(try term(node, .index, level + 1))
        }
        return .index(try term(node, .of, level + 1), index, .none)
    }

    private func aggregate(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.aggregate, .of, .over])
        let aggregate = try node.word(.aggregate, "@ operator", Aggregate.allCases) { [$0.spelling] }
        let path = node[.over] == nil ? [] : try keys(node, .over)
        if aggregate.pathRule == .none, !path.isEmpty {
            throw node.error("\(aggregate.spelling) takes no path", at: .over)
        }
        if aggregate.pathRule == .required, path.isEmpty { throw node.error("\(aggregate.spelling) needs a path") }
        return .aggregate(aggregate, of: try term(node, .of, level + 1), FieldPath(keys: path), .none)
    }

    private func arithmetic(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.arithmetic])
        let parts = try node.list(.arithmetic)
        guard parts.count >= 3, parts.count % 2 == 1 else {
            throw node.error("a chain is terms with operators between them", at: .arithmetic)
        }
        let way = node.way(to: .arithmetic)
        var chain = Arithmetic(first: try term(parts[0], way + "[0]", level + 1), rest: [])
        for position in stride(from: 1, to: parts.count, by: 2) {
            let place = way + "[\(position)]"
            guard case .string(let sign) = parts[position],
                let operation = ArithmeticOperator.allCases.first(where: { $0.row.spelling.hasSameUTF8(as: sign) })
            else { throw JSONTreeNode.error("expected an operator such as `+`", place) }
            if let precedence = chain.precedence, precedence != operation.row.precedence {
                throw JSONTreeNode.error("the operators of a chain have one precedence", place, hint: "nest the chains")
            }
            chain.rest.append(.init(operation, try term(parts[position + 1], way + "[\(position + 1)]", level + 1)))
        }
        return .arithmetic(chain, .none)
    }

    private func call(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.call, .arguments])
        let row = try node.word(.call, "function", FunctionRow.table) { $0.spellings }
        guard case .call(let function) = row.node else {
            throw node.error("\(row.name) is another node", at: .call, hint: row.summary)
        }
        let arguments = try terms(node, .arguments, level + 1)
        guard arguments.count == row.arguments.count else {
            throw node.error("\(row.name) takes \(row.arguments.count) arguments", at: .arguments)
        }
        return .call(function, arguments, .none)
    }

    private func subquery(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.subquery, .element, .condition])
        let subquery = Subquery(
            try term(node, .subquery, level + 1),
            try variable(node, .element),
            where: try condition(node.value(.condition), node.way(to: .condition), level + 1)
        )
        return .subquery(subquery, .none)
    }

    private func conditional(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.test, .then, .otherwise])
        return .conditional(
            try condition(node.value(.test), node.way(to: .test), level + 1),
            try term(node, .then, level + 1),
            try term(node, .otherwise, level + 1),
            .none
        )
    }

    private func cast(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.cast, .target])
        let target = try node.word(.target, "kind to cast to", CastTarget.allCases) { [$0.rawValue] }
        return .cast(try term(node, .cast, level + 1), target, .none)
    }

    private func assignment(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Term {
        try node.allows([.assign, .target])
        return .assignment(try variable(node, .target), try term(node, .assign, level + 1), .none)
    }
}
