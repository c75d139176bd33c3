import Foundation
import PredicateQL
import QueryTree
import QueryValues

// Structs with stored properties of many types, which take the names of the current test's rows, so that the engine
// reads them in place.

/// A stored property that can represent a key of the rows.
struct Slot<Row> {
    let path: PartialKeyPath<Row> & Sendable
    /// Stores a value in a row; false if the property cannot hold it.
    let put: (inout Row, QueryValue?) -> Bool

    init<Value: FieldValue>(
        _ path: WritableKeyPath<Row, Value> & Sendable,
        _ convert: @escaping (QueryValue) -> Value?
    ) {
        self.path = path
        put = { row, value in
            guard let value, let converted = convert(value) else { return false }
            row[keyPath: path] = converted
            return true
        }
    }

    /// Nil and null are both stored as nil.
    init<Value: FieldValue>(
        maybe path: WritableKeyPath<Row, Value?> & Sendable,
        _ convert: @escaping (QueryValue) -> Value?
    ) {
        self.path = path
        put = { row, value in
            guard let value, !value.isNull else {
                row[keyPath: path] = nil
                return true
            }
            guard let converted = convert(value) else { return false }
            row[keyPath: path] = converted
            return true
        }
    }
}

protocol Slotted: Queryable {
    init()
    /// The most specific first.
    static var slots: [Slot<Self>] { get }
}

/// The properties that represent the keys of the current rows.
struct SlotLayout<Row: Slotted>: @unchecked Sendable {  // immutable
    let slots: [(name: String, slot: Slot<Row>)]
    let table: FieldTable<Row>

    /// Finds a property for every key; nil if some key has none.
    init?(of documents: [Document], names: [String]) {
        var free = Row.slots
        var slots: [(name: String, slot: Slot<Row>)] = []
        for name in names {
            var row = Row()
            guard let place = free.firstIndex(where: { slot in documents.allSatisfy { slot.put(&row, $0[name]) } })
            else { return nil }
            slots.append((name, free.remove(at: place)))
        }
        self.slots = slots
        table = FieldTable(slots.map { ($0.name, $0.slot.path) })
    }

    /// The document as a row; nil if it does not fit.
    func row(_ document: Document) -> Row? {
        var row = Row()
        for (name, slot) in slots where !slot.put(&row, document[name]) { return nil }
        return row
    }
}

enum Kinds {
    static func string(_ value: QueryValue) -> String? { if case .string(let value) = value { value } else { nil } }
    static func int(_ value: QueryValue) -> Int? { if case .int(let value) = value { Int(value) } else { nil } }
    static func double(_ value: QueryValue) -> Double? { if case .double(let value) = value { value } else { nil } }
    static func bool(_ value: QueryValue) -> Bool? { if case .bool(let value) = value { value } else { nil } }
    static func uuid(_ value: QueryValue) -> UUID? { if case .uuid(let value) = value { value } else { nil } }
    static func any(_ value: QueryValue) -> AnyField? { AnyField(queryValue: value) }
    static func small<Small: FixedWidthInteger>(_ value: QueryValue) -> Small? {
        if case .int(let value) = value { Small(exactly: value) } else { nil }
    }
    static func date(_ value: QueryValue) -> Date? {
        guard case .date(let milliseconds) = value else { return nil }
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        return date.queryValue == value ? date : nil
    }
    static func list<Element>(_ convert: @escaping (QueryValue) -> Element?) -> (QueryValue) -> [Element]? {
        { value in
            guard case .list(let elements) = value else { return nil }
            let converted = elements.compactMap(convert)
            return converted.count == elements.count ? converted : nil
        }
    }
    static func maybe<Value>(_ convert: @escaping (QueryValue) -> Value?) -> (QueryValue) -> Value?? {
        { value in
            if case .null = value { return .some(nil) }
            return convert(value).map { .some($0) }
        }
    }
}

/// A struct inside a row: inline, and adjacent in lists.
struct InnerRow: Slotted, Equatable {
    var text = ""
    var number = 0
    var maybeText: String?
    var maybeNumber: Int?
    var real: Double?
    var flag: Bool?
    var any0: AnyField?
    var any1: AnyField?
    var any2: AnyField?

    /// Set by one test at a time and read by all threads of a query.
    nonisolated(unsafe) static var layout: SlotLayout<InnerRow>?

    static var fields: FieldTable<InnerRow> { layout?.table ?? [:] }

    static var slots: [Slot<InnerRow>] {
        [
            Slot(\.text, Kinds.string), Slot(\.number, Kinds.int), Slot(maybe: \.maybeText, Kinds.string),
            Slot(maybe: \.maybeNumber, Kinds.int), Slot(maybe: \.real, Kinds.double), Slot(maybe: \.flag, Kinds.bool),
            Slot(maybe: \.any0, Kinds.any), Slot(maybe: \.any1, Kinds.any), Slot(maybe: \.any2, Kinds.any),
        ]
    }
}

