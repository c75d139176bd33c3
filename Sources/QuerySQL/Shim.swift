import QuerySyntax

extension Condition { func foldingConstants(now: Int64) throws(QueryError) -> Condition { self } }
