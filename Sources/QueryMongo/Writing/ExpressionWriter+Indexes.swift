import QueryTree
import QueryValues

extension ExpressionWriter {
    /// `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]`, `a['key']`.
    func indexed(_ base: Term, _ index: Index, _ origin: Origin) throws(QueryError) -> Operand {
        if case .field(let path, _) = base, path.keys.isEmpty, case .at(.value(.string(let key), _)) = index {
            return try operand(.field(FieldPath(keys: [key]), origin))
        }
        let list = try operand(base)
        var result = Operand(expression: .null, type: scope.type(of: .index(base, index, origin)), origin: origin)
        if case .size = index { return counting(list, result) }
        result.isPath = true
        switch index {
        case .first: result.expression = op("$arrayElemAt", [Self.listed(list), 0])
        case .last: result.expression = op("$arrayElemAt", [Self.listed(list), -1])
        case .size: break
        case .at(let term):
            switch term.constantValue {
            case .int(let position) where (0...Int64(Int32.max)).contains(position):
                result.expression = op("$arrayElemAt", [Self.listed(list), .int(position)])
            case .string(let key): return try member(key, of: list, base, result)
            default: throw unsupported("Mongo needs a constant position, 0 or greater", at: term.origin)
            }
        }
        return result
    }

    /// `a['key']`; lists and other values have no keys.
    private func member(
        _ key: String,
        of owner: Operand,
        _ base: Term,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        var result = result
        try base.checkNoExtreme(result.origin)
        switch owner.type {
        case .object: return try operand(.path(base, [.key(key)], result.origin))
        case .any:
            if !context.isGuarded, !looksIntoLists, case .field = base {
                return try operand(.path(base, [.key(key)], result.origin))
            }
            try MongoName.check(key, at: result.origin)
            result.expression = Self.named(owner.expression) { value in
                guard case .string(let root) = value else { return .null }
                return Self.choose(Self.isList(value), absent, .string(root + "." + key))
            }
        case .list, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: result.expression = absent
        }
        return result
    }
}
