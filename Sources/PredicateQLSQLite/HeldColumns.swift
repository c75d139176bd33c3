import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// Fields whose columns hold another kind of value than a schema declares, which SQLite would compare as what they
/// hold: numbers and truth values in columns declared TEXT, texts in columns of numbers, UUIDs in columns declared BLOB,
/// and dates in the form of texts in columns of numbers, or the other way round.
package struct HeldColumns {
    private var declared: TypeScope
    private var held: TypeScope

    /// - Parameters:
    ///   - declared: the schema of the query.
    ///   - held: the same fields with the types that their columns hold, as ``Schema/holding(of:_:)`` gives it.
    package init(declared: Schema, held: Schema) {
        (self.declared, self.held) = (TypeScope(declared), TypeScope(held))
    }

    /// Throws if a query, or groups of its rows, read such a field in another way than by a cast or a test for nil.
    ///
    /// UUIDs that a table keeps as their 16 bytes are ordered, and compared with bytes, into which the query is converted.
    package func check(_ query: Query, values: [GroupKey] = []) throws(QueryError) {
        for path in query.sortedFields where !isUUIDInBytes(.field(path, .none)) { try check(.field(path, .none)) }
        for path in values.compactMap(\.path) { try check(.field(path, .none)) }
        try check(query.readingCondition)
        for value in values where value.path == nil { try check(value.test) }
    }

    private func check(_ condition: Condition) throws(QueryError) {
        _ = try condition.mapChildren { (part) throws(QueryError) in
            try check(part)
            return part
        } _: { (comparison) throws(QueryError) in
            let sides = [comparison.left, comparison.right]
            let isNilTest = sides.contains(where: \.isNil)
            if sides.allSatisfy({ isUUIDInBytes($0) || $0.isBytes }) { return .comparison(comparison) }
            for side in sides where !(isNilTest && side.isRead) { try check(side) }
            return .comparison(comparison)
        }
    }

    private func isUUIDInBytes(_ term: Term) -> Bool {
        term.isRead && type(of: term, in: declared) == .uuid && type(of: term, in: held) == .data
    }

    private func check(_ term: Term) throws(QueryError) {
        switch term {
        case .cast(let inner, .number, _), .cast(let inner, .decimal, _), .cast(let inner, .string, _):
            if inner.isRead, let kind = type(of: inner, in: declared)?.kind, kind == .number || kind == .string {
                return
            }
        // A count reads no value.
        case .aggregate(.count, of: let base, _, _) where base.isRead: return
        default: break
        }
        if let type = type(of: term, in: declared), let kind = type.kind,
            self.type(of: term, in: held)?.kind != kind
        {
            let isList = if case .aggregate = term { true } else { declared.type(of: term) != type }
            throw refusal(term, isList: isList, type)
        }
        var inner = self
        if case .subquery(let subquery, _) = term {
            let (variable, list) = (subquery.variable, subquery.collection)
            inner.declared = declared.binding(variable, to: declared.type(of: list).element)
            inner.held = held.binding(variable, to: held.type(of: list).element)
        }
        _ = try term.mapChildren { (child) throws(QueryError) in
            try check(child)
            return child
        } _: { (condition) throws(QueryError) in
            try inner.check(condition)
            return condition
        }
    }

    /// The type of the values that a term reads at its path; nil for what it computes, and for lists and objects.
    private func type(of term: Term, in scope: TypeScope) -> FieldType? {
        var type: FieldType
        switch term {
        case .field, .variable, .path, .index: type = scope.type(of: term)
        case .aggregate(_, of: let base, let path, _):
            type = scope.type(of: base).element.resolve(path.keys)?.type ?? .any
        case .value, .list, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment: return nil
        }
        while case .list(let element) = type { type = element }
        return type
    }

    private func refusal(_ term: Term, isList: Bool, _ type: FieldType) -> QueryError {
        let name = GroupKey(term, as: nil).description
        func casting(_ kind: String, to target: String) -> String {
            isList ? "declare the field as a \(kind) and cast it" : "CAST(\(name), '\(target)')"
        }
        let (declared, held, hint): (String, String, String) =
            switch type {
            case .int, .double: ("a number", "a text", casting("string", to: "NSNumber"))
            case .bool: ("a truth value", "a text", "declare the field as a string and compare with its texts")
            case .date(let form) where form.storedForm.isText:
                (
                    "a date in a text", "a number",
                    "declare the form in which the table keeps the dates, .date(.epochSeconds) or .date(.epochMilliseconds)"
                )
            case .date:
                (
                    "a date in a number", "a text",
                    "declare the form in which the table keeps the dates, as .date(.iso8601) or .date(.sqliteText)"
                )
            case .uuid: ("a UUID", "bytes", "declare the field as data and compare with its 16 bytes")
            case .any, .string, .data, .objectID, .object, .list:
                ("a text", "a number", casting("number", to: "NSString"))
            }
        return QueryError(
            .unsupported,
            "the schema declares \(name) as \(declared), and the table as \(held)",
            at: term.origin,
            hint: hint
        )
    }
}

