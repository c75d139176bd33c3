import StoreModel
import Testing

@testable import PredicateQLStore

/// The decisions of the sync, cell by cell.
@Suite struct PureTests {
    /// What is done to an entity, what waits, and what becomes of it (W3).
    @Test func changesBecomeOne() {
        typealias Waiting = Coalescing.Waiting
        typealias Outcome = Coalescing.Outcome
        let table: [(ChangeKind?, isSent: Bool, save: Outcome, remove: Outcome)] = [
            (.create, false, .become(.create, keepsBase: true), .vanish),
            (.create, true, .become(.create, keepsBase: true), .become(.delete, keepsBase: false)),
            (.update, false, .become(.update, keepsBase: true), .become(.delete, keepsBase: true)),
            (.update, true, .become(.update, keepsBase: true), .become(.delete, keepsBase: true)),
            (.delete, false, .become(.update, keepsBase: true), .stay),
            (.delete, true, .become(.update, keepsBase: true), .stay),
            (.ask, false, .begin(.update), .begin(.delete)),
            (nil, false, .begin(.update), .begin(.delete)),
        ]
        #expect(Set(table.compactMap(\.0)) == Set(ChangeKind.allCases))
        for (kind, isSent, save, remove) in table {
            let waiting = kind.map { Waiting(kind: $0, isSent: isSent) }
            let name = String(describing: waiting)
            for change in [Coalescing.Change.save, .saveNamed] {
                #expect(Coalescing.outcome(of: change, .known, waiting) == save, "\(change), \(name)")
            }
            #expect(Coalescing.outcome(of: .remove, .known, waiting) == remove, "\(name)")
        }
        #expect(Coalescing.outcome(of: .save, .unknown, nil) == .begin(.create))
        #expect(Coalescing.outcome(of: .saveNamed, .unknown, nil) == .begin(.update))
        #expect(Coalescing.outcome(of: .remove, .unknown, nil) == .begin(.delete))
    }

    /// A create that waits and was edited is sent as an upsert.
    @Test func editedCreatesAreUpserts() {
        for kind in ChangeKind.allCases {
            for isSent in [false, true] {
                let sent = Coalescing.kindToSend(kind, isSent: isSent)
                #expect(sent == (kind == .create && isSent ? .update : kind))
            }
        }
    }

    /// Facts in any order, any number of times, leave what the newest of them says (W5).
    @Test func factsAreAMaximum() {
        for order in permutations([1, 2, 3, 2]) {
            var known = Merging.Known(row: nil, gone: nil, entry: nil)
            for tick in order {
                let isNew = tick > known.tick
                let outcome = Merging.outcome(of: tick, known) { false }
                #expect(outcome == (isNew ? .row : .ignored))
                if outcome == .row { known.row = tick }
            }
            #expect(known.row == 3)
        }
    }

    @Test func factsGoWhereTheyBelong() {
        typealias Known = Merging.Known
        let table: [(Known, tick: Int64, isContradicted: Bool, Merging.Outcome)] = [
            (Known(row: 5, gone: nil, entry: nil), 5, false, .ignored),
            (Known(row: 5, gone: nil, entry: nil), 6, false, .row),
            (Known(row: 5, gone: nil, entry: nil), 6, true, .ignored),
            (Known(row: nil, gone: 7, entry: nil), 7, false, .ignored),
            (Known(row: nil, gone: 7, entry: nil), 8, false, .row),
            (Known(row: 0, gone: nil, entry: .init(kind: .update, base: 5)), 5, false, .ignored),
            (Known(row: 0, gone: nil, entry: .init(kind: .update, base: 5)), 6, false, .base),
            (Known(row: 0, gone: nil, entry: .init(kind: .create, base: nil)), 1, false, .base),
            (Known(row: 0, gone: 9, entry: .init(kind: .delete, base: 5)), 9, false, .ignored),
            // What was asked for by id is taken even if it is what was known.
            (Known(row: 5, gone: nil, entry: .init(kind: .ask, base: 5)), 5, false, .row),
            (Known(row: 5, gone: nil, entry: .init(kind: .ask, base: 5)), 4, false, .ignored),
            (Known(row: 5, gone: nil, entry: .init(kind: .ask, base: 5)), 6, true, .ignored),
        ]
        for (known, tick, isContradicted, outcome) in table {
            #expect(Merging.outcome(of: tick, known) { isContradicted } == outcome, "\(known) \(tick)")
        }
        #expect(Merging.settled(answer: 5, base: nil) == (5, false))
        #expect(Merging.settled(answer: 5, base: 5) == (5, false))
        #expect(Merging.settled(answer: 5, base: 6) == (6, true))
    }

    /// Each answer of the service, and what it says of the entry.
    @Test func answersAreRead() {
        func response(_ status: Int, _ body: String = "", _ headers: HeaderFields = []) -> WireResponse {
            WireResponse(status: status, headers: headers, body: Array(body.utf8))
        }
        func error(_ name: ServiceFault.Name, debug: String = "", status: Int? = nil) -> WireResponse {
            let fault = ServiceFault(name, debug: debug, status: status)
            return response(fault.status, #"{"error":"\#(name.rawValue)","description":"","debug":"\#(debug)"}"#)
        }
        func outcome(_ response: WireResponse, _ kind: ChangeKind = .update) -> AnswerReading.Outcome {
            AnswerReading.outcome(of: response, to: kind, id: "a")
        }
        let start: HeaderFields = [("X-Kinvey-Request-Start", "1970-01-01T00:00:00.009Z")]
        let entity = #"{"_id":"a","_kmd":{"lmt":"1970-01-01T00:00:00.005Z"}}"#
        guard case .stored(let fact) = outcome(response(200, entity, start)) else {
            Issue.record("an entity is stored")
            return
        }
        #expect(fact.id == "a" && fact.tick == 9)
        guard case .stored(let plain) = outcome(response(201, entity), .create) else {
            Issue.record("an entity is stored")
            return
        }
        #expect(plain.tick == 5)
        #expect(outcome(response(200, #"{"count":1}"#, start), .delete) == .gone(tick: 9))
        #expect(outcome(error(.entityNotFound), .delete) == .gone(tick: nil))
        #expect(outcome(response(200, #"{"_id":"a"}"#, [("X-PQL-Gone", "true")])) == .gone(tick: nil))
        #expect(outcome(error(.staleRequest)) == .stale)
        let taken = error(.internalErrorRetry, debug: "An entity with that _id already exists in this collection")
        guard case .idTaken = outcome(taken, .create) else {
            Issue.record("a taken id")
            return
        }
        for (answer, isLater) in [
            (error(.internalErrorRetry), true), (error(.serviceUnavailable), true),
            (error(.requestLimitExceeded), true),
            (response(408), true), (response(425), true), (response(502), true), (response(200, "["), true),
            (error(.invalidIdentifier), false), (error(.entityTooLarge), false), (error(.entityNotFound), false),
            (error(.insufficientCredentials), false), (response(403), false),
        ] {
            switch outcome(answer) {
            case .failed: #expect(isLater, "\(answer.status)")
            case .refused: #expect(!isLater, "\(answer.status)")
            default: Issue.record("\(answer.status): \(outcome(answer))")
            }
        }
        guard case .unauthorized = outcome(error(.invalidCredentials)) else {
            Issue.record("who asks is not known")
            return
        }
    }

    private func permutations(_ values: [Int64]) -> [[Int64]] {
        guard values.count > 1 else { return [values] }
        return values.indices.flatMap { index -> [[Int64]] in
            var rest = values
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}
