import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues

/// Runs one query over the same rows in every form that can hold them, with every verb of the form.
final class SourceAgreement {
    /// The differences from the reference, one line each.
    var failures: [String] = []
    /// How often a source agreed with the reference.
    var agreed: [String: Int] = [:]
    /// Why a source was skipped, and how often.
    var skipped: [String: Int] = [:]

    var place = ""
    var query = Query()
    var now: Int64 = 0
    var reading = Reading(Query(), [], now: 0)

    /// Queries all sources.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - documents: the rows.
    ///   - now: the instant of the run.
    ///   - place: the query's place, for messages.
    func check(_ query: Query, _ documents: [Document], now: Int64, at place: String) async {
        self.place = place
        self.now = now
        self.query = query
        reading = Reading(query, documents, now: now)
        await checkUntyped(documents)
        checkColumns(documents)
        await checkSlots(documents)
    }

    /// Every form of the rows that declares no more about them than the documents.
    private func checkUntyped(_ documents: [Document]) async {
        await checkDocuments("documents", documents)
        checkJSON(documents)
        let ofDocuments = reading
        reading = Reading(query, documents, now: now, ofValues: true)
        await checkEncodable("encodable", documents)
        reading = ofDocuments
        let names = fieldNames(documents)
        let (query, reading) = (query, reading)
        AskedRow.names = names
        if query.schema == nil {
            // Rows with a field table have a schema, which may reject constants.
            self.query.schema = FieldList.schema(AskedRow.fields.entries, depth: FieldList.depth)
            if !self.query.problems().isEmpty { self.reading = Reading(self.query, documents, now: now) }
        }
        await checkQueryable("class", documents.enumerated().map { AskedRow($0, $1) }, \.id)
        await checkQueryable("computed", documents.enumerated().map { ComputedRow(id: $0, document: $1) }, \.id)
        (self.query, self.reading) = (query, reading)
    }

    /// Structs with typed properties, and the same rows in the other forms under their schema.
    private func checkSlots(_ documents: [Document]) async {
        guard let rows = SlotRow.rows(documents, names: fieldNames(documents)) else {
            return skip("structs in place", "more keys of one kind than the struct has properties")
        }
        let held = rows.map { Document(queryable: $0) }
        if query.nilMeaning != .nullOrAbsent, zip(held, documents).contains(where: { $0.count != $1.count }) {
            return skip("structs in place", "an explicit null under the nil meaning \(query.nilMeaning)")
        }
        if query.schema == nil { query.schema = FieldList.schema(SlotRow.fields.entries, depth: FieldList.depth) }
        reading = Reading(query, held, now: now)
        await checkQueryable("structs in place", rows, \.id)
        await checkDocuments("documents of structs", held)
        checkJSON(held)
        await checkEncodable("encodable of structs", held)
    }

    /// The keys of the rows and those that the query names.
    func fieldNames(_ documents: [Document], besides paths: [FieldPath] = []) -> [String] {
        var names: [String] = []
        func add(_ name: String) {
            if !names.contains(where: { $0.hasSameUTF8(as: name) }) { names.append(name) }
        }
        for document in documents { document.keys.forEach(add) }
        if query.schema == nil {
            for path in ((try? RowEvaluator().compile(query.condition).paths) ?? []) { path.first.map(add) }
            for path in query.order.map(\.path) + paths { path.keys.first.map(add) }
        }
        return names
    }
}