extension Schema {
    /// The schema with the kinds that columns hold, in related tables, too.
    ///
    /// - Parameters:
    ///   - table: the table whose columns the fields are; nil for those inside JSON.
    ///   - type: what a column of a table is declared to hold, as ``SQLiteTable/Column/heldType`` says.
    /// - Returns: the schema; nil if all fields are as it declares them.
    package func holding(of table: String?, _ type: (_ column: String, _ table: String) -> FieldType?) -> Schema? {
        var copy = self
        for (position, field) in fields.enumerated() {
            let held: FieldType?
            func typeHolding(_ kind: Kind) -> FieldType? {
                table.flatMap { type(field.storedName, $0) }.flatMap { $0.kind == kind ? $0 : nil }
            }
            switch (field.type, field.relation) {
            case (.int, nil), (.double, nil), (.bool, nil): held = typeHolding(.string)
            case (.string, nil): held = typeHolding(.number)
            case (.date(let form), nil): held = typeHolding(form.storedForm.isText ? .number : .string)
            case (.uuid, nil): held = typeHolding(.data)
            case (.object(let inner), let relation?): held = inner.holding(of: relation.table, type).map { .object($0) }
            case (.list(.object(let inner)), let relation?):
                held = inner.holding(of: relation.table, type).map { .list(.object($0)) }
            default: held = nil
            }
            if let held { copy.fields[position].type = held }
        }
        guard copy.fields != fields else { return nil }
        copy.index()
        return copy
    }
}

extension Query {
    /// The warnings of a query over a table: comparisons that its declarations rule out if the query has no schema of its
    /// own, and divisions of doubles that are kept as ints where they are whole.
    ///
    /// - Parameters:
    ///   - declared: the query's schema, else what the table declares.
    ///   - loose: the columns of numbers that may hold texts and bytes.
    ///   - table: the table whose columns the fields are; nil for documents.
    ///   - column: the declaration of a column of a table.
    /// - Returns: the warnings, with those of the query alone.
    package func warnings(
        declared: Schema,
        loose: Set<String>,
        of table: String?,
        _ column: (_ column: String, _ table: String) -> SQLiteTable.Column?
    ) -> [QueryError] {
        var folded = self
        folded.condition = condition.foldingConstants(now: Query.presentInstant, nilMeaning: nilMeaning)
        let ofKinds = schema == nil ? folded.warnings(ofColumns: declared, lettingTextsIn: loose) : []
        return warnings + ofKinds + divisionWarnings(ofWhole: declared.keepingWholeDoubles(of: table, column))
    }
}

extension Schema {
    /// The schema in which only those numbers are doubles that are kept as ints where they are whole: all of JSON, and
    /// those of columns that make no doubles of ints.
    ///
    /// - Parameters:
    ///   - table: the table whose columns the fields are; nil for those inside JSON.
    ///   - column: the declaration of a column of a table.
    /// - Returns: the schema.
    fileprivate func keepingWholeDoubles(
        of table: String?,
        _ column: (_ column: String, _ table: String) -> SQLiteTable.Column?
    ) -> Schema {
        var copy = self
        for (position, field) in fields.enumerated() {
            if field.type == .double, let table, column(field.storedName, table)?.makesDoubles ?? true {
                copy.fields[position].type = .any
            }
            guard let relation = field.relation else { continue }
            switch field.type {
            case .object(let inner):
                copy.fields[position].type = .object(inner.keepingWholeDoubles(of: relation.table, column))
            case .list(.object(let inner)):
                copy.fields[position].type = .list(.object(inner.keepingWholeDoubles(of: relation.table, column)))
            case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID, .list: break
            }
        }
        copy.index()
        return copy
    }
}

extension SQLiteTable.Column {
    /// True for a column that makes doubles of ints.
    fileprivate var makesDoubles: Bool {
        let type = declaredType.uppercased()
        let isOther = ["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains { type.contains($0) }
        return !isOther && ["REAL", "FLOA", "DOUB"].contains { type.contains($0) }
    }
}

extension Term {
    /// True for nil, and for a list of nothing else.
    fileprivate var isNil: Bool {
        switch constantValue {
        case .null?: true
        case .list(let values)?: !values.isEmpty && values.allSatisfy(\.isNull)
        default: false
        }
    }

    /// True for bytes, and for a list of bytes and nil.
    fileprivate var isBytes: Bool {
        switch constantValue {
        case .data?: true
        case .list(let values)?: values.allSatisfy { $0.kind == .data || $0.isNull }
        default: false
        }
    }

