import PredicateQL
import StoreModel

extension Document {
    /// The document as the wire holds it: dates as ISO 8601 text, data as base64, UUIDs as text.
    var inWireForm: Document { Document(pairs: pairs.map { ($0.0, $0.1.inWireForm()) }) }

    /// The JSON text of ``inWireForm``.
    var wireJSON: [UInt8] {
        var json: [UInt8] = []
        JSONWriter().write(.object(inWireForm), to: &json)
        return json
    }
}

extension QueryValue {
    /// The value as the wire holds it; the depth is that of an encoded entity, which is bounded.
    ///
    /// - Parameter kept: the kinds of values that a query compares as they are.
    /// - Returns: the value with texts for what JSON lacks.
    fileprivate func inWireForm(keeping kept: Set<Kind> = []) -> QueryValue {
        if kept.contains(kind) { return self }
        return switch self {
        case .date(let instant): .string(DateText.iso8601(instant))
        case .data(let bytes): .string(Base64.text(bytes))
        case .uuid(let uuid): .string(uuid.uuidString.lowercased())
        case .list(let values): .list(values.map { $0.inWireForm(keeping: kept) })
        case .object(let document): .object(document.inWireForm)
        case .null, .bool, .int, .double, .string, .shape: self
        }
    }
}

extension Query {
    /// The query with bytes as the texts that entities hold, and UUIDs too where no schema says what fields hold.
    var inWireForm: Query {
        var query = self
        query.condition = condition.inWireForm(keeping: schema == nil ? [.date, .object] : [.date, .object, .uuid])
        return query
    }
}

extension Condition {
    fileprivate func inWireForm(keeping kept: Set<Kind>) -> Condition {
        mapChildren {
            $0.inWireForm(keeping: kept)
        } _: { comparison in
            var copy = comparison
            copy.left = comparison.left.inWireForm(keeping: kept)
            copy.right = comparison.right.inWireForm(keeping: kept)
            return .comparison(copy)
        }
    }
}

extension Term {
    fileprivate func inWireForm(keeping kept: Set<Kind>) -> Term {
        switch self {
        case .value(let value, let origin): .value(value.inWireForm(keeping: kept), origin)
        case .variable, .field, .list, .arithmetic, .negated, .cast, .path, .index, .aggregate, .call, .subquery,
            .conditional, .assignment:
            mapChildren({ $0.inWireForm(keeping: kept) }, { $0.inWireForm(keeping: kept) })
        }
    }
}

extension Base64 {
    /// The base64 text of bytes.
    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        encode(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
