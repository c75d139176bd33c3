import PredicateQL
import PredicateQLStore
import StoreModel
import StoreSupport
import Testing

/// Apps of several versions at one service: each has entities and queries in its own form.
@Suite struct VersionTests {
    private let harness: ServiceHarness

    init() throws { harness = try .open() }

    /// A book as the first version of the app knows it.
    private struct OldBook: Entity {
        static let collection = "Book"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var author: String?
        var cents: Int?
    }

    /// The same in the third version.
    private struct Book: Entity {
        static let collection = "Book"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var authorName: String?
        var price: Double?
    }

    private static let steps = [
        Migration(to: 2) { collection, entity in
            if collection == "Book" { entity.rename("author", to: "authorName") }
        },
        Migration(to: 3) { collection, entity in
            guard collection == "Book" else { return }
            entity.rename("cents", to: "price")
            entity.convert("price") { value in
                if case .int(let cents) = value { .double(Double(cents) / 100) } else { value }
            } back: { value in
                switch value {
                case .int(let euros): .int(euros * 100)
                case .double(let euros): .int(Int64((euros * 100).rounded()))
                default: value
                }
            }
        },
    ]

    private func fill() async throws {
        for (id, author, cents) in [("b1", "Austen", 950), ("b2", "Herbert", 1_250), ("b3", "Austen", 700)] {
            let body = #"{"author":"\#(author)","cents":\#(cents),"shelf":{"row":1}}"#
            #expect(await harness.send("PUT", "Book/\(id)", body).status < 300)
        }
    }

    private func stored(_ id: String) async throws -> Document {
        guard case .object(let entity) = try QueryValue(json: await harness.send("GET", "Book/\(id)").body) else {
            return Document()
        }
        return entity
    }

    // MARK: Doors

    /// Every door has the app's form, and the service keeps its own, whoever writes.
    @Test(arguments: [false, true]) func everyDoorHasTheAppsForm(isForeign: Bool) async throws {
        for (seed, type) in zip(UInt64(1)..., StoreType.allCases) {
            try await fill()
            let network = Network(harness, isForeign: isForeign)
            let options = Options(deltaSync: type != .network)
            let client = try harness.client(over: network, options: options, migrations: Self.steps, seed: seed)
            let books = client.store(Book.self, type)
            if type != .network {
                let pulled = try await books.pull()
                #expect(
                    pulled.entities.compactMap(\.authorName).sorted() == ["Austen", "Austen", "Herbert"],
                    "\(type)"
                )
            }
            let austen = try Query(format: "authorName == 'Austen'", order: ["_id"])
            #expect(try await books.find(austen).map(\.price) == [9.5, 7], "\(type)")
            #expect(try await books.find(id: "b2").price == 12.5, "\(type)")
            #expect(try await books.count(austen) == 2, "\(type)")
            let last = Query(order: ["-authorName", "_id"], limit: 2)
            #expect(try await books.find(last).map(\._id) == ["b2", "b1"], "\(type)")
            let groups = try await books.groups(
                Query(order: ["authorName"]).grouped(by: "authorName", computing: [.count])
            )
            #expect(
                QueryValue.list(groups.map(QueryValue.object)).json
                    == #"[{"authorName":"Austen","count":2},{"authorName":"Herbert","count":1}]"#,
                "\(type)"
            )
            var some = austen
            some.fields = ["authorName"]
            #expect(try await books.find(some).map(\.authorName) == ["Austen", "Austen"], "\(type)")

            // What goes out is in the service's form, and what comes back in the app's; unknown fields stay (W10).
            let saved = try await books.save(Book(_id: "b4", authorName: "Woolf", price: 3.25))
            #expect(saved.authorName == "Woolf" && saved.price == 3.25, "\(type)")
            var first = try await books.find(id: "b1")
            first.price = 8
            #expect(try await books.save(first).price == 8, "\(type)")
            let many = try await books.save([Book(_id: "b5", authorName: "Eco"), Book(_id: "b6", authorName: "Lem")])
            #expect(many.entities.map { $0?.authorName } == ["Eco", "Lem"], "\(type)")
            if type == .sync { #expect(try await books.push().count == 4) }
            let one = try await stored("b1")
            #expect(one["cents"] == 800 && one["author"] == "Austen" && one["price"] == nil, "\(type)")
            #expect(one["authorName"] == nil && one["shelf"] == .object(["row": 1]), "\(type)")
            #expect(try await stored("b4")["author"] == "Woolf", "\(type)")
            #expect(try await stored("b6")["author"] == "Lem", "\(type)")

            // A device with the first version goes on.
            let older = try harness.client(over: Network(harness), seed: 9).store(OldBook.self, .network)
            #expect(try await older.find(id: "b4").author == "Woolf", "\(type)")
            var changed = try await older.find(id: "b2")
            changed.cents = 100
            _ = try await older.save(changed)
            if type != .network {
                let delta = try await books.pull()
                #expect(delta.wasDelta && delta.entities.contains { $0._id == "b2" && $0.price == 1 }, "\(type)")
            }
            #expect(try await books.find(id: "b2").price == 1, "\(type)")
            if type != .sync { #expect(try await books.remove(Query(format: "authorName == 'Eco'")) == 1, "\(type)") }
            #expect(try await older.count(Query(format: "author == 'Eco'")) == (type == .sync ? 1 : 0), "\(type)")
            _ = try await older.removeAll()
        }
    }

