import QueryValues

/// The members of a list, for looking up many values (S12).
///
/// O(size of the list) to build, O(size of the value) to look up.
struct MemberSet: Sendable {
    private let keys: Set<EqualityKey>
    /// True if a list or an object may be a member.
    private let holdsContainers: Bool
    let folding: StringOptions

    /// - Parameters:
    ///   - members: the elements of the list.
    ///   - options: `[c]` and `[d]` fold strings, also inside lists and objects.
    init(_ members: some Sequence<QueryValue>, _ options: StringOptions) {
        let folding = options.folding
        self.folding = folding
        // NaN equals nothing (S3), and neither does a value that contains it.
        holdsContainers = members.contains { $0.isContainer }
        keys = Set(members.lazy.filter { !$0.holdsNaN }.map { EqualityKey($0.folded(folding)) })
    }

    /// True if some member equals the value.
    func holds(_ value: QueryValue) -> Bool {
        if value.isContainer && !holdsContainers { return false }
        return !value.holdsNaN && keys.contains(EqualityKey(value.folded(folding)))
    }
}

extension QueryValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .list, .object: true
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: false
        }
    }

    /// True for NaN, and for a list or object that contains it.
    fileprivate var holdsNaN: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .list(let elements): Self.holdNaN(elements)
        case .object(let object): Self.holdNaN(object.values)
        case .null, .bool, .int, .string, .date, .data, .uuid, .shape: false
        }
    }

    private static func holdNaN(_ values: [QueryValue]) -> Bool {
        for value in values where value.holdsNaN { return true }
        return false
    }

    /// The value with its strings folded.
    fileprivate func folded(_ folding: StringOptions) -> QueryValue {
        if folding.isEmpty { return self }
        return switch self {
        case .string(let text): .string(Folding.folded(text, folding))
        case .list(let elements): .list(Self.folded(elements, folding))
        case .object(let object): .object(Document(shape: object.shape, values: Self.folded(object.values, folding)))
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: self
        }
    }

    private static func folded(_ values: [QueryValue], _ folding: StringOptions) -> [QueryValue] {
        var folded: [QueryValue] = []
        folded.reserveCapacity(values.count)
        for value in values { folded.append(value.folded(folding)) }
        return folded
    }
}
