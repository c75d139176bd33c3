import PredicateQL
import StoreModel

/// The app's form of a collection's entities and the service's, with the steps between them.
///
/// Inside the client everything has the app's form: answers are brought to it as they come in, entities and queries to
/// the service's as they go out.
struct EntityForms: Sendable {
    private let collection: String
    private let steps: [Migration]
    /// The service's names of fields that the app calls otherwise; nil for names that the app's form does not have.
    private var names: [UTF8Key: String?] = [:]
    /// The app's names of fields whose values the service has in another form.
    private var converted: Set<UTF8Key> = []
    /// The first step that is not declared by `rename` or `convert`.
    private var opaque: Migration?

    /// The forms of a collection; nil if they are one.
    ///
    /// - Parameters:
    ///   - steps: those after the service's version, in their order.
    ///   - collection: the collection.
    init?(_ steps: [Migration], of collection: String) {
        self.collection = collection
        var concerned: [Migration] = []
        var origins: Set<UTF8Key> = []
        for step in steps {
            let (changes, isOpaque) = step.declared(collection)
            guard isOpaque || !changes.isEmpty || step.back != nil else { continue }
            concerned.append(step)
            if isOpaque { opaque = opaque ?? step }
            for change in changes {
                switch change {
                case .rename(let name, let other):
                    let origin = names[UTF8Key(name)] ?? name
                    names[UTF8Key(name)] = .some(nil)
                    if let origin { names[UTF8Key(other)] = .some(origin) }
                case .convert(let name, _):
                    if let origin = names[UTF8Key(name)] ?? name { origins.insert(UTF8Key(origin)) }
                }
            }
        }
        if concerned.isEmpty { return nil }
        self.steps = concerned
        for (name, origin) in names {
            if let origin, origins.remove(UTF8Key(origin)) != nil { converted.insert(name) }
        }
        // Those that have one name on both sides.
        converted.formUnion(origins)
    }

    // MARK: Entities

    /// An entity of the service in the app's form.
    func incoming(_ value: QueryValue) -> QueryValue {
        guard case .object(var entity) = value else { return value }
        for step in steps { step.run(collection, &entity) }
        return .object(entity)
    }

    /// What an app writes in the service's form: an entity, or several.
    ///
    /// - Throws: `StoreError.badEntity` for a field whose name is another one's on the service.
    func outgoing(_ value: QueryValue) throws(StoreError) -> QueryValue {
        switch value {
        case .list(let entities):
            var sent: [QueryValue] = []
            for entity in entities { sent.append(try outgoing(entity)) }
            return .list(sent)
        case .object(var entity):
            for step in steps.reversed() { try step.undo(collection, &entity) }
            return .object(entity)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return value
        }
    }

    /// An answer with its entities in the app's form.
    func incoming(_ response: WireResponse, _ shape: AnswerShape) -> WireResponse {
        var response = response
        if shape == .entities, (200...299).contains(response.status) {
            response.body = incoming(list: response.body) ?? response.body
            return response
        }
        guard var body = try? QueryValue(json: response.body) else { return response }
        switch shape {
        case _ where !(200...299).contains(response.status): change("entity", of: &body) { incoming($0) }
        case .entity: body = incoming(body)
        case .additions: change("entities", of: &body) { incoming(each: $0) }
        case .changes: for key in ["changed", "left"] { change(key, of: &body) { incoming(each: $0) } }
        case .entities, .groups, .count, .user, .greeting, .nothing: return response
        }
        response.body = []
        JSONWriter().write(body, to: &response.body)
        return response
    }

    private func change(_ key: String, of value: inout QueryValue, _ change: (QueryValue) -> QueryValue) {
        guard case .object(var document) = value, let part = document[key] else { return }
        document[key] = change(part)
        value = .object(document)
    }

    private func incoming(each value: QueryValue) -> QueryValue {
        guard case .list(let entities) = value else { return value }
        return .list(entities.map { incoming($0) })
    }

