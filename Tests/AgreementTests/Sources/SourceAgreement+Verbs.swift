import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryMeaning
import QueryValues

// Each form of the rows, with every verb that it supports.

extension SourceAgreement {
    static let idKey = "__id"

    func checkDocuments(_ name: String, _ documents: [Document]) async {
        let (query, now) = (query, now)
        let labelled = documents.enumerated().map { id, document in
            var copy = document
            copy[Self.idKey] = .int(Int64(id))
            return copy
        }
        var whole = query
        whole.fields = nil
        let id = { (row: Document) -> Int in if case .int(let id)? = row[Self.idKey] { Int(id) } else { -1 } }
        expect(name, "matchingIndices", reading.matching) { () throws(QueryError) in
            try query.matchingIndices(in: documents, now: now)
        }
        expect(name, "matches", reading.matching) { () throws(QueryError) in
            let matcher = try Matcher(query, now: now)
            return try oneByOne(documents) { (row) throws(QueryError) in try matcher.matches(row) }
        }
        expect(name, "results", reading.results) { () throws(QueryError) in
            try whole.results(in: labelled, now: now).map(id)
        }
        expect(name, "first", reading.first) { () throws(QueryError) in
            try whole.first(in: labelled, now: now).map { [id($0)] } ?? []
        }
        expectCount(name, "count") { () throws(QueryError) in try query.count(in: documents, now: now) }
        for piece in [3, 64] where documents.count > piece {
            expect(name, "results in pieces of \(piece)", reading.results) { () throws(QueryError) in
                try whole.results(in: labelled, now: now, concurrently: true, each: piece).map(id)
            }
            expectCount(name, "count in pieces of \(piece)") { () throws(QueryError) in
                try query.count(in: documents, now: now, concurrently: true, each: piece)
            }
        }
        expect(name, "cursor", reading.results) { () throws(QueryError) in
            try all(try whole.cursor(over: labelled, now: now)).map(id)
        }
        if canBeLazy {
            expect(name, "lazy", reading.results) { () throws(QueryError) in
                try whole.lazyResults(in: labelled, now: now).map(id)
            }
        }
        await expectAwaited(name, id, labelled) { (rows) throws(QueryError) in try whole.results(in: rows, now: now) }
    }

    func checkEncodable(_ name: String, _ documents: [Document]) async {
        var query = query
        query.fields = nil
        let (whole, now) = (query, now)
        let rows = documents.enumerated().map { EncodedRow(id: $0, document: $1) }
        expect(name, "matches", reading.matching) { () throws(QueryError) in
            let matcher = try Matcher(whole, now: now)
            return try oneByOne(rows) { (row) throws(QueryError) in try matcher.matches(row) }
        }
        expect(name, "results", reading.results) { () throws(QueryError) in
            try whole.results(in: rows, now: now).map(\.id)
        }
        expect(name, "first", reading.first) { () throws(QueryError) in
            try whole.first(in: rows, now: now).map { [$0.id] } ?? []
        }
        expectCount(name, "count") { () throws(QueryError) in try whole.count(in: rows, now: now) }
        for piece in [2, 50] where rows.count > piece {
            expect(name, "results in pieces of \(piece)", reading.results) { () throws(QueryError) in
                try whole.results(in: rows, now: now, concurrently: true, each: piece).map(\.id)
            }
        }
        expect(name, "cursor", reading.results) { () throws(QueryError) in
            try all(try whole.cursor(over: rows, now: now)).map(\.id)
        }
        await expectAwaited(name, \.id, rows) { (rows) throws(QueryError) in try whole.results(in: rows, now: now) }
    }

