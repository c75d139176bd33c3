import QueryTree
import QueryValues

extension TypeScope {
    /// True for a term known only to possibly be a date: a date compared with it, or a function of dates, means that its
    /// texts may be dates (S5).
    package func readsDates(of term: Term) -> Bool {
        switch type(of: term).element {
        case .any, .date(.native): !term.isRowless
        case .string: guaranteesNothing && term.isStored
        case .date, .bool, .int, .double, .data, .uuid, .objectID, .object, .list: false
        }
    }

    /// True if the types are declared by a table, whose TEXT guarantees nothing about dates.
    private var guaranteesNothing: Bool {
        if case .object(let schema) = row { schema.isOfStore || schema.isOfTable } else { false }
    }
}

extension Term {
    /// True for values that are read rather than computed.
    fileprivate var isStored: Bool {
        switch self {
        case .field, .variable, .path: true
        case .value, .list, .subquery, .arithmetic, .negated, .cast, .index, .aggregate, .call, .conditional,
            .assignment:
            false
        }
    }
}

extension QueryValue {
    /// The date that an ISO 8601 text denotes; every other value unchanged.
    package var readAsDate: QueryValue {
        guard case .string(let text) = self, let milliseconds = DateText.parse(text) else { return self }
        return .date(milliseconds)
    }
}
