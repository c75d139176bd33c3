import PredicateQL
import QueryChecking
import QueryTree
import QueryValues

/// Where a row's fields live in a table.
package enum RowForm: String, CaseIterable, Sendable {
    case document, columns

    /// The same for a writer of SQL.
    package var storage: SQLStorage {
        switch self {
        case .document: .document()
        case .columns: .columns
        }
    }
}

/// The service that Mongo JSON is for.
package enum MongoService: String, CaseIterable, Sendable {
    case mongoDB, findOnly, kinvey

    /// What it takes.
    package var profile: MongoProfile {
        switch self {
        case .mongoDB: .mongoDB
        case .findOnly: .findOnly
        case .kinvey: .kinvey
        }
    }
}

/// One line of the machine interface, read and checked, before anything is parsed or run.
///
///     let line = #"{"id":1,"format":"age > %@","arguments":[21],"documents":[{"age":30}],"outputs":["matches"]}"#
///     BatchProcessor().answer(to: line.utf8)  // → {"id":1,"matches":[0]}
struct BatchRequest {
    /// The outputs of an answer, in its order.
    enum Output: String, CaseIterable {
        case tokens, problems, format, tree, outline, mongo, rest, pql, sqlite, postgresql, duckdb, plan, matches,
            results

        /// Those of a request that names none.
        static let usual: [Output] = [.format, .tree, .mongo, .sqlite, .matches, .results]
    }

    /// `group`: keys, values and a condition on groups.
    struct Group {
        var keys: [GroupKey] = []
        var reducers: [Reducer] = []
        var having: String?
    }

    /// Whether SQL may call functions that the store does not have by itself.
    enum FunctionUse: String, CaseIterable {
        case any, none
    }

    var format = ""
    /// A Mongo filter in place of the format.
    var mongo: String?
    /// True if the filter's fields that no schema declares count as single values.
    var assumes = false
    var arguments: [QueryValue] = []
    var variables: [String: QueryValue] = [:]
    /// The texts that both give as ObjectIds.
    var objectIDs: Set<String> = []
    var schema: Schema?
    var order: [SortKey] = []
    var skip: Int?
    var limit: Int?
    var fields: [FieldPath]?
    var group: Group?
    var nilMeaning = NilMeaning.nullOrAbsent
    var isGuarded = false
    var profile = MongoProfile.mongoDB
    var table: String?
    var storage: RowForm?
    var primaryKey: String?
    var now: Int64?
    var documents: [Document]?
    /// What the query may name and cost; nil for anything.
    var policy: QueryPolicy?
    var functions = FunctionUse.any
    var outputs = Output.usual
}

extension BatchRequest {
    /// The keys that a request may have; `id` is read before the others.
    enum Key: String, CaseIterable {
        case id, format, mongo, assume, arguments, variables, schema, order, skip, limit, fields, group
        case `nil`, guarded, profile, table, storage, primaryKey, now, documents, policy, functions, outputs
    }

    /// Reads a request's keys.
    ///
    /// A key whose value is null counts as absent.
    ///
    /// - Parameter object: the request, Extended JSON already read.
    /// - Throws: `QueryError` with the JSON path of the first key that is unknown or has a wrong value.
    init(_ object: Document) throws(QueryError) {
        for (name, value) in object.pairs {
            guard let key = Key(rawValue: name) else {
                throw RequestField.unknown(name, at: name, known: Key.allCases.map(\.rawValue))
            }
            if value.isNull { continue }
            try read(key, RequestField(value, at: name))
        }
        if mongo != nil {
            let clash = [Key.format, .arguments].first { object[$0.rawValue].map { !$0.isNull } ?? false }
            guard let clash else { return }
            throw QueryError(.request, "a request has a format or a Mongo filter", path: clash.rawValue)
        }
        guard let format = object["format"], !format.isNull else {
            throw QueryError(
                .request,
                "a request needs a format",
                path: "format",
                hint: "TRUEPREDICATE matches all rows"
            )
        }
    }

    private mutating func read(_ key: Key, _ field: RequestField) throws(QueryError) {
        switch key {
        case .id: break
        case .format: format = try field.text()
        case .mongo: mongo = try field.json()
        case .assume: assumes = try field.flag()
        case .arguments: arguments = try field.list().map(\.value)
        case .variables: variables = try field.values()
        case .schema: schema = try Schema(jsonSchema: field.value, path: field.path)
        case .order:
            order = try field.texts { (text) throws(QueryError) in try SortKey(written: text) }
        case .skip: skip = try field.count()
        case .limit: limit = try field.count()
        case .fields:
            fields = try field.texts { (text) throws(QueryError) in
                guard GroupKey.definitionSign(in: text) == nil else {
                    let whole = 0..<text.utf8.count
                    let hint = "compute it from the results; pql run --fields takes computed fields"
                    throw QueryError(
                        .pipeline,
                        "a field must be a plain path here",
                        range: whole,
                        source: text,
                        hint: hint
                    )
                }
                return try FieldPath(written: text)
            }
        case .group: group = try Group(field)
        case .nil: nilMeaning = try field.choice(NilMeaning.self)
        case .guarded: isGuarded = try field.flag()
        case .profile: profile = try field.choice(MongoService.self).profile
        case .table: table = try field.name()
        case .storage: storage = try field.choice(RowForm.self)
        case .primaryKey: primaryKey = try field.name()
        case .now: now = try field.instant()
        case .documents: documents = try field.objects()
        case .policy: policy = try QueryPolicy(field)
        case .functions: functions = try field.choice(FunctionUse.self)
        case .outputs:
            outputs = []
            for element in try field.list() { outputs.append(try element.choice(Output.self)) }
        }
    }
}

extension QueryValue {
    /// The texts of the ObjectIds in a value that was read without the meaning of `$` keys.
    ///
    ///     try QueryValue(json: #"[{"$oid":"507f1f77bcf86cd799439011"}]"#).objectIDTexts.count  // → 1
    package var objectIDTexts: Set<String> {
        switch self {
        case .object(let object):
            if let digits = object["$oid"].flatMap(FieldType.objectID.convert), case .string(let text) = digits {
                return [text]
            }
            return object.values.reduce(into: []) { $0.formUnion($1.objectIDTexts) }
        case .list(let elements): return elements.reduce(into: []) { $0.formUnion($1.objectIDTexts) }
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return []
        }
    }

    /// True if a text in the value could have been given as an ObjectId.
    var mayHoldObjectID: Bool {
        switch self {
        case .string: FieldType.objectID.convert(self) != nil
        case .list(let elements): elements.contains(where: \.mayHoldObjectID)
        case .object(let object): object.values.contains(where: \.mayHoldObjectID)
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: false
        }
    }
}

extension BatchRequest.Group {
    private enum Key: String, CaseIterable {
        case by, compute, having
    }

    /// Reads `{"by":[…],"compute":[…],"having":"…"}`.
    init(_ field: RequestField) throws(QueryError) {
        for (name, value) in try field.object().pairs {
            let path = field.path + "." + name
            guard let key = Key(rawValue: name) else {
                throw RequestField.unknown(name, at: path, known: Key.allCases.map(\.rawValue))
            }
            if value.isNull { continue }
            let field = RequestField(value, at: path)
            switch key {
            case .by: keys = try field.texts { (text) throws(QueryError) in try GroupKey(written: text) }
            case .compute: reducers = try field.texts { (text) throws(QueryError) in try Reducer(written: text) }
            case .having: having = try field.text()
            }
        }
    }
}
