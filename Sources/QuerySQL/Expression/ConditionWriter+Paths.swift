import QueryChecking
import QueryTree
import QueryValues

// Following a path to where its value is stored (S9).

extension ConditionWriter {
    /// The place of a term that has one; nil for terms that must be computed.
    func place(of term: Term, _ scope: Scope) throws(QueryError) -> Place? {
        switch term {
        case .field(let path, let origin):
            if let results = scope.results {
                let node = try result(path, of: results, origin)
                return Place(site: .computed(node), type: node.type)
            }
            return try follow(scope.row, path.keys, origin)
        case .variable(let variable, let origin): return try place(of: variable, scope, origin)
        case .path(let base, let steps, let origin):
            guard let start = try place(of: base, scope) else { return nil }
            if let name = start.elementOf, start.type == .any {
                for name in start.elementsAround + [name] { assume(.objects(name.joined(separator: "."))) }
            }
            return try follow(start, try keys(steps, origin), origin)
        case .index(let base, .first, let origin): return try position(of: base, 0, origin, scope)
        case .index(let base, .last, let origin): return try position(of: base, -1, origin, scope)
        case .index(let base, .at(.value(.int(let index), _)), let origin):
            // No list is so long that it has another position.
            let position = (0..<Int64(Int32.max)).contains(index) ? Int(index) : Int(Int32.max)
            return try self.position(of: base, position, origin, scope)
        case .index(let base, .at(.value(.string(let key), _)), let origin):
            guard let start = try place(of: base, scope) else { return nil }
            if case .list = start.type { return nil }
            var next = try follow(start, [key], origin)
            next?.mayMap = start.mayMap
            next?.onTheWay = start.onTheWay
            return next
        case .call(.noindex, let arguments, _):
            guard let first = arguments.first else { return nil }
            return try place(of: first, scope)
        case .value, .list, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment,
            .index:
            return nil
        }
    }

    /// A column of the row that holds one scalar by the schema: most operands are of this form, and need no place.
    func knownColumn(_ term: Term, _ scope: Scope) throws(QueryError) -> Node? {
        guard case .field(let path, let origin) = term, path.keys.count == 1, let key = path.keys.first,
            scope.results == nil, let row = scope.columnsOfRow,
            let field = scope.typeOfRow.step(key), field.relation == nil,
            let kind = field.type.kind, kind != .list, kind != .object
        else { return nil }
        return scalar(try dialect.column(field.storedName, of: row.alias, at: origin), kind, field, of: row, key)
    }

    /// One key from a single place; nil if the key leads to a table with many rows or maps over a list.
    func step(_ place: Place, _ key: String, _ origin: Origin) throws(QueryError) -> Place? {
        if case .list = place.type { return nil }
        guard let field = place.type.step(key) else {
            let isKnown = place.name != nil || place.type.kind == .object
            if isKnown, let unknown = place.type.unknownKey(of: [key]) { throw unknown.error(at: origin) }
            return Place(site: absent, type: .any)
        }
        var next = place
        (next.trigrams, next.keyColumn, next.single, next.elementOf) = (nil, nil, nil, nil)
        (next.isScalar, next.isRequired, next.mayHoldTexts, next.elementsAround) = (false, false, false, [])
        next.declared = place.declared.flatMap { DeclaredColumn(presence: $0.presence) }
        if place.name == nil, place.elementOf == nil, mayMap(over: place) { next.mayMap = true }
        next.type = field.type
        next.name = place.named(key)
        next.mappedName = place.mappedName.map { $0 + [key] }
        next.isSingle = if case .object = field.type { true } else { false }
        guard let relation = field.relation else {
            try enter(&next, place, field, origin)
            return next
        }
        if case .list = field.type { return nil }
        return try toOne(place, next, relation, origin)
    }

    /// The row that a to-one field leads to.
    private func toOne(
        _ place: Place,
        _ field: Place,
        _ relation: Schema.Relation,
        _ origin: Origin
    ) throws(QueryError) -> Place {
        let inner = try alias("j")
        let column = try relation.keyColumn(field.type.primaryKey, at: origin)
        var next = field
        note(tables: place.joins.count + 1)
        next.joins.append(
            TableJoin(
                table: .word(try dialect.table(relation.table, at: origin)),
                alias: inner,
                key: try dialect.column(column, of: inner, at: origin),
                foreign: try keyColumn(relation.foreignKey, of: place, origin),
                isEnforced: place.enforces(relation)
            )
        )
        next.site = .row(alias: inner, storage: place.related(relation.table), key: column)
        next.isSingle = true
        return next
    }

    /// The column of a row that holds a key.
    func keyColumn(_ name: String, of place: Place, _ origin: Origin) throws(QueryError) -> SQLText {
        guard case .row(let row) = place.site else {
            throw unsupported("only rows of a table have related tables", at: origin)
        }
        if case .document(let column) = row.storage.layout, !name.hasSameUTF8(as: row.key) {
            guard let key = row.storage.keyColumn(name, .any) else {
                return try member(name, of: try dialect.column(column, of: row.alias), origin)
            }
            return try dialect.column(key, of: row.alias, at: origin)
        }
        return try dialect.column(name, of: row.alias, at: origin)
    }
}

