import QueryChecking
import QueryTree
import QueryValues

/// The steps of a path, in stored names, with the form of its values (S5, S9).
struct PathWalk: Sendable {
    /// The stored keys.
    let keys: [String]
    /// The number of the first key in the frame's memory; the others follow it.
    let place: Int
    /// The stored form of the path's dates or UUIDs; nil if there is nothing to decode.
    let form: StoredForm?

    var isEmpty: Bool { keys.isEmpty && form == nil }

    /// The value of the path in a row; nil if it is absent.
    func value(in row: Document, _ frame: inout RowFrame) -> QueryValue? {
        guard let key = keys.first else { return row.itself }
        let slot = frame.slot(of: key, at: place, in: row)
        if slot < 0 { return nil }
        if keys.count == 1, form == nil { return row.values[slot] }
        return value(from: row.values[slot], skipping: 1, &frame)
    }

    /// The value of the path from another value; nil if it is absent.
    func value(from start: QueryValue, _ frame: inout RowFrame) -> QueryValue? {
        value(from: start, skipping: 0, &frame)
    }

    private func value(from start: QueryValue, skipping first: Int, _ frame: inout RowFrame) -> QueryValue? {
        var current = start
        for index in first..<keys.count {
            switch current {
            case .object(let object):
                let slot = frame.slot(of: keys[index], at: place + index, in: object)
                if slot < 0 { return nil }
                current = object.values[slot]
            case .list(let elements):
                frame.charge(elements.count, each: Steps.walked)
                current = .list(
                    elements.mapped { element in
                        let slot = frame.slot(of: keys[index], at: place + index, in: element)
                        return slot < 0 ? .none : .some(element.values[slot])
                    }
                )
            default: return nil
            }
        }
        return decoded(current, &frame)
    }

    private func decoded(_ value: QueryValue, _ frame: inout RowFrame) -> QueryValue {
        guard let form else { return value }
        if case .list(let elements) = value {
            frame.charge(elements.count, each: Steps.decoded)
            return .list(elements.map { form.decoded($0) })
        }
        return form.decoded(value)
    }
}

/// The stored form of values that a store has no type for.
enum StoredForm: Sendable {
    case date(DateEncoding)
    /// Text in lower or in upper case; a store with UUIDs gives them directly.
    case uuid

    /// The date or UUID that a stored value represents; a value that does not decode keeps its own kind (S5).
    func decoded(_ value: QueryValue) -> QueryValue {
        switch self {
        case .date(let encoding): return encoding.decode(value).map { .date($0) } ?? value
        case .uuid:
            guard case .string(let text) = value, text.utf8.count == 36 else { return value }
            let isLower = !text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
            let isUpper = !text.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
            guard isLower || isUpper else { return value }
            return FieldType.uuid.convert(value) ?? value
        }
    }
}

/// `a[0]`, `a['key']`, `a[FIRST]` (S9).
final class IndexPlan: TermPlan, @unchecked Sendable {
    enum Kind {
        case first
        case last
        case size
        case at(TermPlan)
    }

    private let base: TermPlan
    private let kind: Kind

    init(_ base: TermPlan, _ kind: Kind) {
        self.base = base
        self.kind = kind
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        let container = try base.value(row, &frame)
        switch kind {
        case .first:
            if case .list(let elements)? = container { return elements.first }
            return nil
        case .last:
            if case .list(let elements)? = container { return elements.last }
            return nil
        case .size: return Aggregate.count.evaluate(container ?? .null)
        case .at(let position): return container?.element(at: try position.value(row, &frame) ?? .null)
        }
    }
}

extension QueryValue {
    /// A list's element by its position, or an object's value by its key; nil if there is none.
    fileprivate func element(at index: QueryValue) -> QueryValue? {
        switch (self, index) {
        case (.list(let elements), .int(let position)):
            return Int(exactly: position).flatMap { elements.indices.contains($0) ? .some(elements[$0]) : .none }
        case (.list, .double(let position)):
            return Int64(exactly: position).flatMap { element(at: .int($0)) }
        case (.object(let object), .string(let key)): return object[key]
        default: return nil
        }
    }
}