    /// A version that a condition failed on, and both sides of a conflict, have the app's form.
    @Test(arguments: [false, true]) func conflictsHaveTheAppsForm(isForeign: Bool) async throws {
        try await fill()
        let network = Network(harness, isForeign: isForeign)
        for (seed, rule, price) in [
            (1, ConflictRule.serverWins, 0.05),
            (
                2,
                .ask { conflict in
                    guard conflict.theirs?["price"] == 0.05, conflict.mine?["price"] == 2.5 else {
                        return .leavePending
                    }
                    var merged = conflict.mine ?? Document()
                    merged["price"] = 0.25
                    return .merged(merged)
                }, 0.25
            ),
        ] as [(UInt64, ConflictRule, Double)] {
            let client = try harness.client(
                over: network,
                options: Options(conflict: rule),
                migrations: Self.steps,
                seed: seed
            )
            let books = client.store(Book.self, .sync)
            _ = try await books.pull()
            var book = try await books.find(id: "b1")
            book.price = 2.5
            try await books.save(book)
            harness.time.advance(1_000)
            #expect(await harness.send("PUT", "Book/b1", #"{"author":"Austen","cents":5}"#).status == 200)
            let pushed = try await books.push()
            #expect(pushed.failures.isEmpty)
            #expect(pushed.overruled.map { $0.theirs?["authorName"] } == (price == 0.05 ? ["Austen"] : []))
            #expect(try await books.find(id: "b1").price == price)
        }
        #expect(try await stored("b1")["cents"] == 25)
    }

    // MARK: What cannot be asked

