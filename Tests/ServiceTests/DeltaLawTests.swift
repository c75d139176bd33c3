import Foundation
import PredicateQL
import SpecSupport
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// The law of deltas: what a client knows, brought up to date by a delta, is what a full answer would tell.
///
/// `SCALE` sets the number of checks; each asks for what changed since a random tick of a random history.
@Suite struct DeltaLawTests {
    private static let ids = ["a", "b", "c", "d", "e", "f"]
    private static let queries: [(text: String, finds: @Sendable (Document) -> Bool)] = [
        ("{}", { _ in true }),
        (#"{"n":1}"#, { $0["n"] == 1 }),
        (#"{"n":{"$gte":2}}"#, { ["2", "3"].contains($0["n"]?.json ?? "") }),
        (#"{"tags":"x"}"#, { $0["tags"]?.json.contains("\"x\"") ?? false }),
        (#"{"n":{"$ne":1}}"#, { $0["n"] != 1 }),
    ]

    /// Every version of every entity, as the tests wrote them.
    private struct Oracle {
        var versions: [String: [(tick: Tick, document: Document?)]] = [:]

        func version(of id: String, at tick: Tick) -> Document? {
            versions[id]?.last { $0.tick <= tick }?.document ?? nil
        }

        /// The ids that a user's full answer at a tick has, written anew from the rules of rights.
        func answer(to query: (Document) -> Bool, for user: String, at tick: Tick) -> [String: Document] {
            var found: [String: Document] = [:]
            for id in DeltaLawTests.ids {
                guard let document = version(of: id, at: tick), query(document) else { continue }
                guard case .object(let access)? = document["_acl"] else { continue }
                let isShared = access["gr"] != false
                let isCreator = access["creator"] == .string(user)
                let isReader = access["r"]?.json.contains("\"\(user)\"") ?? false
                if isShared || isCreator || isReader { found[id] = document }
            }
            return found
        }
    }

    @Test func everyDeltaBringsAClientUpToDate() async throws {
        let checks = SeededGenerator.count(380)
        let harness = try ServiceHarness { $0.deltas = .all }
        let users = [await harness.signUp("ann"), await harness.signUp("bob")]
        var random = SplitMix(seed: 20_261_123)
        var oracle = Oracle()
        var ticks = [Tick.zero]
        var sizes = [0, 0, 0]
        for check in 0..<checks {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                harness.time.advance(Int64.random(in: -1...2, using: &random))
                if let tick = try await write(harness, users, &oracle, &random) {
                    #expect(tick > ticks[ticks.count - 1], "ticks grow")
                    ticks.append(tick)
                }
            }
            // Ticks are taken from the last few commits, and versions from those since.
            ticks = ticks.suffix(16)
            oracle.versions = oracle.versions.mapValues { $0.suffix(32) }
            let since = ticks[Int.random(in: max(0, ticks.count - 12)..<ticks.count, using: &random)]
            let query = Self.queries[Int.random(in: 0..<Self.queries.count, using: &random)]
            let user = users[Int.random(in: 0..<2, using: &random)]
            let now = ticks[ticks.count - 1]
            // The client knows each entity as some answer between the tick and now told it.
            var known: [String: Document] = [:]
            for id in Self.ids {
                let seen = ticks.filter { $0 >= since }.randomElement(using: &random) ?? now
                known[id] = oracle.answer(to: query.finds, for: user.id, at: seen)[id]
            }
            let answer = await harness.send(
                "GET",
                "Book/_deltaset?since=\(since.text)&query=\(query.text)",
                as: user.session
            )
            #expect(answer.headers["X-Kinvey-Request-Start"] == now.text)
            try apply(answer, to: &known, &sizes)
            known = known.filter { query.finds($0.value) }
            let full = oracle.answer(to: query.finds, for: user.id, at: now)
            #expect(known == full, "check \(check): \(query.text) since \(since.text): \(answer.body)")
        }
        #expect(sizes.allSatisfy { $0 > checks / 50 }, "changed, deleted, left: \(sizes)")
    }

    /// Writes something; the tick of the commit.
    private func write(
        _ harness: ServiceHarness,
        _ users: [(id: String, session: String)],
        _ oracle: inout Oracle,
        _ random: inout SplitMix
    ) async throws -> Tick? {
        let id = Self.ids.randomElement(using: &random) ?? "a"
        let writer = Int.random(in: 0..<3, using: &random)
        let session = writer < 2 ? users[writer].session : ServiceHarness.basic("m")
        if Int.random(in: 0..<4, using: &random) == 0 {
            let answer = await harness.send("DELETE", "Book/\(id)", as: session)
            guard answer.status == 200, let tick = Tick(answer.headers["X-Kinvey-Request-Start"] ?? "") else {
                return nil
            }
            oracle.versions[id, default: []].append((tick, nil))
            return tick
        }
        let access = [
            "", #","_acl":{"gr":false}"#, #","_acl":{"gr":false,"r":["\#(users[1].id)"]}"#, #","_acl":{"gw":true}"#,
        ]
        let tags = ["", #","tags":["x","y"]"#, #","tags":"x""#]
        let body =
            #"{"n":\#(Int.random(in: 0...3, using: &random))\#(tags.randomElement(using: &random) ?? "")"#
            + (access.randomElement(using: &random) ?? "") + "}"
        let answer = await harness.send("PUT", "Book/\(id)", body, as: session)
        guard answer.status < 300, case .object(let document)? = answer.json,
            let tick = Tick(answer.headers["X-Kinvey-Request-Start"] ?? "")
        else {
            #expect(answer.status == 401, "\(answer.body)")
            return nil
        }
        oracle.versions[id, default: []].append((tick, document))
        return tick
    }

    private func apply(
        _ answer: ServiceHarness.Answer,
        to known: inout [String: Document],
        _ sizes: inout [Int]
    ) throws {
        guard case .object(let delta)? = answer.json, case .list(let changed)? = delta["changed"],
            case .list(let deleted)? = delta["deleted"], case .list(let left)? = delta["left"]
        else {
            Issue.record("no delta: \(answer.body)")
            return
        }
        for (position, list) in [changed, deleted, left].enumerated() { sizes[position] += list.count }
        for case .object(let entity) in deleted {
            if case .string(let id)? = entity["_id"] { known[id] = nil }
        }
        for case .object(let entity) in changed + left {
            if case .string(let id)? = entity["_id"] { known[id] = entity }
        }
    }
}

/// A generator with a seed (Steele, Lea and Flood, 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
