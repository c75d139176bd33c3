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

    /// What is left of a version when another one takes its place: the fields that a type does not know (W10).
    ///
    /// - Parameters:
    ///   - known: the version as the type writes it after reading it: what is missing there, it does not know.
    ///   - new: the version that the type wrote.
    /// - Returns: the new version, with the unknown fields; objects inside likewise, lists not.
    func keepingUnknown(besides known: Document, in new: Document) -> Document {
        var result = new
        for (key, value) in pairs {
            switch (value, known[key], new[key]) {
            case (_, nil, nil): result[key] = value
            case (.object(let old), .object(let read)?, .object(let written)?):
                result[key] = .object(old.keepingUnknown(besides: read, in: written))
            default: break
            }
        }
        return result
    }
}

extension QueryValue {
    /// The value as the wire holds it; the depth is that of an encoded entity, which is bounded.
    ///
    /// - Parameter keepsDates: true in queries, where dates are compared as instants.
    /// - Returns: the value with texts for what JSON lacks.
    fileprivate func inWireForm(keepsDates: Bool = false) -> QueryValue {
        switch self {
        case .date(let instant): keepsDates ? self : .string(DateText.iso8601(instant))
        case .data(let bytes): .string(Base64.text(bytes))
        case .uuid(let uuid): .string(uuid.description)
        case .list(let values): .list(values.map { $0.inWireForm(keepsDates: keepsDates) })
        case .object(let document): keepsDates ? self : .object(document.inWireForm)
        case .null, .bool, .int, .double, .string, .shape: self
        }
    }
}

extension Query {
    /// The query with UUIDs and bytes as the texts that entities hold; a schema says for itself what fields hold.
    var inWireForm: Query {
        guard schema == nil else { return self }
        var query = self
        query.condition = condition.inWireForm
        return query
    }
}

extension Condition {
    fileprivate var inWireForm: Condition {
        mapChildren {
            $0.inWireForm
        } _: { comparison in
            var copy = comparison
            (copy.left, copy.right) = (comparison.left.inWireForm, comparison.right.inWireForm)
            return .comparison(copy)
        }
    }
}

extension Term {
    fileprivate var inWireForm: Term {
        switch self {
        case .value(let value, let origin): .value(value.inWireForm(keepsDates: true), origin)
        case .variable, .field, .list, .arithmetic, .negated, .cast, .path, .index, .aggregate, .call, .subquery,
            .conditional, .assignment:
            mapChildren({ $0.inWireForm }, { $0.inWireForm })
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
