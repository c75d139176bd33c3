import PredicateQL
import QueryValues

extension TypedCases {
    /// The rows for the judge to insert.
    var encodedRows: QueryValue {
        .list(
            rows.map { row in
                var row = row
                for name in ["s", "t"] where layout == .columns {
                    guard case .string(let text)? = row[name] else { continue }
                    row[name + "_c"] = .string(StringOptions.caseInsensitive.folded(text))
                    row[name + "_d"] = .string(StringOptions.diacriticInsensitive.folded(text))
                    row[name + "_cd"] = .string(
                        StringOptions([.caseInsensitive, .diacriticInsensitive]).folded(text)
                    )
                }
                return layout == .columns || layout == .nested
                    ? .object(Document(pairs: row.pairs.map { ($0.0, Self.encoded($0.1)) }))
                    : .string(JSONWriter().text(.object(row)))
            }
        )
    }

    /// A value with its kind, in JSON that every reader reads exactly.
    static func encoded(_ value: QueryValue) -> QueryValue {
        switch value {
        case .null: .null
        case .bool(let flag): .object(Document(pairs: [("bool", .bool(flag))]))
        case .int(let number): .object(Document(pairs: [("int", .string(String(number)))]))
        case .double(let number):
            .object(
                Document(pairs: [
                    (
                        "double",
                        .string(
                            number.isNaN
                                ? "NaN" : number.isInfinite ? (number < 0 ? "-" : "") + "Infinity" : "\(number)"
                        )
                    )
                ])
            )
        case .string(let text): .object(Document(pairs: [("text", .string(text))]))
        case .date(let date): .object(Document(pairs: [("date", .string(DateText.iso8601(date)))]))
        case .data(let bytes): .object(Document(pairs: [("data", .list(bytes.map { .int(Int64($0)) }))]))
        case .uuid(let uuid): .object(Document(pairs: [("text", .string(uuid.uuidString))]))
        case .list(let elements): .object(Document(pairs: [("list", .list(elements.map(encoded)))]))
        case .object(let document):
            .object(
                Document(pairs: [("object", .object(Document(pairs: document.pairs.map { ($0.0, encoded($0.1)) })))])
            )
        case .shape: .null
        }
    }
}
