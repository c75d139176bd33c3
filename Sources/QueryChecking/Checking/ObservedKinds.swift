import QueryTree
import QueryValues

/// The kinds of what Swift values hold at some paths: a property has one, which each value that is not nil shows.
package struct ObservedKinds {
    /// The kinds to which constants are converted, and others.
    private enum Shown: UInt8 {
        case nothing, other, bool, date, uuid
    }

    private var keys: [String] = []
    private var children: [ObservedKinds] = []
    private var shown = Shown.nothing
    private var isList = false
    /// True if the whole value is named, with whatever it holds.
    private var isWhole = false
    /// The shape of the last object of which all keys were taken.
    private var shape: Shape?
    /// The rows that showed the kind, and whether it is a list.
    private var (shownBy, listBy) = (0, 0)

    /// An object with more keys is a dictionary.
    private static let mostKeys = 100

    /// Nothing is known of these paths yet.
    package init(_ paths: [[String]]) {
        for path in paths { insert(path[...]) }
    }

    private mutating func insert(_ path: ArraySlice<String>) {
        guard let key = path.first else {
            isWhole = true
            return
        }
        children[place(of: key)].insert(path.dropFirst())
    }

    private mutating func place(of key: String) -> Int {
        if let known = keys.firstIndex(where: { $0.hasSameUTF8(as: key) }) { return known }
        keys.append(key)
        children.append(ObservedKinds([]))
        return keys.count - 1
    }

    /// Learns from a row.
    ///
    /// - Parameters:
    ///   - document: the row.
    ///   - row: its number, from 1.
    /// - Returns: true if something is new.
    package mutating func observe(_ document: Document, row: Int) -> Bool {
        if let value = document.plainValue { return observe(value, row: row) }
        if isWhole, shape !== document.shape, keys.count < Self.mostKeys {
            shape = document.shape
            for key in document.keys { children[place(of: key)].isWhole = true }
        }
        var isNew = false
        for place in keys.indices {
            if let value = document[keys[place]], children[place].observe(value, row: row) { isNew = true }
        }
        return isNew
    }

    /// Nil and an empty list tell nothing, and of several values in a list the first does.
    private mutating func observe(_ value: QueryValue, row: Int) -> Bool {
        switch value {
        case .null: return false
        case .list(let elements):
            var isNew = know(isList: true, row)
            for element in elements where observeItem(element, row) { isNew = true }
            return isNew
        default:
            let isNew = know(isList: false, row)
            return observeItem(value, row) || isNew
        }
    }

    private mutating func observeItem(_ value: QueryValue, _ row: Int) -> Bool {
        switch value {
        case .null: false
        case .object(let document): observe(document, row: row)
        case .bool: know(.bool, row)
        case .date: know(.date, row)
        case .uuid: know(.uuid, row)
        case .list, .int, .double, .string, .data, .shape: know(.other, row)
        }
    }

    private mutating func know(_ kind: Shown, _ row: Int) -> Bool {
        if shownBy == row { return false }
        shownBy = row
        if shown == kind { return false }
        shown = kind
        return true
    }

    private mutating func know(isList: Bool, _ row: Int) -> Bool {
        if listBy == row { return false }
        listBy = row
        if self.isList == isList { return false }
        self.isList = isList
        return true
    }

    /// What is known, as a schema.
    package var schema: Schema {
        Schema(zip(keys, children).map { .field($0, $1.type) }, allowsOthers: true)
    }

    /// What is known, as a type: of plain values, or as ``schema``.
    package var type: FieldType {
        let own: FieldType =
            switch shown {
            case .bool: .bool
            case .date: .date(.native)
            case .uuid: .uuid
            case .nothing, .other: keys.isEmpty ? .any : .object(schema)
            }
        return isList ? .list(own) : own
    }
}

extension Kind {
    /// Several values of the kind, in messages.
    var plural: String {
        switch self {
        case .null: "nil"
        case .bool: "truth values"
        case .number: "numbers"
        case .string: "text"
        case .date: "dates"
        case .data: "bytes"
        case .uuid: "UUIDs"
        case .list: "lists"
        case .object: "objects"
        case .shape: "shapes"
        }
    }

    var single: String {
        switch self {
        case .null, .string, .data: plural
        case .bool: "a truth value"
        case .number: "a number"
        case .date: "a date"
        case .uuid: "a UUID"
        case .list: "a list"
        case .object: "an object"
        case .shape: "a shape"
        }
    }
}