    func checkQueryable<Row: Queryable & Sendable>(
        _ name: String,
        _ rows: [Row],
        _ id: @escaping (Row) -> Int
    ) async {
        var query = query
        query.fields = nil
        let plan: QueryPlan<Row>
        do throws(QueryError) {
            plan = try QueryPlan<Row>(query, now: now)
        } catch {
            return compare(name, "plan", reading.results, Answer(error))
        }
        expect(name, "matchingIndices", reading.matching) { () throws(QueryError) in
            try plan.matchingIndices(in: rows)
        }
        expect(name, "matches", reading.matching) { () throws(QueryError) in
            try oneByOne(rows) { (row) throws(QueryError) in try plan.matches(row) }
        }
        expect(name, "results", reading.results) { () throws(QueryError) in try plan.results(in: rows).map(id) }
        expect(name, "first", reading.first) { () throws(QueryError) in try plan.first(in: rows).map { [id($0)] } ?? []
        }
        expectCount(name, "count") { () throws(QueryError) in try plan.count(in: rows) }
        for piece in [64, 192] where rows.count > piece {
            expect(name, "results in pieces of \(piece)", reading.results) { () throws(QueryError) in
                try plan.withSource(rows) { (source) throws(QueryError) in
                    try plan.core.resultIndices(in: source, concurrently: true, piece: piece)
                }
            }
        }
        let (whole, now) = (query, now)
        expect(name, "cursor", reading.results) { () throws(QueryError) in
            try all(try whole.cursor(over: rows, now: now)).map(id)
        }
        if canBeLazy {
            expect(name, "lazy", reading.results) { () throws(QueryError) in
                try whole.lazyResults(in: rows, now: now).map(id)
            }
        }
        await expectAwaited(name, id, rows) { (rows) throws(QueryError) in try whole.results(in: rows, now: now) }
    }

    /// Documents as read from JSON text, and the text itself, whole and in small chunks.
    func checkJSON(_ documents: [Document]) {
        let texts = documents.enumerated().map { id, document in
            var copy = document
            copy[Self.idKey] = .int(Int64(id))
            return QueryValue.object(copy).extendedJSON(.canonical)
        }
        var read: [Document] = []
        for (text, document) in zip(texts, documents) {
            guard case .object(var object)? = try? QueryValue(json: text, extended: true) else {
                return skip("JSON", "a row whose text is not read back")
            }
            object[Self.idKey] = nil
            read.append(object)
            if QueryValue.object(object).extendedJSON(.canonical)
                != QueryValue.object(document).extendedJSON(.canonical)
            {
                return skip("JSON", "a row that is another one as text")
            }
        }
        var query = query
        query.fields = nil
        let (whole, now) = (query, now)
        expect("documents of JSON", "matchingIndices", reading.matching) { () throws(QueryError) in
            try whole.matchingIndices(in: read, now: now)
        }
        let id = { (row: Document) -> Int in if case .int(let id)? = row[Self.idKey] { Int(id) } else { -1 } }
        for (name, text) in [
            ("NDJSON", texts.joined(separator: "\n")), ("JSON list", "[" + texts.joined(separator: ",\n") + "]"),
        ] {
            // Every piece has its own thread, so there are few of them.
            for piece in documents.count > 12 ? [2_000] : [16, 700] {
                let rows = JSONRows(text, extended: true)
                expect(name, "results in pieces of \(piece)", reading.results) { () throws(QueryError) in
                    try whole.results(in: rows, now: now, concurrently: true, piece: piece).map(id)
                }
                expectCount(name, "count in pieces of \(piece)") { () throws(QueryError) in
                    try whole.count(in: rows, now: now, concurrently: true, piece: piece)
                }
            }
            for chunk in [1 << 18, 64] {
                let rows = JSONRows(extended: true) { () throws(QueryError) in
                    Self.stream(Array(text.utf8), chunk: chunk)
                }
                expect(name, "results in chunks of \(chunk)", reading.results) { () throws(QueryError) in
                    try whole.results(in: rows, now: now).map(id)
                }
                expectCount(name, "count in chunks of \(chunk)") { () throws(QueryError) in
                    try whole.count(in: rows, now: now)
                }
            }
        }
    }

    private static func stream(_ bytes: [UInt8], chunk: Int) -> ByteStream {
        var rest = bytes[...]
        return ByteStream(chunk: chunk) { (buffer) throws(QueryError) -> Int in
            let next = rest.prefix(buffer.count)
            buffer.copyBytes(from: next)
            rest = rest.dropFirst(next.count)
            return next.count
        }
    }
}
