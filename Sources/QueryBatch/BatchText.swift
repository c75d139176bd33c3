import PredicateQL
import QueryParsing
import QueryTree
import QueryValues

extension BatchAnswer {
    /// Adds what can be said of a format that may not be valid: its tokens and its problems.
    mutating func addText(of request: BatchRequest, _ schema: Schema?, _ limits: Limits, _ names: RowNames?) {
        guard request.mongo == nil else { return }
        if request.outputs.contains(.tokens) {
            add("tokens") { () throws(QueryError) in
                .list(
                    try tokens(of: request.format, keepingInvalid: true).map { token in
                        [.string(token.kind), .int(Int64(token.range.lowerBound)), .int(Int64(token.range.upperBound))]
                    }
                )
            }
        }
        if request.outputs.contains(.problems) {
            add("problems") { () throws(QueryError) in .list(request.problems(schema, limits, names)) }
        }
    }
}

extension BatchRequest {
    /// Every mistake of the format, and what is valid but probably not meant, each with its level and its fix.
    fileprivate func problems(_ schema: Schema?, _ limits: Limits, _ names: RowNames?) -> [QueryValue] {
        let errors = Query.problems(inFormat: format, arguments: arguments, schema: schema, limits: limits)
        if !errors.isEmpty { return errors.map { $0.problem("error") } }
        let query = try? Query(parsing: format, arguments: arguments, schema: schema, limits: limits)
        guard let query else { return [] }
        let unknown = schema == nil ? names.map { $0.unknown(in: query) + $0.unknown(in: paths) } ?? [] : []
        let seen = names?.sample ?? documents ?? []
        let translated: [Output] = [.sqlite, .postgresql, .duckdb]
        let whole = seen.isEmpty && outputs.contains(where: translated.contains) ? query.condition.wholeRowWarnings : []
        let told = query.warnings(seeing: seen).filter { told in !unknown.contains { $0.range == told.range } }
        return (told + whole + unknown).map { $0.problem("warning") }
    }

    /// The paths outside the format, by their places in the request.
    private var paths: [(path: FieldPath, place: String)] {
        func placed(_ paths: [[FieldPath]], _ name: String) -> [(path: FieldPath, place: String)] {
            paths.enumerated().flatMap { position, paths in paths.map { ($0, "\(name)[\(position)]") } }
        }
        guard let group else {
            return placed(order.map { [$0.path] }, "order") + placed((fields ?? []).map { [$0] }, "fields")
        }
        return placed(group.keys.map(\.readPaths), "group.by")
            + placed(group.reducers.map { $0.value?.readPaths ?? [] }, "group.compute")
    }
}

/// The paths that rows have, to warn of others: a name that no row has is usually a typo.
package struct RowNames: Sendable {
    private let paths: Set<[UInt8]>
    private let names: [String]
    private let rows: String
    /// Some of the rows, which show the kinds of values.
    let sample: [Document]

    /// The names of some rows.
    ///
    /// - Parameters:
    ///   - names: the paths as they are written in a query.
    ///   - rows: which rows have been looked at, for people: `no row`.
    ///   - sample: some of them.
    package init(_ names: [String], rows: String, sample: [Document]) {
        (self.names, self.rows, self.sample) = (names, rows, sample)
        paths = Set(names.map { Array($0.utf8) })
    }

    /// A warning for each path that no row has.
    func unknown(in query: Query) -> [QueryError] {
        // `name == Ann`: a word beside a field may be a text without its quotes.
        let words = query.condition.nodes.compactMap { node -> Range<Int>? in
            guard case .condition(.comparison(let comparison)) = node, case .field = comparison.left,
                case .field(let path, let origin) = comparison.right, path.keys.count == 1
            else { return nil }
            return origin.range
        }
        return query.condition.nodes.compactMap { node in
            guard case .term(.field(let path, let origin)) = node else { return nil }
            guard var told = warning(of: path, origin, path.habit(seeing: sample)) else { return nil }
            if let range = origin.range, words.contains(range), path.numberHint == nil {
                // Either may be meant.
                let text = "write '\(path.dotted)' for a text"
                (told.hint, told.fix) = (told.hint.map { $0 + "; " + text } ?? text, nil)
            }
            return told
        }
    }

    /// The same for paths outside the format.
    func unknown(in places: [(path: FieldPath, place: String)]) -> [QueryError] {
        places.compactMap { path, place in warning(of: path, .none, nil)?.at(path: place) }
    }

    private func warning(
        of path: FieldPath,
        _ origin: Origin,
        _ habit: (text: String, isSure: Bool)?
    ) -> QueryError? {
        let name = path.format
        guard !path.keys.isEmpty, !paths.contains(Array(name.utf8)) else { return nil }
        let near = habit?.text ?? Suggestion.nearest(to: name, among: names)
        var fix: QueryError.Fix?
        if let near, let range = origin.range, habit?.isSure ?? true {
            fix = QueryError.Fix(range: range, replacement: near)
        }
        return QueryError(
            .unlikely,
            "\(rows) has a field \(name)",
            at: origin,
            hint: near.map { "did you mean \($0)?" } ?? path.classHint,
            fix: fix
        )
    }
}

extension QueryError {
    /// The error's answer with its level.
    fileprivate func problem(_ level: String) -> QueryValue {
        guard case .object(var object) = answer else { return answer }
        object["level"] = .string(level)
        return .object(object)
    }
}

extension TreeOutline {
    /// `label`, `kind` of a term if it is known, and `children`.
    var answer: QueryValue {
        .object([
            "label": .string(label), "kind": kind.map { .string($0 == .any ? "" : $0.name) } ?? .null,
            "children": .list(children.map(\.answer)),
        ])
    }
}

extension RESTRequest {
    /// `method`, `path` after the collection, `query` of the URL, `body` and `assumptions`.
    var answer: QueryValue {
        .object([
            "method": .string(method.rawValue), "path": .string(path), "query": .string(query),
            "body": bodyText.map(QueryValue.string) ?? .null, "warnings": .list(warnings.map(QueryValue.string)),
            "assumptions": assumptions.answer,
        ])
    }
}