extension ConditionWriter {
    /// A term that is no constant, as SQL for a value.
    func unchecked(_ term: Term, _ scope: Scope) throws(QueryError) -> Operand {
        let origin = term.origin
        if let place = try place(of: term, scope) {
            var node = place.mayMap ? try mapped(read(place), term, scope) : read(place)
            // The result of a function counts as computed (S8).
            if case .call = term { node.isComputed = true }
            return .node(node, origin)
        }
        switch term {
        case .value(let value, _): return .constant(value, origin)
        case .call(.now, _, _): return .constant(.date(now), origin)
        case .call(let function, let arguments, _):
            if function == .noindex, let first = arguments.first { return try operand(first, scope) }
            guard let aggregation = term.aggregation else {
                return try callOperand(FunctionCall(function: function, arguments: arguments, origin: origin), scope)
            }
            return .node(try aggregateNode(aggregation, scope), origin)
        case .field, .path, .variable, .subquery, .list: return .node(try listNode(term, scope), origin)
        case .index(let base, let index, _): return .node(try indexNode(base, index, origin, scope), origin)
        case .aggregate(let aggregate, of: let base, let path, _):
            let aggregation = Aggregation(aggregate: aggregate, base: base, path: path, origin: origin)
            return .node(try aggregateNode(aggregation, scope), origin)
        case .arithmetic(let chain, _): return .node(try arithmeticNode(chain, origin, scope), origin)
        case .negated(let inner, _): return .node(try negatedNode(inner, scope), origin)
        case .conditional(let test, let first, let second, _):
            let conditional = Conditional(test: test, first: first, second: second, origin: origin)
            return .node(try conditionalNode(conditional, scope), origin)
        case .cast(let inner, let target, _): return .node(try castNode(inner, target, origin, scope), origin)
        case .assignment: throw unsupported("assignments are parsed but never evaluated", at: origin)
        }
    }
}

// Collections as the FROM of a subquery (S9, S10).

extension ConditionWriter {
    /// One key over the elements of a chain; `isMapped` is true if the chain is a list rather than a single value.
    ///
    /// An element that leads to no row gives nil, unless nil may be dropped.
    func mapped(
        _ chain: Collection,
        _ key: String,
        _ isMapped: SQLText,
        _ origin: Origin,
        keepsMissing: Bool = true
    ) throws(QueryError) -> (chain: Collection, isMapped: SQLText) {
        var chain = try entering(chain, isMapped, origin)
        var element = chain.element
        element.type = element.type.element
        if let field = element.type.step(key), let relation = field.relation,
            case .list(let inner) = field.type
        {
            let children = try children(of: element, relation, inner, origin)
            chain.join(children.from, on: children.link, keepsMissing: keepsMissing && !children.isList.isTrue)
            chain.element = children.element
            if !children.isList.isTrue { chain.element.declared = DeclaredColumn(presence: children.link?.inner) }
            return (chain, .one)
        }
        guard let next = try step(element, key, origin) else {
            throw unsupported("this path cannot be followed in SQL", at: origin)
        }
        chain.element = next
        return try spliced(chain, isMapped, origin)
    }

    /// The elements of a term: those of a list, or the single value, or none for nil.
    ///
    /// If only scalars are wanted, nil, lists and objects may be omitted.
    func collection(of term: Term, _ scope: Scope, wanted: WantedElements = .all) throws(QueryError) -> Collection {
        switch term {
        case .field(let path, let origin):
            guard scope.results == nil else { return try single(term, scope) }
            var chain = try walk(scope.row, path.keys, wanted, origin)
            chain.element.elementOf = path.keys
            return named(chain, path.keys)
        case .path(let base, let steps, let origin):
            let keys = try keys(steps, origin)
            if let start = try place(of: base, scope) {
                let name = (start.name ?? start.mappedName).map { $0 + keys }
                var chain = try walk(start, keys, wanted, origin)
                entered(&chain, from: start, name)
                return named(chain, name)
            }
            if base.isComputedValue { return try collection(computed: term, scope, wanted) }
            var chain = try collection(of: base, scope)
            for key in keys { chain = try mapped(chain, key, .one, origin, keepsMissing: true).chain }
            return chain
        case .aggregate(let aggregate, of: let base, let path, let origin) where aggregate.givesList:
            let aggregation = Aggregation(aggregate: aggregate, base: base, path: path, origin: origin)
            return try united(collection(of: base, scope), aggregation, scope)
        case .subquery(let subquery, _):
            var chain = try collection(of: subquery.collection, scope)
            var inner = scope
            inner.variables[subquery.variable] = chain.element
            chain.conditions.append(try holds(subquery.condition, inner))
            if !chain.isList.isTrue { chain.isList = try isPresent(subquery.collection, chain, scope) }
            chain.ofLists = nil
            return chain
        case .list(_, let origin): return try list(term, origin, scope)
        case .call(.noindex, let arguments, _) where arguments.count == 1:
            return try collection(of: arguments[0], scope, wanted: wanted)
        case .value, .variable, .index, .aggregate, .arithmetic, .negated, .call, .conditional, .cast, .assignment:
            return try single(term, scope)
        }
    }

