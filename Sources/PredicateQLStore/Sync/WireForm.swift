import PredicateQL
import StoreModel

extension Document {
    /// The fields that a schema has.
    func known(to schema: Schema) -> Document {
        Document(
            pairs: pairs.compactMap { key, value in schema.field(storedAs: key).map { (key, value.known(to: $0.type)) }
            }
        )
    }
}

extension QueryValue {
    /// The same of a value; the depth is that of the schema.
    fileprivate func known(to type: FieldType) -> QueryValue {
        switch (self, type) {
        case (.object(let document), .object(let schema)): .object(document.known(to: schema))
        case (.list(let elements), .list(let type)): .list(elements.map { $0.known(to: type) })
        default: self
        }
    }
}

extension Query {
    /// The query with bytes as the texts that entities hold, and UUIDs too where no schema says what fields hold.
    var inWireForm: Query {
        let kept: Set<Kind> = schema == nil ? [.date, .object] : [.date, .object, .uuid]
        var query = mappingComputed { $0.inWireForm(keeping: kept) }
        query.condition = condition.inWireForm(keeping: kept)
        query.schema = schema?.mapKinds { $0 == .data ? .any : $0 }
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
