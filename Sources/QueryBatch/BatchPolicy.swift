import QueryChecking
import QueryTree
import QueryValues

extension QueryPolicy {
    /// The keys of a policy in a request: the names of its properties.
    private enum Key: String, CaseIterable {
        case fields, sortFields, maximumSortKeys, maximumFields, maximumGroupKeys, maximumReducers, allowsWholeRows
        case operators, functions, aggregates, allowsQuantifiers, allowsSubqueries, allowsArithmetic
        case maximumTextBytes, maximumNesting, maximumNodes, maximumListElements, maximumLimit, requiresLimit
        case clampsLimit, maximumSkip, maximumCost, maximumSteps, maximumDuration
    }

    /// Reads `{"fields":["name","address.*"],"maximumLimit":100}`; omitted keys have the same careful defaults as in Swift.
    ///
    /// - Parameter field: the value of a request's `policy`.
    /// - Throws: `QueryError` with the path of the first key that is unknown, missing or has a wrong value.
    init(_ field: RequestField) throws(QueryError) {
        let object = try field.object()
        guard let fields = object[Key.fields.rawValue], !fields.isNull else {
            throw QueryError(
                .request,
                "a policy lists fields",
                path: field.path + ".fields",
                hint: #"["name","address.*"], or ["*"] for all"#
            )
        }
        self.init(fields: [])
        for (name, value) in object.pairs {
            let path = field.path + "." + name
            guard let key = Key(rawValue: name) else {
                throw RequestField.unknown(name, at: path, known: Key.allCases.map(\.rawValue))
            }
            if !value.isNull { try read(key, RequestField(value, at: path)) }
        }
    }

    private mutating func read(_ key: Key, _ field: RequestField) throws(QueryError) {
        switch key {
        case .fields: fields = try field.strings()
        case .sortFields: sortFields = try field.strings()
        case .maximumSortKeys: maximumSortKeys = try field.count()
        case .maximumFields: maximumFields = try field.count()
        case .maximumGroupKeys: maximumGroupKeys = try field.count()
        case .maximumReducers: maximumReducers = try field.count()
        case .allowsWholeRows: allowsWholeRows = try field.flag()
        case .operators: operators = Set(try field.choices(Comparison.Operator.self))
        case .functions: functions = Set(try field.choices(Function.self))
        case .aggregates: aggregates = Set(try field.choices(Aggregate.self))
        case .allowsQuantifiers: allowsQuantifiers = try field.flag()
        case .allowsSubqueries: allowsSubqueries = try field.flag()
        case .allowsArithmetic: allowsArithmetic = try field.flag()
        case .maximumTextBytes: maximumTextBytes = try field.count()
        case .maximumNesting: maximumNesting = try field.count()
        case .maximumNodes: maximumNodes = try field.count()
        case .maximumListElements: maximumListElements = try field.count()
        case .maximumLimit: maximumLimit = try field.count()
        case .requiresLimit: requiresLimit = try field.flag()
        case .clampsLimit: clampsLimit = try field.flag()
        case .maximumSkip: maximumSkip = try field.count()
        case .maximumCost: maximumCost = try field.count()
        case .maximumSteps: maximumSteps = try field.count()
        case .maximumDuration: maximumDuration = try field.seconds()
        }
    }

    /// The bounds of a request: the stricter of these and of this policy.
    ///
    /// - Parameter limits: what bounds every request.
    /// - Returns: those limits, none of them wider.
    func limits(within limits: Limits) -> Limits {
        var result = limits
        result.listElements = min(limits.listElements, self.limits.listElements)
        result.steps = min(limits.steps, self.limits.steps)
        result.duration = [limits.duration, self.limits.duration].compactMap(\.self).min()
        return result
    }
}
