import QuerySyntax

extension FilterReader {
    /// `{"$expr": …}`.
    func expression(_ node: MongoNode) throws(QueryError) -> Condition {
        throw node.unsupported("no query means this expression")
    }
}
