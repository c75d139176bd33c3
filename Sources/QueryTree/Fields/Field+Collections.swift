extension Field {
    /// The number of elements: `orders.@count`; nil if not a list.
    ///
    ///     Field("orders").count > 2  // → orders.@count > 2
    public var count: Field { aggregate(.count, FieldPath(keys: [])) }  // S18

    /// The sum of the numbers: `orders.@sum.amount`; 0 for none.
    ///
    ///     Field("orders").sum("amount") > 100  // → orders.@sum.amount > 100
    ///
    /// - Parameter path: from an element to its number; omit it for the elements themselves.
    /// - Returns: the sum (S18).
    public func sum(_ path: FieldPath = FieldPath(keys: [])) -> Field { aggregate(.sum, path) }

    /// The mean of the numbers: `orders.@avg.amount`; nil for none.
    ///
    ///     Field("orders").average("amount") > 10  // → orders.@avg.amount > 10
    ///
    /// - Parameter path: from an element to its number; omit it for the elements themselves.
    /// - Returns: the mean (S18).
    public func average(_ path: FieldPath = FieldPath(keys: [])) -> Field { aggregate(.average, path) }

    /// The least element: `orders.@min.amount`; nil for none.
    ///
    ///     Field("scores").min() > 3  // → scores.@min.#self > 3
    ///
    /// - Parameter path: from an element to its value; omit it for the elements themselves.
    /// - Returns: the least value (S18).
    public func min(_ path: FieldPath = FieldPath(keys: [])) -> Field { aggregate(.min, path) }

    /// The greatest element: `orders.@max.amount`; nil for none.
    ///
    ///     Field("orders").max("amount") > 100  // → orders.@max.amount > 100
    ///
    /// - Parameter path: from an element to its value; omit it for the elements themselves.
    /// - Returns: the greatest value (S18).
    public func max(_ path: FieldPath = FieldPath(keys: [])) -> Field { aggregate(.max, path) }

    /// The values of a path, one per element: `orders.@unionOfObjects.name`.
    ///
    ///     Field("orders").unionOfObjects("name").contains("chair")  // → orders.@unionOfObjects.name CONTAINS "chair"
    ///
    /// - Parameter path: from an element to its value.
    /// - Returns: a list (S18).
    public func unionOfObjects(_ path: FieldPath) -> Field { aggregate(.unionOfObjects, path) }

    /// The values of a path, each once.
    ///
    ///     Field("orders").distinctUnionOfObjects("name").count > 3
    ///     // → orders.@distinctUnionOfObjects.name.@count > 3
    ///
    /// - Parameter path: from an element to its value.
    /// - Returns: a list (S18).
    public func distinctUnionOfObjects(_ path: FieldPath) -> Field { aggregate(.distinctUnionOfObjects, path) }

    /// The elements of the lists at a path.
    ///
    ///     Field("orders").unionOfArrays("tags").contains("gift")  // → orders.@unionOfArrays.tags CONTAINS "gift"
    ///
    /// - Parameter path: from an element to its list.
    /// - Returns: a list (S18).
    public func unionOfArrays(_ path: FieldPath) -> Field { aggregate(.unionOfArrays, path) }

    /// The elements of the lists at a path, each once.
    ///
    ///     Field("orders").distinctUnionOfArrays("tags").count > 3  // → orders.@distinctUnionOfArrays.tags.@count > 3
    ///
    /// - Parameter path: from an element to its list.
    /// - Returns: a list (S18).
    public func distinctUnionOfArrays(_ path: FieldPath) -> Field { aggregate(.distinctUnionOfArrays, path) }

    /// The elements of the sets at a path, each once.
    ///
    ///     Field("orders").distinctUnionOfSets("tags").count > 3  // → orders.@distinctUnionOfSets.tags.@count > 3
    ///
    /// - Parameter path: from an element to its list.
    /// - Returns: a list (S18).
    public func distinctUnionOfSets(_ path: FieldPath) -> Field { aggregate(.distinctUnionOfSets, path) }

    func aggregate(_ aggregate: Aggregate, _ path: FieldPath) -> Field {
        Field(.aggregate(aggregate, of: term, path, .none))
    }

    /// The elements of both lists, each once: `a UNION b`.
    ///
    ///     Field("a").union(Field("b")).contains(3)  // → a UNION b CONTAINS 3
    ///
    /// - Parameter other: a field or a list.
    /// - Returns: a list.
    public func union(_ other: some QueryTermConvertible) -> Field { chained(.union, other) }

    /// The elements that are also in the other list: `a INTERSECT b`.
    ///
    ///     Field("tags").intersection(["red", "blue"]).count > 0  // → (tags INTERSECT {"red", "blue"}).@count > 0
    ///
    /// - Parameter other: a field or a list.
    /// - Returns: a list.
    public func intersection(_ other: some QueryTermConvertible) -> Field { chained(.intersect, other) }

    /// The elements that are not in the other list: `a MINUS b`.
    ///
    ///     Field("tags").subtracting(["red", "blue"]).count == 0  // → (tags MINUS {"red", "blue"}).@count == 0
    ///
    /// - Parameter other: a field or a list.
    /// - Returns: a list.
    public func subtracting(_ other: some QueryTermConvertible) -> Field { chained(.minus, other) }
}

// MARK: - SUBQUERY

extension Field {
    /// The names of the elements of the enclosing closures.
    @TaskLocal private static var elementNames: [Variable] = []

    /// The elements that satisfy a condition: `SUBQUERY(orders, $x, $x.amount > 100)`.
    ///
    ///     Field("orders").filter { $0["amount"] > 100 && $0["qty"] >= 5 }.count >= 2
    ///     // → SUBQUERY(orders, $x, $x.amount > 100 AND $x.qty >= 5).@count >= 2
    ///
    /// Fields named by ``init(_:)-(String)`` inside the closure belong to the row, as everywhere. See S19.
    ///
    /// - Parameters:
    ///   - name: the element's name in the text; left out, the first of `x`, `y`, `z`, `x1`, `y1` … that no closure around
    ///     this one uses. Give a name when the closure uses a ``variable(_:)`` of that name.
    ///   - condition: what the element must satisfy; called once with the element.
    /// - Returns: the list of such elements.
    public func filter(as name: Variable? = nil, _ condition: (Field) -> Condition) -> Field {
        let name = name ?? Self.freeName
        let body = Self.$elementNames.withValue(Self.elementNames + [name]) { condition(.variable(name)) }
        return Field(.subquery(Subquery(term, name, where: body), .none))
    }

    private static var freeName: Variable {
        let used = Set(elementNames)
        for round in 0...used.count {
            for letter in ["x", "y", "z"] {
                let name = Variable(round == 0 ? letter : "\(letter)\(round)")
                if !used.contains(name) { return name }
            }
        }
        return "x"
    }
}