/// A row with a property for every type that the engine reads in place.
struct SlotRow: Slotted {
    var id = 0
    var byte: Int8 = 0
    var short: UInt16?
    var text0 = ""
    var text1 = ""
    var int = 0
    var word: Int32?
    var real = 0.0
    var flag = false
    var date = Date(timeIntervalSince1970: 0)
    var maybeText0: String?
    var maybeText1: String?
    var maybeInt0: Int?
    var maybeInt1: Int?
    var maybeReal: Double?
    var maybeFlag: Bool?
    var maybeDate: Date?
    var uuid: UUID?
    var texts: [String] = []
    var maybeTexts: [String?]?
    var ints: [Int] = []
    var maybeInts: [Int?]?
    var reals: [Double]?
    var inner = InnerRow()
    var inners: [InnerRow] = []
    var maybeInner: InnerRow?
    var any0: AnyField?
    var any1: AnyField?
    var any2: AnyField?
    var any3: AnyField?
    var any4: AnyField?
    var any5: AnyField?
    var any6: AnyField?
    var any7: AnyField?

    /// As ``InnerRow/layout``.
    nonisolated(unsafe) static var layout: SlotLayout<SlotRow>?

    static var fields: FieldTable<SlotRow> { layout?.table ?? [:] }

    static var slots: [Slot<SlotRow>] {
        typedSlots + [
            Slot(maybe: \.any0, Kinds.any), Slot(maybe: \.any1, Kinds.any), Slot(maybe: \.any2, Kinds.any),
            Slot(maybe: \.any3, Kinds.any), Slot(maybe: \.any4, Kinds.any), Slot(maybe: \.any5, Kinds.any),
            Slot(maybe: \.any6, Kinds.any), Slot(maybe: \.any7, Kinds.any),
        ]
    }

    private static var typedSlots: [Slot<SlotRow>] {
        [
            Slot(\.byte, Kinds.small), Slot(maybe: \.word, Kinds.small), Slot(maybe: \.short, Kinds.small),
            Slot(\.int, Kinds.int), Slot(maybe: \.maybeInt0, Kinds.int), Slot(maybe: \.maybeInt1, Kinds.int),
            Slot(\.text0, Kinds.string), Slot(\.text1, Kinds.string), Slot(maybe: \.maybeText0, Kinds.string),
            Slot(maybe: \.maybeText1, Kinds.string), Slot(\.real, Kinds.double), Slot(maybe: \.maybeReal, Kinds.double),
            Slot(\.flag, Kinds.bool), Slot(maybe: \.maybeFlag, Kinds.bool), Slot(\.date, Kinds.date),
            Slot(maybe: \.maybeDate, Kinds.date), Slot(maybe: \.uuid, Kinds.uuid),
            Slot(\.texts, Kinds.list(Kinds.string)), Slot(maybe: \.maybeTexts, Kinds.list(Kinds.maybe(Kinds.string))),
            Slot(\.ints, Kinds.list(Kinds.int)), Slot(maybe: \.maybeInts, Kinds.list(Kinds.maybe(Kinds.int))),
            Slot(maybe: \.reals, Kinds.list(Kinds.double)), Slot(\.inner, Self.innerRow),
            Slot(\.inners, Kinds.list(Self.innerRow)), Slot(maybe: \.maybeInner, Self.innerRow),
        ]
    }

    private static func innerRow(_ value: QueryValue) -> InnerRow? {
        guard case .object(let object) = value, let layout = InnerRow.layout,
            object.keys.allSatisfy({ key in layout.slots.contains { $0.name.hasSameUTF8(as: key) } })
        else { return nil }
        return layout.row(object)
    }
}

extension SlotRow {
    /// Documents as rows, and the names that the types then have; nil if the documents do not fit.
    static func rows(_ documents: [Document], names: [String]) -> [SlotRow]? {
        let objects = documents.flatMap(\.values).flatMap(\.objects)
        let innerNames = objects.flatMap(\.keys).reduce(into: [String]()) { names, key in
            if !names.contains(where: { $0.hasSameUTF8(as: key) }) { names.append(key) }
        }
        InnerRow.layout = SlotLayout(of: objects, names: innerNames)
        layout = SlotLayout(of: documents, names: names)
        guard let layout else { return nil }
        var rows: [SlotRow] = []
        for (id, document) in documents.enumerated() {
            guard var row = layout.row(document) else { return nil }
            row.id = id
            rows.append(row)
        }
        return rows
    }
}

extension QueryValue {
    /// The object, or the objects of a list that contains only objects.
    fileprivate var objects: [Document] {
        switch self {
        case .object(let object): return [object]
        case .list(let elements):
            return elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
        default: return []
        }
    }
}
