import QuerySyntax

extension Condition {
    func foldingForMongo(now: Int64) throws(QueryError) -> Condition {
        if case .not(.not(let inner)) = self { return try inner.foldingForMongo(now: now) }
        return try mapChildren { (part) throws(QueryError) -> Condition in
            try part.foldingForMongo(now: now)
        } _: { (node) throws(QueryError) -> Condition in
            var node = node
            node.left = try node.left.foldingForMongo(now: now)
            node.right = try node.right.foldingForMongo(now: now)
            return .comparison(node)
        }
    }
}

extension Term {
    fileprivate func foldingForMongo(now: Int64) throws(QueryError) -> Term {
        if case .call(.now, _, let origin) = self { return .value(.date(now), origin) }
        return try mapChildren { (child) throws(QueryError) -> Term in
            try child.foldingForMongo(now: now)
        } _: { (condition) throws(QueryError) -> Condition in
            try condition.foldingForMongo(now: now)
        }
    }
}
