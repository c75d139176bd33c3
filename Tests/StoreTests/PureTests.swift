import Foundation
import PredicateQL
import StoreModel
import Testing

@testable import PredicateQLStore

/// The decisions of the sync, cell by cell.
@Suite struct PureTests {
    /// What is done to an entity, what waits, and what becomes of it (W3).
    @Test func changesBecomeOne() {
        typealias Waiting = Coalescing.Waiting
        typealias Outcome = Coalescing.Outcome
        let table: [(ChangeKind?, wasSent: Bool, save: Outcome, remove: Outcome)] = [
            (.create, false, .become(.create), .vanish),
            (.create, true, .become(.create), .become(.delete)),
            (.update, false, .become(.update), .become(.delete)),
            (.update, true, .become(.update), .become(.delete)),
            (.delete, false, .become(.update), .stay),
            (.delete, true, .become(.update), .stay),
            (.ask, false, .begin(.update), .begin(.delete)),
            (nil, false, .begin(.update), .begin(.delete)),
        ]
        #expect(Set(table.compactMap(\.0)) == Set(ChangeKind.allCases))
        for (kind, wasSent, save, remove) in table {
            let waiting = kind.map { Waiting(kind: $0, wasSent: wasSent) }
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
            for wasSent in [false, true] {
                let sent = Coalescing.kindToSend(kind, wasSent: wasSent)
                #expect(sent == (kind == .create && wasSent ? .update : kind))
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
        #expect(Merging.newest(answer: 5, base: nil) == (5, false))
        #expect(Merging.newest(answer: 5, base: 5) == (5, false))
        #expect(Merging.newest(answer: 5, base: 6) == (6, true))
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
        let text = "An entity with that _id already exists in this collection"
        for other in [error(.internalErrorRetry), error(.badRequest, debug: text)] {
            if case .idTaken = outcome(other, .create) { Issue.record("\(other.status): no taken id") }
        }
        for other in [error(.insufficientCredentials), error(.internalErrorRetry)] {
            if case .gone = outcome(other, .delete) { Issue.record("\(other.status): not gone") }
        }
        for (answer, isLater) in [
            (error(.internalErrorRetry), true), (error(.serviceUnavailable), true),
            (error(.requestLimitExceeded), true),
            (response(408), true), (response(425), true), (response(502), true), (response(200, "["), true),
            (error(.invalidIdentifier), false), (error(.entityTooLarge), false), (error(.entityNotFound), false),
            (error(.insufficientCredentials), false), (response(403), false), (error(.pathNotFound), true),
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

    /// Several new entities in one request: each has an answer of its own.
    @Test func answersToSeveralAreRead() {
        let sent = ["a", "b", "c", "d", "e"].map { OutboxEntry(collection: 1, id: $0, kind: .create, firstAt: 0) }
        let body = """
            {"entities":[{"_id":"a","_kmd":{"lmt":"1970-01-01T00:00:00.005Z"}},null,{"_id":"c"},null,{"_id":"x"}],
            "errors":[{"index":1,"error":"KinveyInternalErrorRetry","description":"d",
            "debug":"An entity with that _id already exists in this collection"},
            {"index":3,"error":"InsufficientCredentials","description":"d","debug":"why"}]}
            """
        let headers: HeaderFields = [("X-Kinvey-Request-Start", "1970-01-01T00:00:00.009Z")]
        let response = WireResponse(status: 207, headers: headers, body: Array(body.utf8))
        guard let outcomes = AnswerReading.outcomes(of: response, to: sent.map(\.id)), outcomes.count == 5 else {
            Issue.record("five answers")
            return
        }
        if case .stored(let fact) = outcomes[0] { #expect(fact.tick == 5) } else { Issue.record("a is stored") }
        if case .idTaken = outcomes[1] {} else { Issue.record("b is taken: \(outcomes[1])") }
        #expect(outcomes[2] == .gone(tick: 9))
        guard case .refused(let fault) = outcomes[3] else {
            Issue.record("d is refused: \(outcomes[3])")
            return
        }
        #expect(fault.debug == "why" && fault.description == "d" && fault.status == 401)
        if case .stored(let fact) = outcomes[4] { #expect(fact.tick == 0) } else { Issue.record("e: \(outcomes[4])") }
        #expect(AnswerReading.outcomes(of: WireResponse(status: 500), to: sent.map(\.id)) == nil)
        let short = WireResponse(status: 207, body: Array(#"{"entities":[],"errors":[]}"#.utf8))
        for case .stored in AnswerReading.outcomes(of: short, to: sent.map(\.id)) ?? [] {
            Issue.record("nothing was stored")
        }
    }

    /// A condition that failed brings the service's version, and errors their texts.
    @Test func conflictsAreRead() {
        func outcome(_ status: Int, _ body: String) -> AnswerReading.Outcome {
            AnswerReading.outcome(of: WireResponse(status: status, body: Array(body.utf8)), to: .update, id: "a")
        }
        let entity = #"{"_id":"a","_kmd":{"lmt":"1970-01-01T00:00:00.005Z"}}"#
        guard case .conflict(let fact?) = outcome(412, #"{"error":"PreconditionFailed","entity":\#(entity)}"#) else {
            Issue.record("a conflict")
            return
        }
        #expect(fact.id == "a" && fact.tick == 5)
        #expect(outcome(412, #"{"error":"PreconditionFailed"}"#) == .conflict(nil))
        if case .refused(let fault) = outcome(400, #"{"error":"Odd","description":"one","debug":"two"}"#) {
            #expect(fault.name.rawValue == "Odd" && fault.description == "one" && fault.debug == "two")
        } else {
            Issue.record("a refusal")
        }
    }

    @Test func cursorsAreKeptAsText() {
        for cursor in [
            PullCursor(isDelta: true, tick: 7, after: "x"), PullCursor(isDelta: false, tick: 0, after: #"a"b"#),
        ] {
            #expect(PullCursor(json: Array(cursor.json.utf8)) == cursor)
        }
        for text in ["", "{}", "[]", #"{"isDelta":true,"tick":7}"#, #"{"isDelta":1,"tick":7,"after":"x"}"#] {
            #expect(PullCursor(json: Array(text.utf8)) == nil)
        }
    }

    /// Values that JSON does not have, at every depth.
    @Test func entitiesHaveAWireForm() {
        let id = UUID()
        let document: Document = [
            "a": .data([1, 2, 3]), "b": .list([.data([255])]), "c": .object(["d": .data([])]), "e": .date(6),
            "f": .uuid(id), "g": 1,
        ]
        let key = id.uuidString.lowercased()
        let text = #"{"a":"AQID","b":["/w=="],"c":{"d":""},"e":"1970-01-01T00:00:00.006Z","f":"\#(key)","g":1}"#
        #expect(String(decoding: document.wireJSON, as: UTF8.self) == text)
    }

    /// Fields that a type does not know stay, in objects and lists too, and so do values as they are stored (W10).
    @Test func unknownFieldsStay() throws {
        let cases: [(old: String, known: String, new: String, kept: String)] = [
            (#"{"t":1,"u":3}"#, #"{"t":1}"#, #"{"t":2}"#, #"{"t":2,"u":3}"#),
            // What the type knows and leaves out is taken away.
            (#"{"t":1,"u":3}"#, #"{"t":1}"#, "{}", #"{"u":3}"#),
            (#"{"o":{"k":1,"u":2}}"#, #"{"o":{"k":1}}"#, #"{"o":{"k":5}}"#, #"{"o":{"k":5,"u":2}}"#),
            (#"{"n":0.123456789,"x":null}"#, #"{"n":0.123,"x":0}"#, #"{"n":0.123,"x":0}"#, #"{"n":0.123456789,"x":0}"#),
        ]
        for (old, known, new, kept) in cases {
            let documents = try [old, known, new].map { try #require(Document(json: Array($0.utf8))) }
            let result = documents[0].keepingUnknown(besides: documents[1], in: documents[2])
            #expect(result == Document(json: Array(kept.utf8)), "\(old) becomes \(result)")
        }
    }

    /// Elements pair by what the type knows of them, then by their ids, then in order if none was added or removed.
    @Test func unknownFieldsOfElementsStay() throws {
        let lists: [(new: String, kept: String)] = [
            (#"[{"a":1},{"a":2},{"a":3}]"#, #"[{"a":1,"u":1},{"a":2,"u":2},{"a":3,"u":3}]"#),
            (#"[{"a":1},{"a":3}]"#, #"[{"a":1,"u":1},{"a":3,"u":3}]"#),
            (#"[{"a":3},{"a":4},{"a":1}]"#, #"[{"a":3,"u":3},{"a":4,"u":2},{"a":1,"u":1}]"#),
            (#"[{"a":0},{"a":1},{"a":2},{"a":3}]"#, #"[{"a":0},{"a":1,"u":1},{"a":2,"u":2},{"a":3,"u":3}]"#),
            (#"[{"a":5},{"a":3}]"#, #"[{"a":5},{"a":3,"u":3}]"#),
            ("[]", "[]"),
        ]
        for (new, kept) in lists {
            for key in ["_id", "id", "b"] {
                let known = #"[{"a":1},{"a":2},{"a":3}]"#
                let old = #"[{"a":1,"u":1},{"a":2,"u":2},{"a":3,"u":3}]"#
                let documents = try [old, known, new, kept].map { text in
                    try #require(
                        Document(json: Array(#"{"list":\#(text.replacing("{", with: #"{"\#(key)":null,"#))}"#.utf8))
                    )
                }
                #expect(documents[0].keepingUnknown(besides: documents[1], in: documents[2]) == documents[3], "\(new)")
            }
        }
        let known: Document = ["list": .list([.object(["id": 1, "a": 1]), .object(["id": 2, "a": 2])])]
        let old: Document = [
            "list": .list([.object(["id": 1, "a": 1, "u": 1]), .object(["id": 2, "a": 2, "u": 2])])
        ]
        let new: Document = ["list": .list([.object(["id": 2, "a": 5]), .object(["id": 3, "a": 1])])]
        let kept: Document = ["list": .list([.object(["id": 2, "a": 5, "u": 2]), .object(["id": 3, "a": 1])])]
        #expect(old.keepingUnknown(besides: known, in: new) == kept)
    }

    private func permutations(_ values: [Int64]) -> [[Int64]] {
        guard values.count > 1 else { return [values] }
        return values.indices.flatMap { index -> [[Int64]] in
            var rest = values
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    /// `Retry-After` as a date, by the clock of the service where its answer tells it.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, "7"), ("Sunday, 06-Nov-94 08:49:37 GMT", nil, "7"),
            ("Sun Nov  6 08:49:37 1994", nil, "7"), ("Sun, 06 Nov 1994 08:49:00 GMT", nil, "0"),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", "60"),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil, "Sun, 31 Feb 1994 08:49:37 GMT"),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil, "Sun, 06 Nov 1994 08:49:37 CET"), ("120", nil, "120"), ("", nil, ""),
        ] as [(String, String?, String)]
    ) func datesOfRetryAfterAreSeconds(text: String, date: String?, seconds: String) {
        var response = WireResponse(status: 503, headers: [("Retry-After", text)])
        response.headers["Date"] = date
        // 1994-11-06T08:49:30.500Z
        let read = response.withRetryAfterInSeconds(now: 784_111_770_500)
        #expect(read.headers["Retry-After"] == seconds)
    }
}
