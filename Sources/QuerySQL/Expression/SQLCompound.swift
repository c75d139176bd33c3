import QueryTree
import QueryValues

/// How much a piece prints.
struct SQLSize: Sendable {
    /// About as many bytes as are printed; never fewer than the names and literals have.
    let bytes: Int
    /// The number of values.
    let variables: Int
    /// False if it needs a form that the store does not have.
    let isSupported: Bool

    /// Above any limit, and far below what adding could overflow: a piece that is used twice counts twice.
    private static let greatest = 1 << 40

    init(_ bytes: Int = 0, variables: Int = 0, isSupported: Bool = true) {
        (self.bytes, self.variables, self.isSupported) = (bytes, variables, isSupported)
    }

    static func + (left: SQLSize, right: SQLSize) -> SQLSize {
        SQLSize(
            min(left.bytes + right.bytes, greatest),
            variables: min(left.variables + right.variables, greatest),
            isSupported: left.isSupported && right.isSupported
        )
    }

    static func + (left: SQLSize, bytes: Int) -> SQLSize { left + SQLSize(bytes) }
    static func += (left: inout SQLSize, right: SQLSize) { left = left + right }
}

/// A piece of SQL that has parts; a class, so that a part costs one reference wherever it is used again.
final class SQLCompound: Sendable {
    enum Form: Sendable {
        case parentheses(SQLText)
        /// `-x`, `NOT x`.
        case prefix(String, SQLText)
        /// `x IS NULL`.
        case postfix(SQLText, String)
        /// `x + y`, `x = y`.
        case infix(SQLText, String, SQLText)
        /// `x AND y AND z`.
        case chain(String, [SQLText])
        /// `name(x, y)`; true for a function that the store must be given.
        case call(String, [SQLText], isGiven: Bool)
        /// `CAST(x AS type)`.
        case cast(SQLText, String)
        /// `a, b`.
        case list([SQLText])
        /// `x AS name`.
        case named(SQLText, String)
        /// `x DESC`.
        case sorted(SQLText, String)
        /// Pieces one after the other, with the words between them.
        case phrase([SQLText])
        case select(SQLSelect)

        /// The pieces inside, in the order in which they are printed.
        var parts: [SQLText] {
            switch self {
            case .parentheses(let piece), .prefix(_, let piece), .postfix(let piece, _), .cast(let piece, _),
                .named(let piece, _), .sorted(let piece, _):
                [piece]
            case .infix(let left, _, let right): [left, right]
            case .chain(_, let pieces), .call(_, let pieces, _), .list(let pieces), .phrase(let pieces): pieces
            case .select(let select): select.parts
            }
        }
    }

    /// Changes only while the piece is destroyed.
    private(set) nonisolated(unsafe) var form: Form
    let precedence: SQLText.Precedence
    let need: Int
    let size: SQLSize

    init(_ form: Form, _ precedence: SQLText.Precedence, need: Int, size: SQLSize) {
        (self.form, self.precedence, self.need, self.size) = (form, precedence, need, size + 2)
    }

    /// From this size on, a piece may be too high to be destroyed by recursion on a small stack (S26).
    private static let plainBytes = 400

    /// Destroys the parts that nothing else uses one after the other, not one inside the other.
    deinit {
        guard size.bytes > Self.plainBytes else { return }
        var pieces = takeParts()
        while var piece = pieces.popLast() {
            if piece.size.bytes > Self.plainBytes, isKnownUniquelyReferenced(&piece) { pieces += piece.takeParts() }
        }
    }

    private func takeParts() -> [SQLCompound] {
        defer { form = .list([]) }
        return form.parts.compactMap { if case .compound(let compound) = $0 { compound } else { nil } }
    }
}

/// A SELECT, or a DELETE.
final class SQLSelect: Sendable {
    let columns: [SQLText]
    let from: [SQLText]
    let condition: SQLText
    let groupBy: [SQLText]
    let having: SQLText
    let order: [SQLText]
    let limit: SQLText?
    let offset: SQLText?
    let isDeletion: Bool
    /// True for the rows of a query: the condition is the query's own, whose text the statement also gives alone.
    let isOfQuery: Bool

    init(
        _ columns: [SQLText],
        from: [SQLText] = [],
        where condition: SQLText = .one,
        groupBy: [SQLText] = [],
        having: SQLText = .one,
        order: [SQLText] = [],
        limit: SQLText? = nil,
        offset: SQLText? = nil,
        isDeletion: Bool = false,
        isOfQuery: Bool = false
    ) {
        self.columns = columns
        self.from = from
        self.condition = condition
        self.groupBy = groupBy
        self.having = having
        self.order = order
        self.limit = limit
        self.offset = offset
        self.isDeletion = isDeletion
        self.isOfQuery = isOfQuery
    }

    var need: Int {
        let outer = max(columns.greatestNeed + (columns.count > 1 ? 4 : 0), from.greatestNeed, condition.need)
        let lists = max(groupBy.isEmpty ? 0 : groupBy.greatestNeed + 4, order.greatestNeed)
        return max(outer, lists, having.need)
    }

    var size: SQLSize {
        let lists = columns.size + from.size + condition.size + groupBy.size + having.size + order.size
        return lists + (limit?.size ?? SQLSize()) + (offset?.size ?? SQLSize()) + 16
    }
}

extension SQLSelect {
    /// The statement without parentheses.
    var piece: SQLText { SQLText(.select(self), need: need, size: size) }

    /// The pieces inside, in the order in which they are printed.
    var parts: [SQLText] {
        columns + from + [condition] + groupBy + [having] + order + [limit, offset].compactMap { $0 }
    }
}
