import QueryMeaning
import QueryTree
import QueryValues

extension RelationUse {
    /// The indexes that serve it.
    ///
    /// On the tested column, then the foreign key, for `key IN (SELECT foreign key FROM other WHERE …)`; without a test
    /// on the foreign key, then the columns that are read.
    ///
    /// - Parameters:
    ///   - table: this table.
    ///   - dialect: quotes names.
    ///   - tested: what an index on the tested column holds; nil if none serves it.
    /// - Returns: the tables with their indexes.
    /// - Throws: `QueryError` of code `unsupported` for a name that cannot be quoted.
    func indexes(
        of table: String,
        _ dialect: SQLDialect,
        tested: IndexPart?
    ) throws(QueryError) -> [(table: String, parts: [IndexPart])] {
        let foreignKey = try IndexPart(column: relation.foreignKey, dialect)
        guard test != nil else {
            var parts = [foreignKey]
            for name in columns { parts.append(try IndexPart(column: name, dialect)) }
            return [(relation.table, parts)]
        }
        guard let tested else { return [] }
        guard isToOne else { return [(relation.table, [tested, foreignKey])] }
        var found = [(table: relation.table, parts: [tested])]
        for (table, relation) in zip([table] + way.map(\.table), way + [relation]).reversed() {
            found.append((table, [try IndexPart(column: relation.foreignKey, dialect)]))
        }
        return found
    }
}

extension [(table: String, parts: [IndexPart])] {
    /// Without those whose columns another one begins with, and those given twice.
    var withoutPrefixes: Self {
        var prefixes: Set<[String]> = []
        for (table, parts) in self {
            var columns = [table]
            for part in parts.dropLast() {
                columns.append(part.text)
                prefixes.insert(columns)
            }
        }
        return filter { table, parts in prefixes.insert([table] + parts.map(\.text)).inserted }
    }
}
