import QueryTree
import QueryValues

extension MongoJudge {
    /// The documents that a pipeline returns.
    ///
    /// - Parameters:
    ///   - stages: the stages.
    ///   - documents: the collection.
    /// - Returns: the result.
    /// - Throws: `Refused` for what a server would reject.
    public static func run(_ stages: [Document], on documents: [Document]) throws -> [Document] {
        try stages.reduce(documents) { try run($1, $0) }
    }

    /// The documents that a query returns.
    ///
    /// - Parameters:
    ///   - filter: the filter.
    ///   - sort: the sort document.
    ///   - skip: the number of documents to skip.
    ///   - limit: the maximum number of documents.
    ///   - documents: the collection.
    /// - Returns: the result, whole documents.
    /// - Throws: `Refused` for what a server would reject.
    public static func find(
        _ filter: Document,
        sort: Document? = nil,
        skip: Int? = nil,
        limit: Int? = nil,
        in documents: [Document]
    ) throws -> [Document] {
        var found = try documents.filter { try matches($0, filter) }
        if let sort { found = try sorted(found, sort) }
        found = Array(found.dropFirst(skip ?? 0))
        return limit.map { Array(found.prefix($0)) } ?? found
    }

    private static func run(_ stage: Document, _ rows: [Document]) throws -> [Document] {
        guard stage.count == 1, let name = stage.keys.first else { throw Refused(description: "one operator a stage") }
        switch (name, stage.values[0]) {
        case ("$match", .object(let filter)): return try rows.filter { try matches($0, filter) }
        case ("$sort", .object(let sort)): return try sorted(rows, sort)
        case ("$skip", .int(let count)) where count >= 0: return Array(rows.dropFirst(Int(count)))
        case ("$limit", .int(let count)) where count > 0: return Array(rows.prefix(Int(count)))
        case ("$addFields", .object(let added)):
            return try rows.map { row in
                var row = row
                for (key, part) in added.pairs { row[key] = try MongoExpression(root: .object(row)).value(part) }
                return row
            }
        case ("$project", .object(let shape)): return try rows.map { try project($0, shape) }
        case ("$group", .object(let group)): return try grouped(rows, group)
        case ("$facet", .object(let branches)):
            var result = Document()
            for (branch, inner) in branches.pairs {
                let stages: [Document] = (inner.elements ?? []).compactMap {
                    if case .object(let stage) = $0 { stage } else { nil }
                }
                result[branch] = .list(try run(stages, on: rows).map(QueryValue.object))
            }
            return [result]
        default: throw Refused(description: "the judge does not know stage \(name)")
        }
    }

    private static func project(_ row: Document, _ shape: Document) throws -> Document {
        let expression = MongoExpression(root: .object(row))
        var result = Document()
        if shape["_id"] == nil, let identity = row["_id"] { result["_id"] = identity }
        let kept = shape.pairs.filter { $0.1 == .int(1) }.map { $0.0.split(separator: ".").map(String.init) }
        for (key, value) in included(kept, of: row).pairs { result[key] = value }
        for (key, part) in shape.pairs where part != .int(0) && part != .int(1) {
            result[key] = try expression.value(part)
        }
        return result
    }

    /// The named fields in the document's order; objects on the way stay, without what is not named.
    private static func included(_ paths: [[String]], of row: Document) -> Document {
        var result = Document()
        for (key, value) in row.pairs {
            let rests = paths.filter { $0.first == key }.map { Array($0.dropFirst()) }
            if rests.contains(where: \.isEmpty) {
                result[key] = value
            } else if !rests.isEmpty, case .object(let inner) = value {
                result[key] = .object(included(rests, of: inner))
            } else if !rests.isEmpty, case .list(let elements) = value {
                result[key] = .list(
                    elements.compactMap { element in
                        if case .object(let inner) = element { .object(included(rests, of: inner)) } else { nil }
                    }
                )
            }
        }
        return result
    }

    private static func grouped(_ rows: [Document], _ group: Document) throws -> [Document] {
        var keys: [QueryValue] = []
        var members: [[Document]] = []
        for row in rows {
            let key = try MongoExpression(root: .object(row)).value(group["_id"] ?? .null) ?? .null
            if let at = keys.firstIndex(where: { MongoOrder.isEqual($0, key) }) {
                members[at].append(row)
            } else {
                keys.append(key)
                members.append([row])
            }
        }
        return try zip(keys, members).map { key, rows in
            var result: Document = ["_id": key]
            for (name, accumulator) in group.pairs where name != "_id" {
                guard case .object(let call) = accumulator, let operation = call.keys.first else {
                    throw Refused(description: "the field '\(name)' must be an accumulator object")
                }
                let values = try rows.map { try MongoExpression(root: .object($0)).value(call.values[0]) }
                result[name] = MongoReduction.reduce(operation, values)
            }
            return result
        }
    }

    private static func sorted(_ rows: [Document], _ sort: Document) throws -> [Document] {
        let keyed = rows.enumerated().map { row in
            (row.offset, row.element, sort.keys.map { key in sortKey(row.element, key, sort[key] == .int(1)) })
        }
        return keyed.sorted { a, b in
            for (at, direction) in sort.values.enumerated() {
                let order = MongoOrder.compare(a.2[at], b.2[at])
                if order != 0 { return (order < 0) == (direction == .int(1)) }
            }
            return a.0 < b.0
        }.map(\.1)
    }

    /// A missing value sorts as null; a list by its least or greatest element.
    private static func sortKey(_ row: Document, _ path: String, _ isAscending: Bool) -> QueryValue {
        var value: QueryValue? = .object(row)
        for key in path.split(separator: ".") {
            if case .object(let object)? = value { value = object[String(key)] } else { value = nil }
        }
        if case .list(let elements)? = value {
            let sorted = elements.sorted { MongoOrder.compare($0, $1) < 0 }
            return (isAscending ? sorted.first : sorted.last) ?? .null
        }
        return value ?? .null
    }
}
