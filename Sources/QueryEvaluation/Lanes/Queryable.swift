import QueryTree
import QueryValues

/// A row type whose fields a query reads in place.
///
///     struct City: Queryable {
///         var name: String
///         var population: Int
///         static let fields: FieldTable<City> = [.field("name", \.name), .field("population", \.population)]
///     }
///     let cities = [City(name: "Boston", population: 653_833), City(name: "Salem", population: 44_480)]
///     try Query(format: "population > 50000").results(in: cities).map(\.name)  // → ["Boston"]
///
/// Stored properties of a struct are read in place; computed ones and those of a class are read through accessors. A
/// struct may be a field of another, and so may an array of it.
public protocol Queryable: FieldValue {
    /// The fields, with their names in queries.
    static var fields: FieldTable<Self> { get }
}

extension Queryable {
    /// A struct's fields are read in place.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.object(TypedFieldList<Self>()))) }

    /// The row as an object, without the fields that are nil.
    public var queryValue: QueryValue { .object(Document(queryable: self)) }
}

/// The fields of a row type, with their names.
///
///     let fields: FieldTable<Person> = ["name": \.name, "age": \.age]
///     fields.names  // → ["name", "age"]
///
/// A property whose type cannot be a field is rejected when the table is first used, with its name and type.
public struct FieldTable<Row>: Sendable {
    package internal(set) var entries: [FieldEntry]
    package internal(set) var problem: QueryError?

    /// A table of names and key paths.
    ///
    ///     let fields = FieldTable<Person>([(name: "name", path: \.name)], storedNames: ["name": "full_name"])
    ///     fields.names  // → ["name"]
    ///
    /// - Parameters:
    ///   - fields: names in queries, and their properties.
    ///   - storedNames: the names in documents and stores, if they differ.
    public init(
        _ fields: [(name: String, path: PartialKeyPath<Row> & Sendable)],
        storedNames: [String: String] = [:]
    ) {
        entries = []
        for (name, path) in fields {
            guard let type = Swift.type(of: path).valueType as? any FieldValue.Type,
                let entry = Self.entry(name, storedNames[name] ?? name, path, type)
            else {
                let type = Swift.type(of: path).valueType
                problem = QueryError(
                    .unsupported,
                    "\(Row.self).\(name) is of type \(type), which is not a field type",
                    hint: "leave it out, or make \(type) a FieldValue"
                )
                continue
            }
            add(entry)
        }
    }

    /// Adds a field; two fields with the same name are an error.
    mutating func add(_ entry: FieldEntry) {
        if entries.contains(where: {
            $0.name.hasSameUTF8(as: entry.name) || $0.storedName.hasSameUTF8(as: entry.storedName)
        }) {
            problem = QueryError(.unsupported, "\(Row.self) has two fields \(entry.name)")
        }
        entries.append(entry)
    }

    private static func entry<Value: FieldValue>(
        _ name: String,
        _ storedName: String,
        _ path: PartialKeyPath<Row>,
        _ type: Value.Type
    ) -> FieldEntry? {
        (path as? KeyPath<Row, Value>).map { entry(name, storedName, $0) }
    }

    static func entry<Value: FieldValue>(
        _ name: String,
        _ storedName: String,
        _ path: KeyPath<Row, Value>
    ) -> FieldEntry {
        // The offset is known only for stored properties of structs; the key path itself verifies it here, once.
        let offset = Row.self is AnyClass ? nil : MemoryLayout<Row>.offset(of: path)
        return FieldEntry(
            name: name,
            storedName: storedName,
            cell: CellKind.of(Value.self),
            access: offset.map { .offset($0) } ?? .accessor(KeyPathAccessor(path)),
            path: path
        )
    }

    /// The table, if every field is valid.
    func validated() throws(QueryError) -> FieldTable {
        if let problem { throw problem }
        return self
    }
}

extension FieldTable: ExpressibleByDictionaryLiteral {
    /// `["name": \.name, "age": \.age]`.
    ///
    /// - Parameter elements: names in queries, and their properties.
    public init(dictionaryLiteral elements: (String, PartialKeyPath<Row> & Sendable)...) {
        self.init(elements.map { (name: $0.0, path: $0.1) })
    }
}

extension Document {
    /// A row's fields under their stored names; those that are nil are absent.
    ///
    ///     Document(queryable: people[1])  // → {"id":2,"name":"Bob","age":17}
    ///
    /// - Parameter row: a row.
    public init<Row: Queryable>(queryable row: Row) {
        var pairs: [(String, QueryValue)] = []
        withUnsafeBytes(of: row) { bytes in
            guard let base = bytes.baseAddress else { return }
            for entry in Row.fields.entries {
                if let value = entry.value(in: base) { pairs.append((entry.storedName, value)) }
            }
        }
        self.init(pairs: pairs)
    }
}

extension FieldEntry {
    /// The field's value in a row; nil if there is none.
    func value(in row: UnsafeRawPointer) -> QueryValue? {
        switch access {
        case .offset(let offset): return cell.value(at: row + offset)
        case .accessor(let accessor):
            let buffer = UnsafeMutableRawPointer.allocate(
                byteCount: max(1, accessor.stride),
                alignment: accessor.alignment
            )
            defer { buffer.deallocate() }
            accessor.fill(row, 1, buffer)
            defer { accessor.clear(buffer, 1) }
            return cell.value(at: UnsafeRawPointer(buffer))
        }
    }
}

extension Query {
    /// The warnings of a query over rows of a type: ``Query/warnings``, and `==` between a `Float` and a number that
    /// `Float` cannot represent, such as `0.1`.
    ///
    ///     struct Stone: Queryable {
    ///         var weight: Float
    ///         static let fields: FieldTable<Stone> = ["weight": \.weight]
    ///     }
    ///     try Query(format: "weight == 0.1").warnings(for: Stone.self).map(\.code)  // → [unlikely]
    ///
    /// O(nodes).
    ///
    /// - Parameter type: the type of the rows.
    /// - Returns: warnings with their ranges; empty for most queries.
    public func warnings<Row: Queryable>(for type: Row.Type) -> [QueryError] {
        var warnings = warnings
        for case .condition(.comparison(let comparison)) in condition.nodes {
            let given = comparison.withConstantOnTheRight
            guard [.equal, .notEqual, .in].contains(given.operator), case .field(let path, _) = given.left,
                TypedFieldList<Row>().cell(at: path.keys[...])?.isFloat == true, let value = given.right.constantValue
            else { continue }
            let numbers = if case .list(let elements) = value { elements } else { [value] }
            for case .double(let number) in numbers where number.isFinite && Double(Float(number)) != number {
                warnings.append(
                    QueryError(
                        .unlikely,
                        "Float cannot represent \(number): the nearest is \(Double(Float(number)))",
                        at: given.right.origin,
                        hint: "use BETWEEN, or make the property a Double"
                    )
                )
            }
        }
        return warnings
    }
}

extension FieldList {
    /// The cell at the end of a path of names; nil if there is none.
    fileprivate func cell(at keys: ArraySlice<String>) -> CellKind? {
        guard let key = keys.first, let found = entries.first(where: { $0.name.hasSameUTF8(as: key) })?.cell else {
            return nil
        }
        let cell = if case .list(let element) = found.storage { element } else { found }
        if keys.count == 1 { return cell }
        guard case .object(let fields) = cell.storage else { return nil }
        return fields.cell(at: keys.dropFirst())
    }
}

extension CellKind {
    fileprivate var isFloat: Bool { if case .float = storage { true } else { false } }
}
