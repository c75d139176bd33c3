import QueryTree
import QueryValues

// Properties of Apple's classes and of other languages at the end of a path, where each would be the name of a field.

extension Query {
    /// Properties of other languages that end a path where no schema declares such a field.
    ///
    /// - Parameters:
    ///   - rows: a sample of the rows: what has a field of that name is left out; empty if there are none.
    ///   - ofFields: true for paths of the row, false for those of SUBQUERY's elements and of `@` operators.
    /// - Returns: warnings of code `unlikely`.
    package func propertyWarnings(seeing rows: [Document], ofFields: Bool) -> [QueryError] {
        var scope = TypeScope(schema)
        var found: [QueryError] = []
        for case .term(let term) in readingCondition.nodes {
            if case .subquery(let subquery, _) = term {
                scope.variables[subquery.variable] = scope.type(of: subquery.collection).element
            }
            let warning = ofFields ? term.property(seeing: rows, scope) : term.innerProperty(seeing: rows, scope)
            if let warning { found.append(warning) }
        }
        return found
    }
}

extension Term {
    /// `name.length`, where neither the schema nor a row has such a field.
    fileprivate func property(seeing rows: [Document], _ scope: TypeScope) -> QueryError? {
        guard case .field(let path, let origin) = self, path.keys.count > 1 || path.startsAtSelf,
            let key = path.keys.last, scope.type(of: self) == .any
        else { return nil }
        let owner = Term.field(FieldPath(keys: path.keys.dropLast(), startsAtSelf: path.startsAtSelf), .none)
        // The rows are looked at last: most keys are no property.
        guard owner.property(key, origin, seen: nil) != nil,
            !rows.contains(where: { QueryValue.object($0).has(path.keys[...]) })
        else { return nil }
        return owner.property(key, origin, seen: path.habit(seeing: rows))
    }

    /// `$x.length`, `tags[0].length` and `ages.@max.intValue`, where neither the schema nor an object in a row has such a
    /// field.
    fileprivate func innerProperty(seeing rows: [Document], _ scope: TypeScope) -> QueryError? {
        func isField(_ key: String) -> Bool { rows.contains { QueryValue.object($0).hasKey(key) } }
        switch self {
        case .path(.subquery, _, _): return nil
        case .path(let base, let steps, let origin):
            guard case .key(let key)? = steps.last, scope.type(of: self) == .any else { return nil }
            let owner = steps.count == 1 ? base : .path(base, steps.dropLast(), .none)
            let warning = owner.property(key, origin, seen: nil)
            return warning == nil || isField(key) ? nil : warning
        case .aggregate(let aggregate, of: let base, let path, let origin):
            let element = scope.type(of: base).element
            guard let key = path.keys.last, FieldType.numberProperties.contains(key), !isField(key),
                (element.resolve(path.keys)?.type ?? .any) == .any
            else { return nil }
            let rest = Array(path.keys.dropLast())
            let list = base.written + "." + aggregate.spelling
            // What needs a path after it is no number itself.
            if rest.isEmpty, aggregate.pathRule != .optional { return nil }
            let number = rest.isEmpty ? list : list + "." + FieldPath(keys: rest).format
            return base.property(key, origin, seen: (number, true))
        case .value, .field, .variable, .list, .index, .arithmetic, .negated, .call, .subquery, .conditional, .cast,
            .assignment:
            return nil
        }
    }
}

extension Term {
    /// The term as a query writes it.
    var written: String {
        var writer = FormatWriter()
        writer.write(self)
        return writer.text
    }

    /// The warning of a property of the term.
    fileprivate func property(_ key: String, _ origin: Origin, seen: (text: String, isSure: Bool)?) -> QueryError? {
        let path = written
        let meant: (text: String, other: String?)
        switch key {
        case "length":
            meant = ("\(Function.length.rawValue)(\(path))", "\(path).\(Aggregate.count.spelling) for a list")
        case "lowercaseString": meant = ("\(Function.lowercase.rawValue)(\(path))", nil)
        case "uppercaseString": meant = ("\(Function.uppercase.rawValue)(\(path))", nil)
        case "stringValue": meant = (path, "CAST(\(path), \"NSString\") for a number")
        case _ where FieldType.numberProperties.contains(key): meant = (path, "CAST(\(path), \"NSNumber\") for a text")
        default: return nil
        }
        let text = seen?.text ?? meant.text
        let isSure = seen?.isSure ?? (meant.other == nil)
        return QueryError(
            .unlikely,
            "`\(key)` at the end of a path is the name of a field",
            at: origin,
            hint: "write \(text)" + (seen == nil ? meant.other.map { ", or " + $0 } ?? "" : ""),
            fix: isSure && !origin.hasPlaceholder
                ? origin.range.map { QueryError.Fix(range: $0, replacement: text) } : nil
        )
    }
}