    /// True for the value at a path.
    fileprivate var isRead: Bool {
        switch self {
        case .field, .variable, .path, .index: true
        case .value, .list, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment: false
        }
    }
}

// MARK: Dates of cursors

extension Query {
    /// Throws if this is a page after a date that its column holds in another form than the statement compares with:
    /// rows would be missing or come again.
    ///
    /// What a column is declared to hold does not tell, so its least and greatest value are looked at, which an index
    /// gives, and the values of the cursor's instant.
    ///
    /// - Parameters:
    ///   - schema: the forms by which the statement compares.
    ///   - table: the table.
    ///   - first: runs a statement and gives the values of its first row.
    /// - Throws: `QueryError` of code `kindMismatch`, and what `first` throws.
    package func refuseOtherForms(
        than schema: Schema?,
        in table: SQLTable,
        first: (_ sql: String, _ bindings: [QueryValue]) throws(QueryError) -> [QueryValue]
    ) throws(QueryError) {
        guard let row = schema.map({ FieldType.object($0) }), table.storage?.documentColumn == nil else { return }
        var seen: Set<FieldPath> = []
        for case .condition(.comparison(let test)) in condition.nodes {
            guard case .field(let path, _) = test.left, case .value(.date(let instant), let origin) = test.right,
                origin.isOfOrder, let field = row.resolve(path.keys), case .date(let encoding) = field.type,
                field.steps.allSatisfy({ $0.relation == nil }), seen.insert(path).inserted
            else { continue }
            let stored = FieldPath(keys: field.storedKeys)
            guard let column = stored.keys.first else { continue }
            func finds(_ tests: [(Comparison.Operator, QueryValue)]) throws(QueryError) -> Bool {
                let parts = tests.map {
                    Condition.comparison(Comparison(.field(stored, .none), $0.0, .value($0.1, .none)))
                }
                let statement = try Query(.and(parts)).sqlExists(.sqlite, from: table)
                return try first(statement.sql, statement.bindings).first == .int(1)
            }
            func refuse(_ holds: String, _ hint: String) -> QueryError {
                QueryError(
                    .kindMismatch,
                    "no page can continue after a date in \(path.dotted): it holds \(holds)",
                    hint: hint
                )
            }
            let isNumber = encoding == .epochSeconds || encoding == .epochMilliseconds
            let isOpen = encoding == .iso8601 || encoding == .native
            var isOther = false
            if stored.keys.count > 1 {
                for test: (Comparison.Operator, QueryValue) in isNumber
                    ? [(.greaterOrEqual, "")] : [(.less, 0), (.greaterOrEqual, 0)]
                where !isOther { isOther = try finds([test]) }
            } else {
                let (name, source) = (try SQLDialect.sqlite.quoted(column), try SQLDialect.sqlite.quoted(table.name))
                let sql = "SELECT (SELECT min(\(name)) FROM \(source)), (SELECT max(\(name)) FROM \(source))"
                // Texts among numbers are no dates, and behind them.
                for value in try first(sql, []).prefix(isNumber ? 1 : 2) where !value.isNull {
                    if encoding.decode(value) == nil, !isOpen || value.kind == .number { isOther = true }
                }
            }
            if !isNumber, !isOpen, !isOther {
                let texts = instant.textsOfDates.filter { encoding.decode($0) == nil }
                isOther = try finds([(.in, .list(texts))])
            }
            if isOther {
                throw refuse(
                    "dates in another form",
                    "declare the form in a schema, as .date(.iso8601) or .date(.epochSeconds)"
                )
            }
            guard isNumber else { continue }
            let (below, isLeast) = instant.subtractingReportingOverflow(1)
            let (above, isGreatest) = instant.addingReportingOverflow(1)
            guard !isLeast, !isGreatest else { continue }
            if try finds([
                (.greater, encoding.encode(below)), (.less, encoding.encode(above)),
                (.notEqual, encoding.encode(instant)),
            ]) {
                throw refuse("fractions of a millisecond", "store whole milliseconds, or order by another field")
            }
        }
    }
}

extension Int64 {
    /// The texts that SQLite's own functions have for an instant, the longest first: each begins with the next.
    package var sqliteTexts: [String] {
        let text = DateText.grdb(self)
        guard DateEncoding.sqliteText.decode(.string(text)) == self, text.hasSuffix(".000") else { return [text] }
        var texts = [text, String(text.dropLast(4))]
        if text.hasSuffix(":00.000") { texts.append(String(text.dropLast(7))) }
        if text.hasSuffix(" 00:00:00.000") { texts.append(DateText.iso8601Date(self)) }
        return texts
    }

    /// These and the two texts of ISO 8601 with a time in UTC.
    fileprivate var textsOfDates: [QueryValue] {
        let texts =
            sqliteTexts + [DateText.iso8601(self)] + (isMultiple(of: 1000) ? [DateText.iso8601Seconds(self)] : [])
        return texts.map { .string($0) }
    }
}
