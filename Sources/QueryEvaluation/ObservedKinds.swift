import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// The kinds of what Swift values hold at some paths: a property has one, which each value that is not nil shows.
struct ObservedKinds {
    private var children: [String: ObservedKinds] = [:]
    private var type: FieldType?
    private var isList = false
    /// True if the whole value is named, with whatever it holds.
    private var isWhole = false
    /// The rows that told the type, and whether it is a list.
    private var (typeRow, listRow) = (0, 0)

    /// An object with more keys is a dictionary.
    private static let mostKeys = 100

    /// Nothing is known of these paths yet.
    init(_ paths: [[String]]) {
        for path in paths { insert(path[...]) }
    }

    private mutating func insert(_ path: ArraySlice<String>) {
        guard let key = path.first else {
            isWhole = true
            return
        }
        children[key, default: ObservedKinds([])].insert(path.dropFirst())
    }

    /// Learns from a row's value; nil and an empty list tell nothing, and of several values in a list the first does.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - row: the row's number, from 1.
    /// - Returns: true if something is new.
    mutating func observe(_ value: QueryValue, row: Int) -> Bool {
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
        case .null: return false
        case .object(let document):
            var isNew = false
            for (key, value) in document.pairs {
                if children[key] == nil {
                    guard isWhole, children.count < Self.mostKeys else { continue }
                    children[key] = ObservedKinds([[]])
                }
                if children[key]?.observe(value, row: row) == true { isNew = true }
            }
            return isNew
        case .bool: return know(.bool, row)
        case .date: return know(.date(.native), row)
        case .uuid: return know(.uuid, row)
        case .list, .int, .double, .string, .data, .shape: return know(.any, row)
        }
    }

    private mutating func know(_ kind: FieldType, _ row: Int) -> Bool {
        if typeRow == row { return false }
        typeRow = row
        defer { type = kind }
        return type != kind
    }

    private mutating func know(isList: Bool, _ row: Int) -> Bool {
        if listRow == row { return false }
        listRow = row
        defer { self.isList = isList }
        return self.isList != isList
    }

    /// What is known, as a type.
    var fieldType: FieldType {
        let fields = children.sorted { $0.key < $1.key }.map { Schema.Field.field($0.key, $0.value.fieldType) }
        let own = fields.isEmpty ? type ?? .any : .object(Schema(fields, allowsOthers: true))
        return isList ? .list(own) : own
    }
}

/// A condition over Swift values: constants are converted to the kinds that their properties have (S2), as a schema of
/// them would.
package struct TypedRows {
    private let query: Query
    private let now: Int64
    private let limits: Limits
    private let budget: WorkBudget?
    private var kinds: ObservedKinds
    private var rowNumber = 0
    /// The matcher for these kinds, if it is another than that of the query, and its frame.
    private var matcher: Matcher?
    private var frame: RowFrame?

    /// Rows of which nothing is known yet; nil if no kind matters, or a schema tells.
    init?(_ query: Query, _ paths: [[String]], _ now: Int64, _ limits: Limits, _ budget: WorkBudget?) {
        guard query.schema == nil, query.mayConvert, !paths.isEmpty else { return nil }
        (self.query, self.now, self.limits, self.budget) = (query, now, limits, budget)
        kinds = ObservedKinds(paths)
    }

    /// Whether the condition holds for a row; nil if its constants stay as they are, so that the query's own matcher
    /// answers.
    package mutating func holds(_ row: Document) throws(QueryError) -> Bool? {
        rowNumber &+= 1
        if kinds.observe(.object(row), row: rowNumber) {
            matcher = nil
            if case .object(let known) = kinds.fieldType {
                let converted = query.converting(by: known)
                if converted != query {
                    matcher = try Matcher(converted, now: now, limits: limits)
                    frame = matcher?.makeFrame(budget)
                }
            }
        }
        guard let matcher, var frame = frame.take() else { return nil }
        defer { self.frame = frame }
        return try matcher.matches(row, &frame)
    }
}
