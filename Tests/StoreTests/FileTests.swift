import Foundation
import PredicateQL
import PredicateQLSQLite
import PredicateQLService
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport
import Testing

/// Files of caches: those that outlive a process, are copied, migrated or damaged.
@Suite struct StoreFileTests {
    private let harness: ServiceHarness
    private let folder = CacheFolder()

    init() throws { harness = try .open() }

    @Test func whatWaitsOutlivesTheProcess() async throws {
        try await harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync).save(
            Novel(id: "b", title: "x")
        )
        let again = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
        #expect(try await again.find(id: "b").title == "x")
        #expect(try await again.push().count == 1)
    }

    @Test func usersHaveCachesOfTheirOwn() async throws {
        let one = try harness.client(over: Network(harness), .folder(folder.path))
        try await one.signUp(username: "ann", password: "p")
        let books = one.store(Novel.self, .sync)
        try await books.save(Novel(title: "ann's"))
        try await one.logOut()
        #expect(try await books.find().isEmpty)
        try await one.signUp(username: "bob", password: "p")
        #expect(try await books.push().count == 0)
        try await one.logIn(username: "ann", password: "p")
        let again = try harness.client(over: Network(harness), .folder(folder.path), seed: 2)
        #expect(try await again.resume()?.username == "ann")
        #expect(try await again.store(Novel.self, .sync).syncCount() == 1)
    }

    /// A cache holds what its user may read: it is its owner's, whatever the process allows others by default.
    @Test func cachesAreTheirOwners() async throws {
        let client = try harness.client(over: Network(harness), .folder(folder.path))
        try await client.store(Novel.self, .sync).save(Novel(id: "b"))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".sqlite") }
        #expect(files.count == 3, "\(files)")
        for file in files {
            let rights = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + file)[.posixPermissions]
            #expect(rights as? Int == 0o600, "\(file)")
        }
        withExtendedLifetime(client) {}
    }

    /// What is saved into a file that is not there any more would be lost at the next start.
    @Test func aFileThatWasRemovedTakesNothing() async throws {
        let books = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
        try await books.save(Novel(id: "a"))
        for isReplaced in [false, true] {
            try FileManager.default.removeItem(atPath: folder.path)
            let other = isReplaced ? try harness.client(over: Network(harness), .folder(folder.path)) : nil
            let error = await #expect(throws: StoreError.self) { try await books.save(Novel(id: "b")) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("removed or replaced"))
            if other == nil {
                try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            }
        }
    }

    /// A cache in memory lives as long as the client, whoever is logged in.
    @Test func cachesInMemoryOutliveLogIns() async throws {
        let client = try harness.client(over: Network(harness))
        let books = client.store(Novel.self, .sync)
        try await books.save(Novel(title: "nobody's"))
        try await client.signUp(username: "ann", password: "p")
        #expect(try await books.find().isEmpty)
        try await books.save(Novel(title: "ann's"))
        try await client.logOut()
        #expect(try await books.find().map(\.title) == ["nobody's"])
        try await client.signUp(username: "bob", password: "p")
        #expect(try await books.find().isEmpty)
        try await client.logIn(username: "ann", password: "p")
        #expect(try await books.find().map(\.title) == ["ann's"])
        #expect(try await books.push().count == 1)
        try await client.logOut()
        #expect(try await books.push().count == 1)
    }

    /// A service that was brought back from a backup lost what came later, and clients lose it too; their changes wait.
    @Test func restoredServicesAreBelieved() async throws {
        let folder = folder.path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        (configuration.rights, configuration.deltas) = (.public, .all)
        let clock = ServiceHarness.Clock()
        let environment = ServiceHarness.environment(clock)
        let open = { [configuration] in try Service(path: folder + "/" + $0, configuration, environment, readers: 0) }
        let service = Mutex(try open("one"))
        let client = try StoreClient(
            FunctionTransport { request in await service.withLock { $0 }.answer(request) },
            app: .init(key: "kid", secret: "s"),
            cache: .memory,
            options: Options(deltaSync: true),
            environment: StoreEnvironment(now: { clock.now }, random: { clock.random() })
        )
        let books = client.store(Novel.self, .sync)
        try await books.save([Novel(id: "a", title: "old"), Novel(id: "b", title: "old")])
        _ = try await books.sync()
        try Service.backUp(path: folder + "/one", to: folder + "/backup")
        clock.advance(1_000)
        try await books.save([Novel(id: "a", title: "new"), Novel(id: "c", title: "new")])
        try await books.remove(id: "b")
        _ = try await books.sync()
        _ = try await books.sync(Query(format: "title == 'new'"))
        service.withLock { $0 }.close()
        try Service.restore(folder + "/backup", to: folder + "/two", environment)
        let restored = try open("two")
        service.withLock { $0 = restored }
        // Another query tells of the other history too.
        #expect(try await books.pull(Query(format: "title != 'new'")).entities.map(\._id) == ["a", "b"])
        #expect(try await books.pull().entities.map(\.title) == ["old", "old"])
        clock.advance(1_000)
        try await books.save(Novel(id: "a", title: "again"))
        #expect(try await books.sync().push.count == 1)
        #expect(try await books.find().map(\.title).sorted { $0 ?? "" < $1 ?? "" } == ["again", "old"])
        restored.close()
    }

    /// A file that was copied to another device does not use up the other's numbers.
    @Test func copiesTakeAnotherName() async throws {
        let copy = CacheFolder()
        do {
            let books = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
            try await books.save(Novel(id: "b", title: "first"))
            _ = try await books.push()
        }
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        let mine = try harness.client(over: Network(harness), .folder(folder.path), seed: 3).store(Novel.self, .sync)
        let yours = try harness.client(over: Network(harness), .folder(copy.path), seed: 4).store(Novel.self, .sync)
        try await mine.save(Novel(id: "b", title: "mine"))
        #expect(try await mine.push().count == 1)
        try await yours.save(Novel(id: "b", title: "yours"))
        for _ in 0..<3 where try await yours.syncCount() > 0 { _ = try await yours.push() }
        #expect(try await yours.pending().isEmpty)
        #expect(await harness.send("GET", "Book/b").body.contains("yours"))
    }

    @Test func entitiesAreBroughtToLaterVersions() async throws {
        try await harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync).save(
            Novel(id: "b", title: "x")
        )
        let steps = [
            Migration(to: 2) { _, entity in entity.rename("name", to: "title") },
            Migration(to: 1) { _, entity in entity.rename("title", to: "name") },
        ]
        for _ in 0..<2 {
            let books = try harness.client(over: Network(harness), .folder(folder.path), migrations: steps).store(
                Novel.self,
                .sync
            )
            #expect(try await books.find(id: "b").title == "x")
        }
        let later = steps + [Migration(to: 3) { _, entity in entity["year"] = 1815 }]
        let books = try harness.client(over: Network(harness), .folder(folder.path), migrations: later).store(
            Novel.self,
            .sync
        )
        #expect(try await books.find(id: "b").year == 1815)
        #expect(try await books.push().count == 1)
    }

    /// The version under a change is brought to the app's version too.
    @Test func versionsUnderChangesAreBroughtToLaterVersions() async throws {
        do {
            let books = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
            try await books.save(Novel(id: "b", title: "one"))
            _ = try await books.push()
            try await books.save(Novel(id: "b", title: "two"))
        }
        let step = Migration(to: 1) { _, entity in entity["year"] = 1815 }
        let books = try harness.client(over: Network(harness), .folder(folder.path), migrations: [step], seed: 2)
            .store(Novel.self, .sync)
        #expect(try await books.find(id: "b").year == 1815)
        for change in try await books.pending() { try await books.drop(change) }
        let base = try await books.find(id: "b")
        #expect(base.title == "one" && base.year == 1815)
    }

    /// What a later version of the library wrote is neither read nor moved.
    @Test func filesOfALaterLibraryStay() async throws {
        try await harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync).save(
            Novel(id: "b", title: "x")
        )
        let path = folder.path + "/kid-anonymous.sqlite"
        try SQLiteDatabase(path: path, isReadOnly: false).execute("UPDATE client SET format = format + 1")
        #expect {
            try harness.client(over: Network(harness), .folder(folder.path), seed: 2)
        } throws: {
            "\($0)".contains("a later version of the library")
        }
        try SQLiteDatabase(path: path, isReadOnly: false).execute("UPDATE client SET format = format - 1")
        let client = try harness.client(over: Network(harness), .folder(folder.path), seed: 3)
        #expect(await client.setAside.isEmpty)
        #expect(try await client.store(Novel.self, .sync).syncCount() == 1)
    }

    @Test func filesThatAreNoDatabaseAreSetAside() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/kid-anonymous.sqlite"
        try Data(String(repeating: "no database ", count: 400).utf8).write(to: URL(fileURLWithPath: path))
        let client = try harness.client(over: Network(harness), .folder(folder.path))
        try await client.store(Novel.self, .sync).save(Novel(title: "x"))
        let told = await client.setAside
        #expect(told.count == 1 && told[0].carried == 0 && told[0].lost == nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: told[0].path)).starts(with: "no database ".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains { $0.hasSuffix(".set-aside.sqlite") }, "\(names)")
    }

    /// What waits in a file that is set aside is carried over, and brought to the app's version.
    @Test func whatWaitsIsCarriedOver() async throws {
        do {
            let books = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
            try await books.save(Novel(id: "gone", title: "gone"))
            _ = try await books.push()
            try await books.remove(id: "gone")
            try await books.save(Novel(id: "b", title: "x"))
        }
        try SQLiteDatabase(path: folder.path + "/kid-anonymous.sqlite", isReadOnly: false)
            .execute("ALTER TABLE client RENAME COLUMN format TO other")
        let step = Migration(to: 1) { _, entity in entity["year"] = 1815 }
        let books = try harness.client(over: Network(harness), .folder(folder.path), migrations: [step], seed: 2)
            .store(Novel.self, .sync)
        #expect(try await books.pending().map(\.kind) == [.delete, .update])
        #expect(try await books.find().map(\.year) == [1815])
        #expect(try await books.push().count == 2)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":1}"#)
    }

    /// A damaged page is found by SQLite's check, and what can be read is carried over.
    @Test func damagedFilesAreSetAside() async throws {
        do {
            let books = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
            try await books.save((0..<200).map { Novel(id: "b\($0)", title: String(repeating: "t", count: 400)) })
        }
        let path = folder.path + "/kid-anonymous.sqlite"
        // The file as it is on a disk, with a hole in its middle and no index of what tables it has.
        #expect(try SQLiteDatabase(path: path, isReadOnly: false).rows("PRAGMA wal_checkpoint(TRUNCATE)").count == 1)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: 100)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 20_000))
        try file.close()
        let client = try harness.client(over: Network(harness), .folder(folder.path), seed: 2)
        #expect(await client.setAside.count == 1)
        #expect(try await client.store(Novel.self, .sync).save(Novel(title: "x")).title == "x")
    }

    /// A page that is damaged while nobody looks is found when it is read, and the file is checked at the next start.
    @Test func damageThatIsFoundLaterIsChecked() async throws {
        try await folder.fill(harness)
        try folder.damage()
        do {
            let novels = try harness.client(over: Network(harness), .folder(folder.path), seed: 2)
                .store(Novel.self, .sync)
            do {
                _ = try await novels.find()
                Issue.record("a page is damaged")
            } catch {
                guard case .cache = error else { throw error }
            }
        }
        let path = folder.path + "/kid-anonymous.sqlite"
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "the process ended as it should")
        let client = try harness.client(over: Network(harness), .folder(folder.path), seed: 3)
        let told = try #require(await client.setAside.first)
        #expect(told.carried > 350 && told.carried < 400 && told.carried + (told.lost ?? 0) == 400, "\(told)")
        let again = try harness.client(over: Network(harness), .folder(folder.path), seed: 4)
        #expect(await again.setAside.isEmpty)
        #expect(try await again.store(Novel.self, .sync).syncCount() == told.carried)
    }

    /// Rows whose entries in the queue are damaged wait again; what was given up or pushed does not.
    @Test func rowsWithoutTheirEntriesAreCarriedOver() async throws {
        do {
            let novels = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
            try await novels.save((0..<20).map { Novel(id: "p\($0)", title: "pushed") })
            _ = try await novels.push()
            try await novels.save((0..<300).map { Novel(id: "b\($0)", title: "waits") })
            try await novels.save(Novel(id: "p3", title: "changed"))
        }
        let path = folder.path + "/kid-anonymous.sqlite"
        let root = try SQLiteDatabase(path: path).rows("SELECT rootpage FROM sqlite_schema WHERE name = 'outbox'")
        guard case .int(let page)? = root.first?["rootpage"] else { throw QueryError(.store, "no queue") }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        // The root of a table of several pages ends in the numbers of its leaves.
        try file.seek(toOffset: UInt64(page - 1) * 4_096 + 12)
        let cell = try #require(try file.read(upToCount: 2)).reduce(0) { $0 << 8 | UInt64($1) }
        try file.seek(toOffset: UInt64(page - 1) * 4_096 + cell)
        let leaf = try #require(try file.read(upToCount: 4)).reduce(0) { $0 << 8 | UInt64($1) }
        try file.seek(toOffset: (leaf - 1) * 4_096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 500))
        try file.close()
        _ = FileManager.default.createFile(atPath: path + "-damaged", contents: nil)
        let client = try harness.client(over: Network(harness), .folder(folder.path), seed: 2)
        let told = try #require(await client.setAside.first)
        #expect(told.carried == 301, "\(told)")
        let waiting = try await client.store(Novel.self, .sync).pending().map(\.id)
        #expect(Set(waiting) == Set((0..<300).map { "b\($0)" } + ["p3"]))
        #expect(waiting.first == "b0" && waiting.last == "p3")
    }

    /// A process that is killed leaves its log: the file is checked before it is used, and what can be read goes on.
    @Test func filesThatWereNotClosedAreChecked() async throws {
        try await folder.fill(harness)
        let copy = CacheFolder()
        let novels = try harness.client(over: Network(harness), .folder(folder.path), seed: 2).store(Novel.self, .sync)
        try await novels.save(Novel(id: "last", title: "last"))
        // As a kill leaves it.
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        let whole = try harness.client(over: Network(harness), .folder(copy.path), seed: 3)
        #expect(await whole.setAside.isEmpty)
        try folder.damage()
        let other = CacheFolder()
        try FileManager.default.copyItem(atPath: folder.path, toPath: other.path)
        let client = try harness.client(over: Network(harness), .folder(other.path), seed: 4)
        let told = try #require(await client.setAside.first)
        #expect(told.carried > 350 && told.carried < 401 && told.carried + (told.lost ?? 0) == 401, "\(told)")
        #expect(try await client.store(Novel.self, .sync).find(id: "last").title == "last")
    }

    /// What is only busy or full is neither damaged nor moved.
    @Test func busyFilesStay() async throws {
        try await harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync).save(Novel())
        let path = folder.path + "/kid-anonymous.sqlite"
        #expect(!SQLiteDatabase.isDamaged(path: path))
        // A folder is where SQLite wants to write.
        try? FileManager.default.removeItem(atPath: path + "-wal")
        try FileManager.default.createDirectory(atPath: path + "-wal", withIntermediateDirectories: false)
        #expect(throws: StoreError.self) {
            try harness.client(over: Network(harness), .folder(folder.path), seed: 2)
        }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    /// Queries that differ in their values alone share an index.
    @Test func queriesOfOneFormGetAnIndex() async throws {
        let books = try harness.client(over: Network(harness), .folder(folder.path)).store(Novel.self, .sync)
        try await books.save((0..<1_100).map { (year: Int) in Novel(title: "x", year: year) })
        for year in 0..<20 { #expect(try await books.find(Query(format: "year == \(year)")).count == 1) }
        let file = try SQLiteDatabase(path: folder.path + "/kid-anonymous.sqlite")
        let made = try file.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%year%'")
        #expect(made.count == 1)
    }
}
