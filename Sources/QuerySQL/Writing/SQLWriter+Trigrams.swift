import QueryTree
import QueryValues

// Full-text tables that narrow CONTAINS (S12).

extension SQLWriter {
    /// The trigram table with a field's texts; nil if there is none.
    func trigrams(
        _ alias: String,
        _ storage: SQLStorage,
        _ field: ResolvedPath.Step,
        _ origin: Origin
    ) throws(QueryError) -> TrigramTable? {
        guard !storage.trigramTables.isEmpty, let table = storage.trigramTables[field.storedName] else { return nil }
        guard dialect.hasTrigramTables else {
            throw unsupported("the store has no full-text tables of trigrams", at: origin)
        }
        return TrigramTable(
            table: try dialect.quoted(table, at: origin),
            rowNumber: .column(of: alias, "rowid")
        )
    }

    /// The rows whose text has the needle's trigrams, which may include false matches; nil without a table.
    func narrowed(_ trigrams: TrigramTable?, _ needle: String?) -> SQLText? {
        guard let trigrams, let needle, needle.unicodeScalars.count >= 3, !needle.utf8.contains(0) else { return nil }
        var phrase = "\""
        for scalar in needle.unicodeScalars {
            phrase.unicodeScalars.append(scalar)
            if scalar == "\"" { phrase.unicodeScalars.append(scalar) }
        }
        let table = SQLText.word(trigrams.table)
        let found = SQLText.compare(table, "MATCH", .bind(.string(phrase + "\"")))
        return trigrams.rowNumber.isIn(SQLSelect([.word("\"rowid\"")], from: [table], where: found))
    }
}