extension QueryValue {
    /// True if a path leads to a value, including null, also of elements of lists on the way.
    fileprivate func has(_ keys: ArraySlice<String>) -> Bool {
        guard let key = keys.first else { return true }
        return switch self {
        case .object(let object): object[key].map { $0.has(keys.dropFirst()) } ?? false
        case .list(let elements): elements.contains { $0.has(keys) }
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: false
        }
    }

    /// True if an object in the value has a key, also one of JSON in a text.
    fileprivate func hasKey(_ key: String) -> Bool {
        switch self {
        case .string(let text): text.contains("\"\(key)\"")
        case .object(let object): object[key] != nil || object.values.contains { $0.hasKey(key) }
        case .list(let elements): elements.contains { $0.hasKey(key) }
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: false
        }
    }
}

extension FieldType {
    /// What a property of other languages is here, and whether it can take the property's place; nil for other keys.
    func habit(_ key: String, of path: String) -> (text: String, isSure: Bool)? {
        let isNumber = Self.numberProperties.contains(key)
        return switch (self, key) {
        case (.int, _) where isNumber, (.double, _) where isNumber, (.list, _) where isNumber, (.bool, "boolValue"),
            (.string, "stringValue"):
            (path, true)
        case (.string, _) where isNumber: ("CAST(\(path), \"NSNumber\")", true)
        case (.int, "stringValue"), (.double, "stringValue"): ("CAST(\(path), \"NSString\")", true)
        case (.string, "lowercaseString"): ("lowercase(\(path))", true)
        case (.string, "uppercaseString"): ("uppercase(\(path))", true)
        case (.string, "length"), (.string, "count"), (.string, "size"): ("length(\(path))", true)
        case (.list, "length"), (.list, "count"), (.list, "size"): ("\(path).\(Aggregate.count.spelling)", true)
        case (.list, "first"): (path + "[FIRST]", true)
        case (.list, "last"): (path + "[LAST]", true)
        case (.string, "isEmpty"): (path + " == ''", false)
        case (.list, "isEmpty"): ("\(path).\(Aggregate.count.spelling) == 0", false)
        default: nil
        }
    }

    /// The properties of Apple's classes that are a number.
    package static let numberProperties = ["doubleValue", "floatValue", "intValue", "integerValue", "longLongValue"]
}

extension FieldPath {
    /// What to write for the class of a row, as in `class == 'Dog'`, and for numbers without a literal; nil for other
    /// paths.
    package var classHint: String? {
        if let numberHint { return numberHint }
        return keys == ["class"] ? "rows have no classes: compare a field that tells them apart" : nil
    }

    /// What tests for `NaN` and `Infinity`, which are keys in the language; nil for other paths.
    package var numberHint: String? {
        guard keys.count == 1, let name = keys.first?.lowercased() else { return nil }
        let greatest = "\(Double.greatestFiniteMagnitude)"
        return switch name {
        case "nan": "there is no literal NaN: only NaN differs from itself, as in price != price"
        case "infinity", "inf":
            "there is no literal Infinity: it is more than any other number, as in price > \(greatest) or price < -\(greatest)"
        default: nil
        }
    }

    /// What `tags.count` and `name.length` mean by the kind of `tags` and `name` in some rows; nil for other paths.
    ///
    /// - Parameter rows: a sample of the rows, of which none has the path.
    /// - Returns: what to write, and whether it can take the path's place.
    package func habit(seeing rows: [Document]) -> (text: String, isSure: Bool)? {
        guard keys.count > 1, let last = keys.last else { return nil }
        let owner = FieldPath(keys: Array(keys.dropLast()))
        // Of the elements of a list it is not known what is meant.
        let isBelowList = owner.keys.indices.dropFirst().contains {
            FieldPath(keys: Array(owner.keys[..<$0])).kinds(in: rows, ofElements: false).contains(.list)
        }
        if isBelowList { return nil }
        let type: FieldType
        switch owner.kinds(in: rows, ofElements: false).subtracting([.null]) {
        case [.string]: type = .string
        case [.number]: type = .double
        case [.bool]: type = .bool
        case [.list]: type = .list(.any)
        default: return nil
        }
        return type.habit(last, of: owner.format)
    }
}
