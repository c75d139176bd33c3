import QueryTree
import QueryValues

/// Names for functions of the library that statements call besides the functions of the language.
package enum CalledName {
    /// A point lies within a shape: `pred_call('geoWithin', kind, shape, kind, place)`.
    package static let within = "geoWithin"

    /// A value converted to another kind: `pred_call('NSNumber', kind, value)`.
    package static func cast(_ target: CastTarget) -> String { target.rawValue }

    /// The kind of the minimum or maximum: `pred_over('min kind', kind, value)`.
    package static func kind(of function: Function) -> String { function.rawValue + " kind" }

    /// Two values are equal, with texts in lists and objects folded: `pred_call('== cd', kind, value, kind, value)`.
    package static func same(_ options: StringOptions) -> String { "== " + options.folding.text }

    /// Bytes that sort like a list or an object: `pred_call('order cd', kind, value)`.
    package static func orderKey(_ options: StringOptions) -> String {
        options.folding.isEmpty ? "order" : "order " + options.folding.text
    }

    /// The kind of a constant that SQL cannot represent: Extended JSON.
    package static let extended = "extended"

    /// The kind of a date: its stored form.
    package static func date(_ encoding: DateEncoding) -> String { "date " + encoding.rawValue }
}

// The library's own functions compute what SQL cannot; each value is passed with its kind.

extension SQLWriter {
    /// `pred_call('name', kind, value, …)`.
    func called(_ name: String, _ arguments: [Operand], _ origin: Origin) throws(QueryError) -> SQLText {
        guard let function = dialect.callFunction else { throw noFunction(name, origin) }
        var pieces: [SQLText] = [.literal(name)]
        for argument in arguments {
            let (kind, value) = try passed(argument)
            pieces += [kind, value]
        }
        return call(function, pieces)
    }

    /// `(SELECT pred_over('name', kind, value) FROM chain)`.
    func over(_ name: String, _ node: Node, _ chain: Collection, _ origin: Origin) throws(QueryError) -> SQLText {
        select(try over(name, node, origin), chain)
    }

    /// `pred_over('name', kind, value)`.
    func over(_ name: String, _ node: Node, _ origin: Origin) throws(QueryError) -> SQLText {
        guard let function = dialect.overFunction else { throw noFunction(name, origin) }
        let (kind, value) = try passed(.node(node, origin))
        return call(function, [.literal(name), kind, value])
    }

    private func noFunction(_ name: String, _ origin: Origin) -> QueryError {
        unsupported("this store cannot be given a function for \(name)", at: origin)
    }

    /// A geographic point: a list or an object, stored as JSON text in a plain column.
    func location(_ term: Term, _ scope: Scope) throws(QueryError) -> Operand {
        guard let place = try place(of: term, scope), case .column = place.site, place.type == .any else {
            return try operand(term, scope)
        }
        var node = read(place)
        if let name = place.name { assume(.list(name.joined(separator: "."))) }
        node.kinds = .json(.choice(of: .call("typeof", node.value), [(["text"], .literal("array"))]))
        return .node(node, term.origin)
    }

    /// A value's kind and the value itself, which is JSON text for lists and objects.
    private func passed(_ operand: Operand) throws(QueryError) -> (kind: SQLText, value: SQLText) {
        switch operand {
        case .constant(let value, _):
            switch value {
            case .null: return (.null, .null)
            case .int, .double, .string, .data: return (.literal("plain"), .bind(value))
            case .bool, .date, .uuid, .list, .object, .shape:
                return (.literal(CalledName.extended), .bind(.string(JSONWriter(style: .canonical).text(value))))
            }
        case .node(let node, let origin):
            if node.isRow { throw unsupported("a row of another table is not a value in SQL", at: origin) }
            return (passedKind(node), node.value)
        }
    }

    private func passedKind(_ node: Node) -> SQLText {
        if case .date(let encoding) = node.type { return .literal(CalledName.date(encoding)) }
        if node.type == .uuid { return .literal("uuid") }
        switch node.kinds {
        case .json(let type): return type
        case .storage: return .literal("plain")
        case .known(let kind): return .literal(kind == .bool ? "true" : "plain")
        }
    }
}
