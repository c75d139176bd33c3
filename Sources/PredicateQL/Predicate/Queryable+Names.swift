import QueryEvaluation
import QueryTree

extension Queryable {
    /// The names of the properties, and of those of their own types; a property of an optional or an array too.
    static var propertyNames: [AnyKeyPath: FieldPath] {
        var names: [AnyKeyPath: FieldPath] = [:]
        var seen: Set<ObjectIdentifier> = []
        addPropertyNames(to: &names, &seen)
        return names
    }

    private static func addPropertyNames(to names: inout [AnyKeyPath: FieldPath], _ seen: inout Set<ObjectIdentifier>) {
        guard seen.insert(ObjectIdentifier(Self.self)).inserted else { return }
        for entry in fields.entries {
            guard let path = entry.path else { continue }
            names[path] = FieldPath(keys: [entry.name])
            var type: Any.Type = Swift.type(of: path).valueType
            while let wrapper = type as? any WrappingType.Type { type = wrapper.wrapped }
            if let type = type as? any Queryable.Type { type.addPropertyNames(to: &names, &seen) }
        }
    }
}

/// An optional or an array, seen as the type inside.
private protocol WrappingType {
    static var wrapped: Any.Type { get }
}

extension Optional: WrappingType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension Array: WrappingType {
    fileprivate static var wrapped: Any.Type { Element.self }
}
