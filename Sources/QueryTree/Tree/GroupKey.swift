import QueryValues

/// What rows are grouped by: a field, or a value computed from fields.
///
/// A text is the path of a field, as for ``FieldPath``. See S23.
///
///     let first = GroupKey(Field("population") / 100_000, as: "band")
///     try Query(order: ["-band"], limit: 1).grouped(by: first, computing: [.count]).results(in: cities)
///     // → [{"band":88,"count":1}]
public struct GroupKey: Hashable, Sendable {
    /// What is computed for each row; a `.field` for a plain path.
    public var term: Term
    /// A custom name for the result's field; nil for the usual one of a path.
    ///
    /// A computed key needs one.
    public var alias: String?

    /// A key by its term.
    ///
    ///     GroupKey(.field("address.state", .none), as: "state").name  // → state
    ///
    /// - Parameters:
    ///   - term: what is computed for each row.
    ///   - alias: the name of the result's field; nil only for a path.
    package init(_ term: Term, as alias: String?) {
        self.term = term
        self.alias = alias
    }

    /// A computed key.
    ///
    ///     GroupKey(Field("name").uppercased, as: "letters")  // → uppercase:(name) as letters
    ///
    /// - Parameters:
    ///   - field: what is computed for each row.
    ///   - alias: the name of the result's field.
    public init(_ field: Field, as alias: String) {
        self.init(field.queryTerm, as: alias)
    }

    /// A field as a key.
    ///
    ///     GroupKey(FieldPath(keys: ["address", "state"])).name  // → address_state
    ///
    /// - Parameter path: the field, in property names.
    public init(_ path: FieldPath) {
        self.init(.field(path, .none), as: nil)
    }

    /// The path of a key that is a field; nil for a computed key.
    ///
    ///     GroupKey("address.state").path?.keys  // → ["address", "state"]
    package var path: FieldPath? {
        if case .field(let path, _) = term { path } else { nil }
    }

    /// The name of the result's field: ``alias``, or the path with `_` for dots; empty for a computed key without one.
    ///
    ///     GroupKey("address.state").name  // → address_state
    public var name: String { alias ?? path.map(Grouping.name(of:)) ?? "" }

    /// A comparison with the term, for what walks conditions.
    package var test: Condition { .comparison(Comparison(term, .equal, .value(.null, .none))) }
}

extension GroupKey: CustomStringConvertible {
    /// The term's canonical text and the name; a plain path by its keys.
    ///
    ///     print(GroupKey(Field("age") / 10, as: "decade"))  // age / 10 as decade
    public var description: String {
        let text = path?.dotted ?? written.text
        return alias.map { text + " as " + $0 } ?? text
    }

    /// The term's canonical text, and the values without a literal in it.
    package var written: FormatWriter {
        StackRoom.run(for: test) {
            var writer = FormatWriter()
            writer.write(term)
            return writer
        }
    }
}
