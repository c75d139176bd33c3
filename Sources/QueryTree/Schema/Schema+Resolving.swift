import QueryValues

/// The stored form of a path of property names.
package struct ResolvedPath: Sendable {
    /// One key of the path.
    package struct Step: Sendable {
        /// The key in the store.
        package var storedName: String
        /// The type of the value after the step, a list where the field is to-many.
        package var type: FieldType
        /// True when the value may be null or absent.
        package var isOptional: Bool
        /// The relation the step follows in SQL.
        package var relation: Schema.Relation?
    }

    /// The steps in order.
    package var steps: [Step]
    /// The type of the whole path: a list when any step is to-many (S9).
    package var type: FieldType

    /// The stored keys.
    package var storedKeys: [String] { steps.map(\.storedName) }
}

extension FieldType {
    /// Follows keys from a value of this type (S9); nil when the schema has no such field.
    ///
    /// - Parameter keys: property names.
    /// - Returns: the steps and the type, or nil.
    package func resolve(_ keys: [String]) -> ResolvedPath? {
        var current = self
        var steps: [ResolvedPath.Step] = []
        var isMapped = false
        for key in keys {
            guard let step = current.step(key) else { return nil }
            if case .list = current { isMapped = true }
            steps.append(step)
            current = step.type
            if isMapped, case .list = current {} else if isMapped { current = .list(current) }
        }
        return ResolvedPath(steps: steps, type: current)
    }

    /// One key from a value of this type, or nil when there is no such field.
    package func step(_ key: String) -> ResolvedPath.Step? {
        switch self {
        case .any:
            return ResolvedPath.Step(storedName: key, type: .any, isOptional: true)
        case .object(let schema):
            if let field = schema.field(named: key) {
                return ResolvedPath.Step(
                    storedName: field.storedName,
                    type: field.type,
                    isOptional: field.isOptional,
                    relation: field.relation
                )
            }
            return schema.allowsOthers ? ResolvedPath.Step(storedName: key, type: .any, isOptional: true) : nil
        case .list(let element):
            return element.step(key)
        case .bool, .int, .double, .string, .date, .data, .uuid, .objectID:
            return nil
        }
    }

    /// The type of the next value, as ``step(_:)`` gives it; nil when there is no such field.
    package func type(of key: String) -> FieldType? {
        switch self {
        case .any: .any
        case .object(let schema): schema.type(of: key) ?? (schema.allowsOthers ? .any : nil)
        case .list(let element): element.type(of: key)
        case .bool, .int, .double, .string, .date, .data, .uuid, .objectID: nil
        }
    }

    /// The columns that identify the rows of another table; empty if unknown.
    package var primaryKey: [String] {
        switch self {
        case .object(let schema): schema.primaryKey
        case .list(let element): element.primaryKey
        case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: []
        }
    }

    /// The property names that a key could have meant, for hints.
    package var fieldNames: [String] {
        switch self {
        case .object(let schema): schema.fields.map(\.name)
        case .list(let element): element.fieldNames
        default: []
        }
    }
}

extension Schema {
    /// True when some field's rows live in another table.
    package var leadsToOtherTables: Bool { fields.contains { $0.relation != nil } }

    /// The tables that paths may lead to.
    package var relatedTables: Set<String> {
        var tables: Set<String> = []
        for field in fields {
            guard let relation = field.relation else { continue }
            tables.insert(relation.table)
            if case .object(let inner) = field.type.element { tables.formUnion(inner.relatedTables) }
        }
        return tables
    }

    /// The schema with its tables' primary keys as declared by the store, where the schema names none.
    ///
    /// - Parameters:
    ///   - table: the table of the rows.
    ///   - keys: the columns of a table's primary key; empty where it has none.
    /// - Returns: the schema.
    /// - Throws: what `keys` throws.
    package func withPrimaryKeys<Failure: Error>(
        of table: String,
        _ keys: (String) throws(Failure) -> [String]
    ) throws(Failure) -> Schema {
        var copy = self
        if copy.primaryKey.isEmpty { copy.primaryKey = try keys(table) }
        for index in copy.fields.indices {
            guard let relation = copy.fields[index].relation else { continue }
            switch copy.fields[index].type {
            case .object(let inner):
                copy.fields[index].type = .object(try inner.withPrimaryKeys(of: relation.table, keys))
            case .list(.object(let inner)):
                copy.fields[index].type = .list(.object(try inner.withPrimaryKeys(of: relation.table, keys)))
            case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID, .list: break
            }
        }
        copy.index()
        return copy
    }
}

