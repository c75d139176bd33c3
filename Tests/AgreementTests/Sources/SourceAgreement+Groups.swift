import PredicateQL
import QueryEvaluation
import QueryTree
import QueryValues

extension SourceAgreement {
    /// Computes the groups of all sources; those of the documents are the reference.
    func check(_ grouping: Grouping, _ documents: [Document], now: Int64, at place: String) {
        self.place = place
        self.now = now
        query = grouping.query
        let expected = groups { () throws(QueryError) in try grouping.results(in: documents, now: now) }
        let ofValues = groups { () throws(QueryError) in
            var run = try GroupRun(grouping, now: now, ofValues: true)
            for document in documents { try run.add(document) }
            return try run.finish()
        }
        compareGroups("encodable", ofValues) { () throws(QueryError) in
            try grouping.results(in: documents.enumerated().map { EncodedRow(id: $0, document: $1) }, now: now)
        }
        let text = documents.map { QueryValue.object($0).extendedJSON(.canonical) }.joined(separator: "\n")
        compareGroups("NDJSON", expected) { () throws(QueryError) in
            try grouping.results(in: JSONRows(text, extended: true), now: now)
        }
        AskedRow.names = fieldNames(documents, besides: grouping.readPaths)
        var typed = grouping
        let schema = FieldList.schema(AskedRow.fields.entries, depth: FieldList.depth)
        if typed.query.schema == nil { typed.query.schema = schema }
        let underSchema = groups { () throws(QueryError) in try typed.results(in: documents, now: now) }
        let rows = documents.enumerated().map { AskedRow($0, $1) }
        compareGroups("class", underSchema) { () throws(QueryError) in try grouping.results(in: rows, now: now) }
        compareGroups("class, all cores", underSchema) { () throws(QueryError) in
            try grouping.results(in: rows, now: now, concurrently: true)
        }
        checkSlotGroups(grouping, documents)
    }

    private func checkSlotGroups(_ grouping: Grouping, _ documents: [Document]) {
        let now = now
        let names = fieldNames(documents, besides: grouping.readPaths)
        guard let rows = SlotRow.rows(documents, names: names) else {
            return skip("groups of structs in place", "more keys of one kind than the struct has properties")
        }
        var typed = grouping
        if typed.query.schema == nil {
            typed.query.schema = FieldList.schema(SlotRow.fields.entries, depth: FieldList.depth)
        }
        let held = rows.map { Document(queryable: $0) }
        let expected = groups { () throws(QueryError) in try typed.results(in: held, now: now) }
        compareGroups("structs in place", expected) { () throws(QueryError) in
            try grouping.results(in: rows, now: now)
        }
        compareGroups("structs in place, all cores", expected) { () throws(QueryError) in
            try grouping.results(in: rows, now: now, concurrently: true)
        }
    }

    private func groups(_ results: () throws(QueryError) -> [Document]) -> Answer {
        do throws(QueryError) {
            return .text(try results().map { QueryValue.object($0).extendedJSON(.canonical) }.joined(separator: "\n"))
        } catch {
            return Answer(error)
        }
    }

    private func compareGroups(
        _ source: String,
        _ expected: Answer,
        _ results: () throws(QueryError) -> [Document]
    ) {
        compare("groups of " + source, "results", expected, groups(results))
    }
}