extension Query {
    /// Comparisons that hold for no row of a table, or for all, because its columns hold values of another kind (S2).
    ///
    /// - Parameters:
    ///   - columns: the kinds that the columns are declared to hold, those of related tables, too.
    ///   - loose: the columns of numbers that may hold texts and bytes.
    /// - Returns: warnings of code `unlikely`; none for what the query's own schema declares.
    package func warnings(ofColumns columns: Schema, lettingTextsIn loose: Set<String>) -> [QueryError] {
        let scope = TypeScope(columns)
        return converting(by: columns).kindWarnings { comparison in
            guard let path = comparison.left.comparedPath ?? comparison.right.comparedPath else { return nil }
            let type = scope.type(of: .field(path, .none))
            guard let value = type.sample else { return nil }
            var others: Set<Kind> = []
            switch type.element {
            case .int, .double:
                // The columns of other tables are not known.
                if path.keys.count > 1 || loose.contains(path.dotted) { others = [.string, .data] }
            case .string, .data:
                // Their text may be a list or an object in JSON.
                if comparison.quantifier != nil, !type.isList { return nil }
                others = [.list, .object]
            case .bool: others = [.number, .string, .data]
            case .any, .date, .uuid, .objectID, .object, .list: break
            }
            let row = path.keys.reversed().reduce(value) { .object([$1: $0]) }
            guard case .object(let row) = row,
                var warning = comparison.warning(
                    seeing: [row],
                    besides: others,
                    in: "in the table",
                    ifUndeclared: { _ in true }
                )
            else { return nil }
            if type.element.kind == .number, let hint = comparison.hintBesideNumbers(path) {
                (warning.hint, warning.fix) = (hint, nil)
            }
            return warning
        }
    }

    /// Divisions of numbers that a schema calls doubles and that are kept as ints where they are whole (S17).
    ///
    /// - Parameter schema: the query's schema, with `.double` for such numbers alone.
    /// - Returns: warnings of code `unlikely`.
    package func divisionWarnings(ofWhole schema: Schema) -> [QueryError] {
        var scope = TypeScope(schema)
        return readingCondition.nodes.compactMap { node in
            guard case .term(let term) = node else { return nil }
            if case .subquery(let subquery, _) = term {
                scope.variables[subquery.variable] = scope.type(of: subquery.collection).element
            }
            guard case .arithmetic(let chain, let origin) = term,
                let place = chain.rest.firstIndex(where: { $0.operation == .divide })
            else { return nil }
            let before = chain.rest[...place]
            let operands = [chain.first] + before.map(\.operand)
            guard !before.contains(where: { $0.operation == .power }), operands.allSatisfy(\.mayBeInt),
                let double = operands.first(where: { scope.type(of: $0) == .double })
            else { return nil }
            let name = GroupKey(double, as: nil).description
            return QueryError(
                .unlikely,
                "\(name) is kept as an int where it is whole, and two ints are divided without a remainder",
                at: double.origin.range == nil ? origin : double.origin,
                hint: "make it a double first: \(name) * 1.0"
            )
        }
    }
}

extension FieldType {
    /// A value of the type, a list of one for a list; nil where a table guarantees nothing.
    fileprivate var sample: QueryValue? {
        switch self {
        case .bool: true
        case .int, .double: 1
        case .string: ""
        case .date: .date(0)
        case .data: .data([])
        case .list(let element): element.sample.map { .list([$0]) }
        case .any, .uuid, .objectID, .object: nil
        }
    }
}

extension Term {
    /// True for what is read, and for constants that are ints.
    fileprivate var mayBeInt: Bool {
        switch self {
        case .value(let value, _): if case .int = value { true } else { false }
        case .field, .path, .variable, .index: true
        case .list, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment: false
        }
    }

    /// The path of a field of the row.
    fileprivate var comparedPath: FieldPath? {
        if case .field(let path, _) = self, !path.keys.isEmpty { path } else { nil }
    }
}

extension Comparison {
    /// What to write beside a field whose column holds numbers.
    fileprivate func hintBesideNumbers(_ path: FieldPath) -> String? {
        switch left.constantValue ?? right.constantValue {
        case .bool(let flag): "write \(flag ? 1 : 0), or declare the field as a bool in a schema"
        case .date:
            "declare the form of the dates in a schema, as .date(.epochSeconds), or write CAST(\(path.format), \"NSDate\") for seconds since 2001"
        default: nil
        }
    }
}