extension Schema.Relation {
    /// The key column that the foreign key refers to, or the reason why there is none.
    ///
    /// - Parameters:
    ///   - primaryKey: the primary key of the table that the key is in.
    ///   - origin: the place of the path.
    /// - Returns: the column's name.
    /// - Throws: `QueryError` of code `unsupported` if the key is unknown or has several columns.
    package func keyColumn(_ primaryKey: [String], at origin: Origin) throws(QueryError) -> String {
        if !composite.isEmpty {
            throw QueryError(
                .unsupported,
                "the foreign key of \(table) has several columns: " + composite.joined(separator: ", "),
                at: origin,
                hint: "relations support one column only"
            )
        }
        if let key { return key }
        if primaryKey.count == 1 { return primaryKey[0] }
        let columns = primaryKey.joined(separator: ", ")
        throw QueryError(
            .unsupported,
            primaryKey.isEmpty
                ? "it is unknown which column the foreign key \(foreignKey) refers to"
                : "the foreign key \(foreignKey) cannot refer to a primary key of several columns: \(columns)",
            at: origin,
            hint: "name it: `key:` of the relation or `primaryKey:` of the schema; in JSON x-key or x-primary-key"
        )
    }
}

/// The types of everything a term can refer to: the row and the variables in scope.
package struct TypeScope: Sendable {
    /// The row's type; `.any` without a schema.
    package var row: FieldType
    /// The types of SUBQUERY's variables.
    package var variables: [Variable: FieldType] = [:]

    package init(_ schema: Schema?) {
        row = schema.map { .object($0) } ?? .any
    }

    package init(row: FieldType) {
        self.row = row
    }

    /// The scope inside a SUBQUERY.
    package func binding(_ variable: Variable, to type: FieldType) -> TypeScope {
        var inner = self
        inner.variables[variable] = type
        return inner
    }

    /// The type of a term; `.any` if unknown.
    package func type(of term: Term) -> FieldType {
        switch term {
        case .value(let value, _): value.fieldType
        case .field(let path, _): row.resolve(path.keys)?.type ?? .any
        case .variable(let variable, _): variables[variable] ?? .any
        case .list: .list(.any)
        case .path(let base, let steps, _): type(of: base).following(steps)
        case .index(let base, let index, _): if case .size = index { .int } else { type(of: base).indexed }
        case .aggregate(let aggregate, of: let base, let path, _): aggregateType(aggregate, base, path)
        case .arithmetic(let chain, _): arithmeticType(chain)
        case .negated(let term, _): type(of: term)
        case .call(let function, let arguments, _): callType(function, arguments)
        case .subquery(let subquery, _): .list(type(of: subquery.collection).element)
        case .conditional(_, let first, let second, _): common(type(of: first), type(of: second))
        case .cast(_, let target, _): target.fieldType
        case .assignment(_, let term, _): type(of: term)
        }
    }

    private func common(_ first: FieldType, _ second: FieldType) -> FieldType { first == second ? first : .any }

    private func aggregateType(_ aggregate: Aggregate, _ base: Term, _ path: FieldPath) -> FieldType {
        let inner = type(of: base).element
        // The values of a path are those of its lists; an element that is a list stays one.
        let element = path.keys.isEmpty ? inner : (inner.resolve(path.keys)?.type ?? .any).element
        switch aggregate {
        case .count: return .int
        case .sum, .average: return .double
        case .min, .max: return element
        case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .distinctUnionOfSets:
            return .list(element)
        }
    }

    private func arithmeticType(_ chain: Arithmetic) -> FieldType {
        switch chain.rest.first?.operation.entry.precedence {
        case .set: .list(type(of: chain.first).element)
        case .power: .double
        default:
            ([chain.first] + chain.rest.map(\.operand)).allSatisfy { type(of: $0) == .int } ? .int : .double
        }
    }

    private func callType(_ function: Function, _ arguments: [Term]) -> FieldType {
        switch function.entry.result {
        case .int: .int
        case .double, .number: .double
        case .string: .string
        case .date: .date(.native)
        case .element: arguments.first.map { type(of: $0).element } ?? .any
        case .list: .list(arguments.first.map { type(of: $0).element } ?? .any)
        case .same: arguments.first.map { type(of: $0) } ?? .any
        }
    }
}

extension FieldType {
    fileprivate func following(_ steps: [PathStep]) -> FieldType {
        var keys: [String] = []
        for step in steps {
            guard case .key(let key) = step else { return .any }
            keys.append(key)
        }
        return resolve(keys)?.type ?? .any
    }

    fileprivate var indexed: FieldType {
        if case .list(let element) = self { element } else { .any }
    }
}

extension QueryValue {
    /// The type of a constant.
    package var fieldType: FieldType {
        switch self {
        case .null, .object, .shape: .any
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .string: .string
        case .date: .date(.native)
        case .data: .data
        case .uuid: .uuid
        case .list: .list(.any)
        }
    }
}

extension CastTarget {
    package var fieldType: FieldType {
        switch self {
        case .number, .decimal: .double
        case .string: .string
        case .date: .date(.native)
        case .uuid: .uuid
        }
    }
}
