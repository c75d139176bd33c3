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
