// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import PredicateQLStore
import StoreModel
import StoreSupport

enum PredicateQLStoreExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("Answers.swift: struct Answers", Answers_1))
        all.append(Example("Migration.swift: struct Migration", Migration_1))
        all.append(Example("Migration.swift: struct Fields", Migration_2))
        all.append(Example("Migration.swift: func convert", Migration_3))
        all.append(Example("DataStore+Decoding.swift: struct FindResult", DataStore_Decoding_1))
        all.append(Example("DataStore+Decoding.swift: struct UnreadableEntity", DataStore_Decoding_2))
        all.append(Example("DataStore+Decoding.swift: func result", DataStore_Decoding_3))
        all.append(Example("DataStore+Saving.swift: func save", DataStore_Saving_1))
        all.append(Example("DataStore+Saving.swift: func save", DataStore_Saving_2))
        all.append(Example("DataStore+Saving.swift: func remove", DataStore_Saving_3))
        all.append(Example("DataStore+Saving.swift: func remove", DataStore_Saving_4))
        all.append(Example("DataStore+Saving.swift: func removeAll", DataStore_Saving_5))
        all.append(Example("DataStore+Sync.swift: func pull", DataStore_Sync_1))
        all.append(Example("DataStore+Sync.swift: func push", DataStore_Sync_2))
        all.append(Example("DataStore+Sync.swift: func sync", DataStore_Sync_3))
        all.append(Example("DataStore+Sync.swift: func syncCount", DataStore_Sync_4))
        all.append(Example("DataStore+Sync.swift: func pending", DataStore_Sync_5))
        all.append(Example("DataStore+Sync.swift: func retry", DataStore_Sync_6))
        all.append(Example("DataStore+Sync.swift: func drop", DataStore_Sync_7))
        all.append(Example("DataStore+Sync.swift: func purge", DataStore_Sync_8))
        all.append(Example("DataStore+Sync.swift: func clear", DataStore_Sync_9))
        all.append(Example("DataStore+Sync.swift: func values", DataStore_Sync_10))
        all.append(Example("DataStore+Sync.swift: enum PurgedRows", DataStore_Sync_11))
        all.append(Example("DataStore+Sync.swift: struct StoreValues", DataStore_Sync_12))
        all.append(Example("DataStore.swift: struct DataStore", DataStore_1))
        all.append(Example("DataStore.swift: func find", DataStore_2))
        all.append(Example("DataStore.swift: func find", DataStore_3))
        all.append(Example("DataStore.swift: func answers", DataStore_4))
        all.append(Example("DataStore.swift: func answers", DataStore_5))
        all.append(Example("DataStore.swift: func groups", DataStore_6))
        all.append(Example("Entity.swift: protocol Entity", Entity_1))
        all.append(Example("Entity.swift: protocol EntityWithDefaults", Entity_2))
        all.append(Example("Entity.swift: var schema", Entity_3))
        leftOut.append(("GuideSpellings.swift: var shared", "a process shares one client"))
        leftOut.append(("GuideSpellings.swift: func share", "a process shares one client"))
        leftOut.append(("GuideSpellings.swift: func collection", "a process shares one client"))
        all.append(Example("Options.swift: enum StoreType", Options_1))
        all.append(Example("Options.swift: enum ReadPolicy", Options_2))
        all.append(Example("Options.swift: enum WritePolicy", Options_3))
        all.append(Example("Options.swift: enum ConflictRule", Options_4))
        all.append(Example("Options.swift: struct Conflict", Options_5))
        all.append(Example("Options.swift: enum Resolution", Options_6))
        all.append(Example("Options.swift: struct Options", Options_7))
        all.append(Example("Options.swift: var newID", Options_8))
        all.append(Example("Options.swift: func over", Options_9))
        all.append(Example("Results.swift: struct PendingChange", Results_1))
        all.append(Example("Results.swift: struct PushFailure", Results_2))
        all.append(Example("Results.swift: struct PushResult", Results_3))
        all.append(Example("Results.swift: struct PullResult", Results_4))
        all.append(Example("Results.swift: struct SyncResult", Results_5))
        all.append(Example("Results.swift: struct MultiSave", Results_6))
        all.append(Example("Results.swift: struct SetAsideFile", Results_7))
        all.append(Example("Results.swift: struct Answer", Results_8))
        all.append(Example("StoreClient.swift: actor StoreClient", StoreClient_1))
        all.append(Example("StoreClient.swift: var setAside", StoreClient_2))
        all.append(Example("StoreClient.swift: var unreadable", StoreClient_3))
        all.append(Example("StoreClient.swift: var options", StoreClient_4))
        all.append(Example("StoreEnvironment.swift: struct StoreEnvironment", StoreEnvironment_1))
        all.append(Example("StoreError.swift: enum StoreError", StoreError_1))
        all.append(Example("StoreError.swift: var errorDescription", StoreError_2))
        all.append(Example("StoreEvent.swift: enum StoreEvent", StoreEvent_1))
        all.append(Example("StoreEvent.swift: var events", StoreEvent_2))
        all.append(Example("StoreClient+Push.swift: func push", StoreClient_Push_1))
        all.append(Example("StoreClient+Pushing.swift: func keepPushing", StoreClient_Pushing_1))
        all.append(Example("StoreClient+Waiting.swift: func sync", StoreClient_Waiting_1))
        all.append(Example("Transport.swift: protocol Transport", Transport_1))
        all.append(Example("Transport.swift: enum TransportFault", Transport_2))
        all.append(Example("Transport.swift: struct FunctionTransport", Transport_3))
        all.append(Example("URLSessionTransport.swift: struct URLSessionTransport", URLSessionTransport_1))
        all.append(Example("User.swift: struct User", User_1))
        all.append(Example("User.swift: func signUp", User_2))
        all.append(Example("User.swift: func logIn", User_3))
        all.append(Example("User.swift: func resume", User_4))
        all.append(Example("User.swift: func logOut", User_5))
        return (all, leftOut)
    }

    static func Answers_1() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            for try await answer in novels.answers() { print(answer.source, answer.entities.count) }
        }
    }

    static func Migration_1() throws {
        do {
            let step = Migration(to: 2) { collection, entity in
                if collection == "Book" { entity.rename("author", to: "authorName") }
            }
            expectShown(step.version, "2")
            _ = (step)
        }
    }

    static func Migration_2() throws {
        do {
            let step = Migration(to: 3) { collection, entity in
                guard collection == "Book" else { return }
                entity.rename("author", to: "authorName")
                entity["edition"] = entity["edition"] ?? 1
            }
            expectShown(step.version, "3")
            _ = (step)
        }
    }

    static func Migration_3() throws {
        do {
            let step = Migration(to: 4) { collection, entity in
                guard collection == "Book" else { return }
                entity.convert("price") { price in
                    if case .int(let cents) = price { .double(Double(cents) / 100) } else { price }
                } back: { price in
                    if case .double(let euros) = price { .int(Int64((euros * 100).rounded())) } else { price }
                }
            }
            expectShown(step.version, "4")
            _ = (step)
        }
    }

    static func DataStore_Decoding_1() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save([Novel(title: "Emma"), Novel(title: "Dune")])
            let found = try await novels.result(of: Query(format: "title != nil"))
            expectShown((found.entities.count, found.unreadable.count), "(2, 0)")
            _ = (found)
        }
    }

    static func DataStore_Decoding_2() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            expectShown(await client.unreadable.map(\.id), "[]")
        }
    }

    static func DataStore_Decoding_3() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.result().unreadable.count, "0")
        }
    }

    static func DataStore_Saving_1() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            var emma = try await novels.save(Novel(title: "Emma"))
            emma.year = 1815
            try await expectShown(novels.save(emma).year ?? 0, "1815")
            _ = (emma)
        }
    }

    static func DataStore_Saving_2() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            let result = try await novels.save([Novel(title: "Emma"), Novel(title: "Dune")])
            expectShown(result.errors.count, "0")
            _ = (result)
        }
    }

    static func DataStore_Saving_3() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(id: "n1"))
            try await expectShown(novels.remove(id: "n1"), "1")
        }
    }

    static func DataStore_Saving_4() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(year: 1815))
            try await expectShown(novels.remove(Query(format: "year < 1900")), "1")
        }
    }

    static func DataStore_Saving_5() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.removeAll(), "0")
        }
    }

    static func DataStore_Sync_1() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.pull().entities.count, "0")
        }
    }

    static func DataStore_Sync_2() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.push().count, "1")
        }
    }

    static func DataStore_Sync_3() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.sync().pull?.entities.count ?? 0, "1")
        }
    }

    static func DataStore_Sync_4() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.syncCount(), "1")
        }
    }

    static func DataStore_Sync_5() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.pending().map(\.kind.rawValue), "[\"create\"]")
        }
    }

    static func DataStore_Sync_6() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            for change in try await novels.pending() { _ = try await novels.retry(change) }
            try await expectShown(novels.syncCount(), "0")
        }
    }

    static func DataStore_Sync_7() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            for change in try await novels.pending() { try await novels.drop(change) }
            try await expectShown(novels.count(), "0")
        }
    }

    static func DataStore_Sync_8() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.purge(.restore), "1")
        }
    }

    static func DataStore_Sync_9() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.clear(), "1")
        }
    }

    static func DataStore_Sync_10() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            var found = novels.values().makeAsyncIterator()
            try await expectShown(found.next()?.count ?? 0, "0")
            _ = (found)
        }
    }

    static func DataStore_Sync_11() throws {
        do {
            expectShown(PurgedRows(rawValue: "keep") == .keep, "true")
        }
    }

    static func DataStore_Sync_12() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            var found = novels.values().makeAsyncIterator()
            try await expectShown(found.next()?.count ?? 0, "0")
            _ = (found)
        }
    }

    static func DataStore_1() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.find(Query(format: "title == 'Emma'")).count, "1")
            try await expectShown(novels.sync().push.count, "1")
        }
    }

    static func DataStore_2() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(id: "n1", title: "Emma"))
            try await expectShown(novels.find(id: "n1").title, "Emma")
        }
    }

    static func DataStore_3() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save([Novel(title: "Emma", year: 1815), Novel(title: "Dune", year: 1965)])
            try await expectShown(novels.find(Query(format: "year >= 1900", order: ["-year"], limit: 20)).count, "1")
        }
    }

    static func DataStore_4() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            for try await answer in novels.answers() { print(answer.source, answer.entities.count) }
        }
    }

    static func DataStore_5() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(id: "n1", title: "Emma"))
            for try await answer in novels.answers(id: "n1") { print(answer.source, answer.entities.count) }
        }
    }

    static func DataStore_6() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            let byYear = Query().grouped(by: "year", computing: [.count])
            try await expectShown(novels.groups(byYear).count, "0")
            _ = (byYear)
        }
    }

    static func Entity_1() throws {
        do {
            struct Book: Entity {
                static let collection = "Book"
                var _id: String?
                var _acl: AccessControl?
                var _kmd: Metadata?
                var title: String?
            }
            expectShown(Book.schema?.fields.map(\.name), "[\"_id\", \"_acl\", \"_kmd\", \"title\"]")
        }
    }

    static func Entity_2() throws {
        do {
            struct Note: EntityWithDefaults {
                static let collection = "Note"
                var _id: String?
                var _acl: AccessControl?
                var _kmd: Metadata?
                var isRead = false
            }
            expectShown(Note().isRead, "false")
        }
    }

    static func Entity_3() throws {
        do {
            expectShown(Novel.schema?.field(named: "year")?.type, "int")
        }
    }

    static func Options_1() throws {
        do {
            expectShown(StoreType.sync.readPolicy, "local")
        }
    }

    static func Options_2() throws {
        do {
            expectShown(ReadPolicy.forceLocal == .local, "true")
        }
    }

    static func Options_3() throws {
        do {
            expectShown(WritePolicy.forceNetwork == .network, "true")
        }
    }

    static func Options_4() throws {
        do {
            let options = Options(conflict: .ask { conflict in conflict.theirs == nil ? .keepMine : .takeTheirs })
            expectShown(options.deltaSync == nil, "true")
            _ = (options)
        }
    }

    static func Options_5() throws {
        do {
            let keep = ConflictRule.ask { conflict in conflict.mine == nil ? .takeTheirs : .keepMine }
            _ = keep
            _ = (keep)
        }
    }

    static func Options_6() throws {
        do {
            let merge = ConflictRule.ask { conflict in .merged(conflict.mine ?? Document()) }
            _ = merge
            _ = (merge)
        }
    }

    static func Options_7() throws {
        do {
            expectShown(Options(readPolicy: .forceNetwork, timeout: .seconds(120)).deltaSync == nil, "true")
        }
    }

    static func Options_8() throws {
        do {
            expectShown(Options().newID == nil, "true")
        }
    }

    static func Options_9() throws {
        do {
            expectShown(Options(ttl: .seconds(1)).over(Options(deltaSync: true)).deltaSync, "true")
        }
    }

    static func Results_1() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await novels.save(Novel(title: "Emma"))
            try await expectShown(novels.pending().first?.attempts ?? -1, "0")
        }
    }

    static func Results_2() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.push().failures.count, "0")
        }
    }

    static func Results_3() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.push().overruled.count, "0")
        }
    }

    static func Results_4() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.pull().wasDelta, "false")
        }
    }

    static func Results_5() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.sync().push.count, "0")
        }
    }

    static func Results_6() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            try await expectShown(novels.save([Novel(title: "Emma")]).entities.count, "1")
        }
    }

    static func Results_7() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            expectShown(await client.setAside.count, "0")
        }
    }

    static func Results_8() async throws {
        let novels = try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync); _ = novels
        do {
            for try await answer in novels.answers() { print(answer.source) }
        }
    }

    static func StoreClient_1() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await client.signUp(username: "ann", password: "secret")
            let notes = client.store(Novel.self, .sync)
            try await notes.save(Novel(title: "Emma"))
            try await expectShown(client.push().count, "1")
            _ = (notes)
        }
    }

    static func StoreClient_2() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            expectShown(await client.setAside.count, "0")
        }
    }

    static func StoreClient_3() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            expectShown(await client.unreadable.count, "0")
        }
    }

    static func StoreClient_4() throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            client.options.timeout = .seconds(120)
            expectShown(client.options.timeout == .seconds(120), "true")
        }
    }

    static func StoreEnvironment_1() throws {
        do {
            let fixed = StoreEnvironment(now: { 0 }, random: { 7 })
            expectShown(fixed.now(), "0")
            _ = (fixed)
        }
    }

    static func StoreError_1() throws {
        do {
            expectShown(StoreError.pendingChanges(2).description, "2 changes wait: push them, or purge them, before pulling")
        }
    }

    static func StoreError_2() throws {
        do {
            expectShown(StoreError.notFound.localizedDescription, "there is no such entity")
        }
    }

    static func StoreEvent_1() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            let wait = Task {
                for await event in client.events { print(event) }
            }
            wait.cancel()
            _ = (wait)
        }
    }

    static func StoreEvent_2() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            let logging = Task {
                for await event in client.events { print(event) }
            }
            logging.cancel()
            _ = (logging)
        }
    }

    static func StoreClient_Push_1() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await expectShown(client.push().count, "0")
        }
    }

    static func StoreClient_Pushing_1() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            let pushing = Task { try await client.keepPushing() }
            try await client.store(Novel.self, .sync).save(Novel(title: "Emma"))
            pushing.cancel()
            _ = (pushing)
        }
    }

    static func StoreClient_Waiting_1() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await expectShown(client.sync().failures.count, "0")
        }
    }

    static func Transport_1() async throws {
        do {
            let transport: any Transport = FunctionTransport { _ in WireResponse(status: 204) }
            try await expectShown(transport.send(WireRequest("GET", "/"), timeout: .seconds(1)).status, "204")
            _ = (transport)
        }
    }

    static func Transport_2() throws {
        do {
            expectShown(TransportFault.timedOut == .cancelled, "false")
        }
    }

    static func Transport_3() async throws {
        let service = try ServiceHarness().service; _ = service
        do {
            let service = service
            let transport = FunctionTransport { request in await service.answer(request) }
            try await expectShown(transport.send(WireRequest("GET", "/healthz"), timeout: .seconds(1)).status, "200")
            _ = (service, transport)
        }
    }

    static func URLSessionTransport_1() throws {
        do {
            let transport = try URLSessionTransport("http://localhost:8080")
            _ = (transport)
        }
    }

    static func User_1() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await expectShown(client.signUp(username: "ann", password: "secret").username ?? "", "ann")
        }
    }

    static func User_2() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await expectShown(client.signUp(username: "ann", password: "secret").username ?? "", "ann")
        }
    }

    static func User_3() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await client.signUp(username: "ann", password: "secret")
            try await expectShown(client.logIn(username: "ann", password: "secret").username ?? "", "ann")
        }
    }

    static func User_4() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await expectShown(client.resume() == nil, "true")
        }
    }

    static func User_5() async throws {
        let client = try ServiceHarness { $0.rights = .public }.client(); _ = client
        do {
            try await client.signUp(username: "ann", password: "secret")
            try await client.logOut()
            expectShown(await client.activeUser == nil, "true")
        }
    }
}
