import PredicateQL
import PredicateQLStore
import QueryValues
import SpecSupport
import StoreModel
import StoreSupport
import Testing

/// Any entity; what the type does not know of it stays.
struct AskedRow: Entity {
    static let collection = "Row"
    var _id: String?
    var _acl: AccessControl?
    var _kmd: Metadata?
}

/// The rows of a part of `everyday.spec` in a service, and stores that know them.
struct AskedWorld {
    /// What a side says to a query.
    enum Outcome: Hashable {
        case finds([String])
        case refuses
    }

    let blocks: [SpecCase]
    let harness: ServiceHarness
    let network: Network
    let client: StoreClient
    /// The rows as entities hold them: dates are texts.
    let documents: [Document]

    /// The everyday queries in groups of equal rows.
    static func parts() throws -> [[SpecCase]] {
        let blocks = try SpecFile.allCases().filter {
            $0.file == "everyday.spec" && $0["group"] == nil && $0["compute"] == nil
        }
        return Dictionary(grouping: blocks) { $0.rows.map(\.json) }.values.sorted {
            ($0.first?.line ?? 0) < ($1.first?.line ?? 0)
        }
    }

    /// Whether the service looks like one that is not ours, and whether it has all fields under other names, from which a
    /// step of the app leads to its own.
    init(_ blocks: [SpecCase], isForeign: Bool = false, isRenamed: Bool = false) async throws {
        self.blocks = blocks
        harness = try .open()
        let now = blocks.first?.now ?? harness.time.now
        harness.time.advance(now - harness.time.now)
        var documents: [Document] = []
        for row in blocks.first?.rows ?? [] {
            let date = /\{"\$date": ?("[^"]*")\}/
            let text = #"{"_id":"\#(row.label)","# + row.json.dropFirst().replacing(date) { $0.output.1 }
            guard case .object(let document) = try QueryValue(json: text) else { continue }
            documents.append(document)
            let sent = document.pairs.map { isRenamed && $0 != "_id" ? ("was " + $0, $1) : ($0, $1) }
            let stored = QueryValue.object(Document(pairs: sent)).json
            let response = await harness.send("PUT", "Row/\(row.label)", isRenamed ? stored : text)
            if response.status >= 300 { Issue.record("\(row.label): \(response.body)") }
        }
        let names = Set(documents.flatMap { $0.pairs.map(\.0) }).subtracting(["_id"]).sorted()
        let step = Migration(to: 1) { _, entity in for name in names { entity.rename("was " + name, to: name) } }
        self.documents = documents
        network = Network(harness, isForeign: isForeign)
        client = try harness.client(over: network, migrations: isRenamed ? [step] : [])
        _ = try await client.store(AskedRow.self, .sync).pull()
    }

    /// The query of a block over entities.
    func query(_ block: SpecCase, hasSchema: Bool) throws -> Query {
        var query = try block.makeQuery()
        query.schema = nil
        if hasSchema, let text = block["schema"] {
            let schema = text.replacing(#""date-time""#, with: #""date-time", "x-date-encoding": "iso8601""#)
            query.schema = try Schema(jsonSchema: schema)
        }
        query.fields = nil
        return query
    }

    /// What memory finds.
    func memory(_ query: Query) throws -> Outcome {
        try Self.outcome(query) { try query.results(in: documents, now: harness.time.now) }
    }

    /// What a store finds.
    func store(_ type: StoreType, _ query: Query) async throws -> Outcome {
        var found: [AskedRow] = []
        do throws(StoreError) {
            found = try await client.store(AskedRow.self, type).find(query)
        } catch {
            guard case .query = error else { throw error }
            return .refuses
        }
        return .finds(Self.sorted(found.compactMap(\._id), query))
    }

    private static func outcome(_ query: Query, _ find: () throws -> [Document]) throws -> Outcome {
        let ids = try find().compactMap { row -> String? in
            if case .string(let id)? = row["_id"] { id } else { nil }
        }
        return .finds(sorted(ids, query))
    }

    private static func sorted(_ ids: [String], _ query: Query) -> [String] { query.order.isEmpty ? ids.sorted() : ids }
}
