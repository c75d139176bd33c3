import Foundation
import QueryTree
import QueryValues

/// Computes aggregation expressions like a server: an invalid operand fails the whole query, even in a branch that is
/// not taken.
struct MongoExpression {
    var root: QueryValue
    var variables: [String: QueryValue?] = [:]

    func isTrue(_ expression: QueryValue) throws -> Bool {
        switch try value(expression) {
        case nil, .null?, .bool(false)?, .int(0)?: false
        case .double(let number)?: number != 0
        default: true
        }
    }

    /// The value of an expression; nil is missing.
    func value(_ expression: QueryValue) throws -> QueryValue? {
        switch expression {
        case .string(let text) where text.hasPrefix("$$"): return try variable(String(text.dropFirst(2)))
        case .string(let text) where text.hasPrefix("$"): return follow(root, text.dropFirst())
        case .list(let elements): return .list(try elements.map { try value($0) ?? .null })
        case .object(let object):
            guard let name = object.keys.first, name.hasPrefix("$") else { return try members(object) }
            guard object.count == 1 else { throw refused("an expression has one operator") }
            return try call(name, object.values[0])
        default: return expression
        }
    }

    private func members(_ object: Document) throws -> QueryValue {
        var members = Document()
        for (key, part) in object.pairs { members[key] = try value(part) }
        return .object(members)
    }

    private func variable(_ text: String) throws -> QueryValue? {
        let name = text.prefix { $0 != "." }
        if name == "ROOT" { return root }
        if name == "REMOVE" { return .none }
        guard let bound = variables[String(name)] else { throw refused("use of undefined variable \(name)") }
        guard name.count < text.count, let bound else { return name.count == text.count ? bound : nil }
        return follow(bound, text.dropFirst(name.count + 1))
    }

    /// Objects by key; a list gives the list of its elements' values, without missing ones.
    private func follow(_ value: QueryValue, _ path: Substring) -> QueryValue? {
        let key = path.prefix { $0 != "." }
        switch value {
        case .object(let object):
            guard let next = object[String(key)] else { return nil }
            return key.count == path.count ? next : follow(next, path.dropFirst(key.count + 1))
        case .list(let elements):
            return .list(
                elements.compactMap { element -> QueryValue? in
                    switch element {
                    case .object, .list: follow(element, path)
                    default: nil
                    }
                }
            )
        default: return nil
        }
    }

    func refused(_ text: String) -> MongoJudge.Refused { MongoJudge.Refused(description: text) }

    private func call(_ name: String, _ operand: QueryValue) throws -> QueryValue? {
        switch name {
        case "$literal": return operand
        case "$and": return .bool(try !operands(operand).map { try isTrue($0) }.contains(false))
        case "$or": return .bool(try operands(operand).map { try isTrue($0) }.contains(true))
        case "$not":
            let parts = operands(operand)
            guard parts.count == 1 else { throw refused("$not takes exactly 1 argument") }
            return .bool(try !isTrue(parts[0]))
        case "$cond":
            let parts = operands(operand)
            guard parts.count == 3 else { throw refused("$cond takes exactly 3 arguments") }
            let (first, second) = (try value(parts[1]), try value(parts[2]))
            return try isTrue(parts[0]) ? first : second
        case "$ifNull":
            let values = try operands(operand).map { try value($0) }
            guard values.count > 1 else { throw refused("$ifNull needs at least two arguments") }
            return values.first { $0?.isNull == false } ?? values[values.count - 1]
        case "$eq", "$ne", "$gt", "$gte", "$lt", "$lte":
            let pair = try operands(operand).map { try value($0) }
            guard pair.count == 2 else { throw refused("\(name) takes exactly 2 arguments") }
            return .bool(MongoOrder.holds(name, MongoOrder.compare(pair[0], pair[1])))
        case "$let", "$map", "$filter", "$reduce": return try scoped(name, operand)
        default: return try compute(name, operands(operand).map { try value($0) }, operand)
        }
    }

    /// A single operand may be given without its list.
    private func operands(_ operand: QueryValue) -> [QueryValue] {
        operand.elements ?? [operand]
    }

    func binding(_ values: [String: QueryValue?]) -> MongoExpression {
        var inner = self
        inner.variables.merge(values) { $1 }
        return inner
    }

    private func scoped(_ name: String, _ operand: QueryValue) throws -> QueryValue? {
        guard case .object(let arguments) = operand else { throw refused("\(name) needs an object") }
        let body = arguments["in"] ?? arguments["cond"] ?? .null
        if name == "$let" {
            guard case .object(let variables)? = arguments["vars"] else { throw refused("$let needs vars") }
            var bound: [String: QueryValue?] = [:]
            for (key, part) in variables.pairs {
                guard key.utf8.first.map({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) == true else {
                    throw refused("'\(key)' starts with an invalid character for a user variable name")
                }
                bound.updateValue(try value(part), forKey: key)
            }
            return try binding(bound).value(body)
        }
        guard let input = try value(arguments["input"] ?? .null), !input.isNull else { return .null }
        guard let elements = input.elements else { throw refused("input to \(name) must be an array") }
        if name == "$reduce" {
            return try elements.reduce(try value(arguments["initialValue"] ?? .null)) {
                try binding(["value": $0, "this": $1]).value(body)
            }
        }
        guard case .string(let variable) = arguments["as"] ?? "this" else { throw refused("as must be a string") }
        if name == "$map" {
            return .list(try elements.map { try binding([variable: $0]).value(body) ?? .null })
        }
        return .list(try elements.filter { try binding([variable: $0]).isTrue(body) })
    }
}