    /// A query of what the service has in another form throws alike online and offline; the cache answers it.
    @Test func whatTheServiceHasOtherwiseIsRefused() async throws {
        try await fill()
        let network = Network(harness)
        let client = try harness.client(over: network, migrations: Self.steps)
        let books = client.store(Book.self, .auto)
        _ = try await books.pull()
        let cheap = try Query(format: "price < 10", order: ["price"])
        for isOnline in [true, false] {
            network.isOnline = isOnline
            for query in [cheap, Query(order: ["price"], limit: 1)] {
                await #expect("\(isOnline)") { try await books.find(query) } throws: { error in
                    "\(error)".contains("the service has price in the form before a step")
                }
            }
            await #expect("\(isOnline)") { try await books.count(cheap) } throws: { "\($0)".contains("price") }
            let grouping = Query().grouped(by: "authorName", computing: [.sum("price")])
            await #expect("\(isOnline)") { try await books.groups(grouping) } throws: { "\($0)".contains("price") }
            let local = Options(readPolicy: .forceLocal)
            #expect(try await books.find(cheap, options: local).map(\._id) == ["b3", "b1"])
            #expect(try await books.groups(grouping, options: local).count == 2)
            // Its order alone is the cache's work.
            #expect(try await books.find(Query(order: ["price"])).map(\._id) == ["b3", "b1", "b2"])
        }
        // Without a schema any name may be asked, but for one that a step took away.
        let rows = client.store(AnyBook.self, .auto)
        await #expect { try await rows.find(Query(format: "author == 'Austen'")) } throws: { error in
            "\(error)".contains("a step gave author another name") && "\(error)".contains("write authorName")
        }
        network.isOnline = true
        #expect(try await rows.find(Query(format: "authorName == 'Austen' AND shelf.row == 1")).count == 2)
    }

    /// A type that says nothing of its fields.
    private struct AnyBook: Entity {
        static let collection = "Book"
        static let schema: Schema? = nil
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var author: String?
    }

    /// A name that is another field's on the service does not go out.
    @Test func takenNamesDoNotGoOut() async throws {
        let books = try harness.client(over: Network(harness), migrations: Self.steps).store(AnyBook.self, .network)
        await #expect { try await books.save(AnyBook(author: "x")) } throws: { error in
            "\(error)".contains("author is the name of what is authorName since version 2")
        }
    }

    /// Of a step that only its code knows nothing is asked but ids; with a way back what goes out has the service's form.
    @Test func stepsThatDeclareNothing() async throws {
        try await fill()
        let step = Migration(to: 1) { collection, entity in
            guard collection == "Book", case .int(let cents)? = entity["cents"] else { return }
            entity["cents"] = nil
            entity["price"] = .double(Double(cents) / 100)
            entity["authorName"] = entity["author"]
        } back: { collection, entity in
            guard collection == "Book", case .double(let euros)? = entity["price"] else { return }
            entity["price"] = nil
            entity["cents"] = .int(Int64((euros * 100).rounded()))
        }
        let books = try harness.client(over: Network(harness), migrations: [step]).store(Book.self, .auto)
        _ = try await books.pull()
        #expect(try await books.find(Query(order: ["price"])).map(\.price) == [7, 9.5, 12.5])
        let query = try Query(format: "authorName == 'Austen'")
        await #expect { try await books.find(query) } throws: { "\($0)".contains("the step to version 1 may have") }
        #expect(try await books.find(query, options: Options(readPolicy: .forceLocal)).count == 2)
        #expect(try await books.find(Query(format: "_id IN {'b1', 'b2'}")).count == 2)
        var book = try await books.find(id: "b1")
        book.price = 1
        _ = try await books.save(book)
        #expect(try await stored("b1")["cents"] == 100)
    }

    /// Steps that the service's entities have behind them concern the cache alone.
    @Test func theServiceMayBeOfALaterVersion() async throws {
        let folder = CacheFolder()
        do {
            let old = try harness.client(over: Network(harness), .folder(folder.path)).store(OldBook.self, .sync)
            try await old.save(OldBook(_id: "b1", author: "Austen", cents: 100))
        }
        let open = { [harness] seed in
            try harness.client(
                over: Network(harness),
                .folder(folder.path),
                migrations: Self.steps,
                serviceVersion: 3,
                seed: seed
            ).store(Book.self, .sync)
        }
        let books = try open(2)
        #expect(try await books.push().count == 1)
        let one = try await stored("b1")
        #expect(one["authorName"] == "Austen" && one["price"] == 1.0 && one["author"] == nil)
        #expect(try await books.pull().entities.map(\.price) == [1])
        #expect(
            try await books.find(Query(format: "price < 2"), options: Options(readPolicy: .forceNetwork)).count == 1
        )
    }

    // MARK: Files

    /// What a cache tracked under names of an earlier version is forgotten; the next pulls are in full.
    @Test func queriesOfEarlierVersionsAreForgotten() async throws {
        let folder = CacheFolder()
        try await fill()
        do {
            let old = try harness.client(over: Network(harness), .folder(folder.path)).store(OldBook.self, .sync)
            _ = try await old.pull(Query(format: "author == nil OR author == 'Austen'"))
            _ = try await old.pull()
        }
        let options = Options(deltaSync: true)
        let client = try harness.client(
            over: Network(harness),
            .folder(folder.path),
            options: options,
            migrations: Self.steps,
            seed: 2
        )
        #expect(try await client.trackedQueries("Book") == 1)
        let books = client.store(Book.self, .sync)
        #expect(try await client.sync().failures.isEmpty)
        #expect(try await books.find(Query(format: "authorName == 'Austen'")).count == 2)
        #expect(try await books.pull().wasDelta)
    }

    /// An older app is told that a newer one has migrated its file, which stays as it is.
    @Test func olderAppsAreTold() async throws {
        let folder = CacheFolder()
        let network = Network(harness)
        let older = try harness.client(over: network, .folder(folder.path), migrations: [Self.steps[0]])
        try await older.store(Book.self, .sync).save(Book(_id: "b1", authorName: "Austen"))
        do {
            _ = try harness.client(over: network, .folder(folder.path), migrations: Self.steps, seed: 2)
        }
        for migrations in [[], [Self.steps[0]]] {
            #expect {
                try harness.client(over: network, .folder(folder.path), migrations: migrations, seed: 3)
            } throws: {
                guard case .cache(let error)? = $0 as? StoreError else { return false }
                return error.message.contains("entities of version 3") && error.hint?.contains("migrations") ?? false
            }
        }
        // The one that had the file open meanwhile writes nothing in the form before.
        await #expect { try await older.store(Book.self, .sync).save(Book(_id: "b2")) } throws: {
            "\($0)".contains("entities of version 3")
        }
        let newer = try harness.client(over: network, .folder(folder.path), migrations: Self.steps, seed: 4)
        #expect(await newer.setAside.isEmpty)
        #expect(try await newer.store(Book.self, .sync).find().map(\.authorName) == ["Austen"])
    }
}