    /// The collection with a name for assumptions: an undeclared column of related rows holds single values (S11).
    func named(_ chain: Collection, _ name: [String]?) -> Collection {
        var chain = chain
        chain.element.mappedName = name
        if !chain.from.isEmpty, isUndeclared(chain.element), let name { assume(.single(name.joined(separator: "."))) }
        return chain
    }

    /// The elements at the end of a path.
    private func walk(
        _ start: Place,
        _ keys: [String],
        _ wanted: WantedElements,
        _ origin: Origin
    ) throws(QueryError) -> Collection {
        var place = start
        for (position, key) in keys.enumerated() {
            if mayMap(over: place), position > 0 || !place.isSingle {
                if wanted == .scalars, position + 1 == keys.count, let chain = try scalars(behind: key, of: place) {
                    return chain
                }
                return try mapping(place, Array(keys[position...]), origin)
            }
            if let field = place.type.step(key), let relation = field.relation, case .list(let element) = field.type {
                var chain = try children(of: place, relation, element, origin)
                for rest in keys[(position + 1)...] {
                    chain = try mapped(chain, rest, .one, origin, keepsMissing: wanted != .scalars).chain
                }
                return chain
            }
            guard let next = try step(place, key, origin) else {
                throw unsupported("this path cannot be followed in SQL", at: origin)
            }
            place = next
        }
        if wanted == .scalars, let chain = try scalars(at: place) { return chain }
        return try asCollection(place)
    }

    /// Keys over what may be a list: each step maps and flattens.
    private func mapping(_ place: Place, _ keys: [String], _ origin: Origin) throws(QueryError) -> Collection {
        var chain = try asCollection(place)
        var flag = chain.isList
        var lists = [chain.isList]
        var plain = place
        for key in keys {
            (chain, flag) = try mapped(chain, key, flag, origin, keepsMissing: true)
            plain.type = plain.type.element
            if let next = try step(plain, key, origin) {
                plain = next
                if let isList = isList(inJSON: plain) { lists.append(isList) }
            }
        }
        chain.isList = some(lists)
        chain.isUncertain = true
        return chain
    }

    /// The rows of another table that belong to a row (to-many).
    func children(
        of place: Place,
        _ relation: Schema.Relation,
        _ type: FieldType,
        _ origin: Origin
    ) throws(QueryError) -> Collection {
        guard case .row = place.site else {
            throw unsupported("only rows of a table can have related rows", at: origin)
        }
        let key = try relation.keyColumn(place.name?.isEmpty == true ? primaryKey : place.type.primaryKey, at: origin)
        let table = try dialect.table(relation.table, at: origin)
        let child = try alias("k")
        let inner = try dialect.column(relation.foreignKey, of: child, at: origin)
        let outer = place.throughJoins(try keyColumn(key, of: place, origin))
        return Collection(
            from: [.word(table).named(child)],
            element: Place(
                // An existing row has the foreign key, whatever the table's own key.
                site: .row(alias: child, storage: place.related(relation.table), key: relation.foreignKey),
                type: type,
                isSingle: true
            ),
            // A missing row has no list.
            isList: place.joins.isEmpty ? .one : outer.followed(by: "IS NOT NULL"),
            link: (inner, outer)
        )
    }

    /// A SELECT of a chain's elements.
    func rows(
        _ columns: [SQLText],
        _ chain: Collection,
        where inner: [SQLText] = [],
        linked: Bool = true,
        groupBy: [SQLText] = [],
        order: [SQLText] = [],
        limit: SQLText? = nil,
        offset: SQLText? = nil
    ) -> SQLSelect {
        var conditions = chain.conditions
        if linked, let link = chain.link { conditions.insert(.compare(link.inner, "=", link.outer), at: 0) }
        if !chain.from.isEmpty { note(tables: chain.from.count) }
        return SQLSelect(
            columns,
            from: chain.from,
            where: restricted(all(conditions + inner + chain.checks)),
            groupBy: groupBy,
            order: order,
            limit: limit,
            offset: offset
        )
    }

    /// `(SELECT what FROM chain …)`.
    func select(_ what: SQLText, _ chain: Collection) -> SQLText { .select(rows([what], chain)) }

    func select(
        _ columns: [SQLText],
        from chain: Collection,
        groupBy: [SQLText] = [],
        order: [SQLText] = [],
        limit: SQLText? = nil
    ) -> SQLText { .select(rows(columns, chain, groupBy: groupBy, order: order, limit: limit)) }
}
