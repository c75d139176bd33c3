import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Written filters are read back as the queries that were written.
///
/// `SCALE=250 swift test -c release --filter RoundTripTests` runs about a million; `SEED` is the first.
@Suite("Reading what was written")
struct RoundTripTests {
    /// The outcome of some queries.
    private struct Outcome {
        var equal = 0
        var refused = 0
        var faults: [String] = []
        var summary: String { "\(faults.count) of \(equal): \n" + faults.prefix(10).joined(separator: "\n\n") }
    }

    /// Writes, reads and compares.
    private static func check(
        _ query: Query,
        _ profile: MongoProfile,
        guarded: Bool,
        now: Int64 = 0,
        _ outcome: inout Outcome,
        _ name: String
    ) {
        guard let mongo = try? query.mongo(profile, guarded: guarded, now: now) else {
            outcome.refused += 1
            return
        }
        let assumed = mongo.assumptions.map { QueryValue.object($0.document).json }
        let text = "\(name): \(query.condition.format)\nfilter \(mongo.json) \(assumed)"
        do {
            let read = try Query(mongo: mongo, nilMeaning: query.nilMeaning, schema: query.schema)
            let canonical = Canonical(query.nilMeaning, assuming: mongo.assumptions, now: now, schema: query.schema)
            let (wanted, found) = (
                // Limit 0 means no results (S21).
                query.limit == 0 ? Condition.constant(false) : canonical(query.condition), canonical(read.condition)
            )
            if wanted == found, rest(of: read, isLike: query) {
                outcome.equal += 1
            } else {
                let wants = "\nwanted \(wanted.format)\nfound  \(found.format)"
                outcome.faults.append(text + "\nread \(read.condition.format)" + wants)
            }
        } catch {
            outcome.faults.append(text + "\nerror \(error.code) \(error.message) at \(error.path ?? "")")
        }
    }

    /// Order, skip, limit and fields: `_id` may have been added to the order, and limit 0 is written as limit 1 of an
    /// empty filter (S21, S22).
    private static func rest(of read: Query, isLike query: Query) -> Bool {
        var order: [SortKey] = []
        for key in query.order where !order.contains(where: { $0.path == key.path }) { order.append(key) }
        let names = Set((query.fields ?? []).map(\.dotted))
        let fields = (read.fields ?? []).map(\.dotted)
        return read.order.prefix(order.count).elementsEqual(order) && read.order.count <= order.count + 1
            && read.skip == query.skip && read.limit == query.limit.map { max(1, $0) }
            && (read.fields == nil) == (query.fields == nil) && fields.allSatisfy(names.contains)
    }

    private static let writings: [(MongoProfile, Bool)] = [
        (.mongoDB, false), (.mongoDB, true), (.findOnly, false), (.kinvey, false),
    ]

    @Test("generated conditions")
    func generated() throws {
        let count = UInt64(SeededGenerator.count(250))
        let first = SeededGenerator.seed(0)
        var equal = 0
        for (profile, guarded) in Self.writings {
            var outcome = Outcome()
            for seed in first..<first &+ count {
                var generator = Generator(seed: seed)
                let nilMeaning: NilMeaning = generator.pick([.nullOrAbsent, .nullOrAbsent, .absent, .null])
                let query = Query(generator.condition(), nilMeaning: nilMeaning)
                Self.check(query, profile, guarded: guarded, &outcome, "seed \(seed) \(nilMeaning)")
            }
            #expect(outcome.faults.count == 0, "guarded \(guarded) \(outcome.summary)")
            equal += outcome.equal
        }
        #expect(count < 100 || equal > count * 3)
        if count > 100_000 { print("\(equal) filters of seeds \(first) to \(first + count - 1) came back equal") }
    }

    @Test("canonical Extended JSON reads like relaxed")
    func canonicalJSON() throws {
        var compared = 0
        for seed in 0..<400 as Range<UInt64> {
            var generator = Generator(seed: seed)
            var query = Query(generator.condition())
            (query.order, query.skip, query.limit) = ([.descending("a")], 1, 2)
            guard let mongo = try? query.mongo(guarded: seed % 2 == 0, now: 0) else { continue }
            let (relaxed, canonical) = (try MongoQuery(json: mongo.json), try MongoQuery(json: mongo.canonicalJSON))
            let read = try MongoReading(of: relaxed, assuming: mongo.assumptions)
            #expect(try MongoReading(of: canonical, assuming: mongo.assumptions) == read, "\(mongo.canonicalJSON)")
            compared += 1
        }
        #expect(compared > 250)
    }

    @Test("every case of the spec files")
    func specCases() throws {
        var outcome = Outcome()
        for spec in try SpecFile.allCases() {
            guard let query = try? spec.makeQuery() else { continue }
            for (profile, guarded) in Self.writings {
                let name = "\(spec.place(of: "query"))"
                Self.check(query, profile, guarded: guarded, now: spec.now ?? 0, &outcome, name)
            }
        }
        #expect(outcome.faults.count == 0, "\(outcome.summary)")
        #expect(outcome.equal > 500)
    }
}