    /// The entities of a page one by one, since all of them as values take ten times the room.
    private func incoming(list json: [UInt8]) -> [UInt8]? {
        var elements = JSONArrayReader(ByteStream(bytes: json))
        var reader = JSONReader()
        var list: [UInt8] = [UInt8(ascii: "[")]
        list.reserveCapacity(json.count)
        do throws(QueryError) {
            while let entity = try elements.next({ (text, _) throws(QueryError) in try reader.read(text) }) {
                if list.count > 1 { list.append(UInt8(ascii: ",")) }
                JSONWriter().write(incoming(entity), to: &list)
            }
        } catch {
            return nil
        }
        list.append(UInt8(ascii: "]"))
        return list
    }

    // MARK: Queries

    /// A query as the service reads it: the app's names, with the service's as those that are stored.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - terms: what is computed with it.
    /// - Returns: the query.
    /// - Throws: `QueryError` of code `unsupported` for a field that the service has in another form.
    func outgoing(_ query: Query, _ terms: [Term] = []) throws(QueryError) -> Query {
        var query = query
        let schema = query.schema ?? .any
        for node in query.condition.nodes { try check(node, schema) }
        for term in terms { for node in term.nodes { try check(node, schema) } }
        for path in query.sortedFields + (query.fields ?? []) { try check(path, .none, schema) }
        var fields = schema.fields.compactMap { field -> Schema.Field? in
            let name = UTF8Key(field.storedName)
            guard !converted.contains(name) else { return nil }
            guard let origin = names[name] else { return field }
            var field = field
            guard let origin else { return nil }
            field.storedName = origin
            return field
        }
        if schema.allowsOthers {
            let others = names.compactMap { name, origin -> Schema.Field? in
                guard let origin, !converted.contains(name), schema.field(storedAs: name.text) == nil else {
                    return nil
                }
                return .field(name.text, .any, storedAs: origin)
            }
            fields += others.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
        query.schema = Schema(fields, allowsOthers: schema.allowsOthers, primaryKey: schema.primaryKey)
        return query
    }

    /// Groups as the service reads them.
    func outgoing(_ grouping: Grouping) throws(QueryError) -> Grouping {
        var grouping = grouping
        // Its order names the groups' own fields.
        var rows = grouping.query
        rows.order = []
        let asked = try outgoing(rows, grouping.readValues.map(\.term))
        grouping.query.schema = asked.schema
        return grouping
    }

    private func check(_ node: TreeNode, _ schema: Schema) throws(QueryError) {
        if case .term(.field(let path, let origin)) = node { try check(path, origin, schema) }
    }

    private func check(_ path: FieldPath, _ origin: Origin, _ schema: Schema) throws(QueryError) {
        let name = path.keys.first ?? ""
        if ["_id", "_acl", "_kmd"].contains(name) { return }
        let stored = UTF8Key(schema.field(named: name)?.storedName ?? name)
        if let opaque {
            throw QueryError(
                .unsupported,
                "the step to version \(opaque.version) may have changed \(path.dotted), which the service has in its old form",
                at: origin,
                hint: "declare the change by rename or convert, or query what was pulled: readPolicy .local"
            )
        }
        if path.keys.isEmpty || converted.contains(stored) {
            throw QueryError(
                .unsupported,
                "the service has \(path.keys.isEmpty ? "the entity" : path.dotted) in the form before a step",
                at: origin,
                hint: "query what was pulled: readPolicy .local"
            )
        }
        if case .some(nil) = names[stored] {
            let now = names.first { $0.value?.hasSameUTF8(as: name) ?? false }?.key.text
            throw QueryError(
                .unknownField,
                "a step gave \(path.dotted) another name",
                at: origin,
                hint: now.map { "write \($0)" }
            )
        }
    }
}

extension StoreClient {
    /// The forms of a collection's entities; nil if the app's and the service's are one.
    func forms(of collection: String) -> EntityForms? {
        serviceSteps.isEmpty ? nil : EntityForms(serviceSteps, of: collection)
    }

    /// A query as the service reads it.
    func serviceForm(_ query: Query, of collection: String) throws(StoreError) -> Query {
        guard let forms = forms(of: collection) else { return query }
        return try cached { () throws(QueryError) in try forms.outgoing(query) }
    }

    /// Groups as the service reads them.
    func serviceForm(_ grouping: Grouping, of collection: String) throws(StoreError) -> Grouping {
        guard let forms = forms(of: collection) else { return grouping }
        return try cached { () throws(QueryError) in try forms.outgoing(grouping) }
    }
}
