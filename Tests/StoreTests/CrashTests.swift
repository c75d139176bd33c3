#if os(Linux)
    import Foundation
    import PredicateQL
    import PredicateQLSQLite
    import PredicateQLStore
    import SpecSupport
    import StoreModel
    import StoreSupport
    import TestConditions
    import Testing

    /// Processes that use a store and are killed, share its file, or fill the disk: what they acknowledged is there, and
    /// nothing is there in half (W1, W3, W4).
    ///
    /// `CRASHES` says how often one is killed (25).
    @Suite(.tags(.machine), .machine, .timeLimit(.minutes(60))) struct StoreCrashTests {
        private static let crashes = ProcessInfo.processInfo.environment["CRASHES"].flatMap { Int($0) } ?? 25
        private let harness: ServiceHarness
        private let folder = CacheFolder()

        init() throws { harness = try .open() }

        private func start(
            _ name: String,
            first: Int = 0,
            steps: Int,
            _ more: [String] = [],
            limits: String = "",
            killTime: DispatchTimeInterval? = nil
        ) throws -> WatchedProcess {
            let arguments = [folder.path, name, "\(first)", "\(steps)"] + more
            return try WatchedProcess(harness, arguments, limits: limits, killTime: killTime)
        }

        /// Killed at random, and at each point between a transaction and the next step.
        @Test func nothingAcknowledgedIsLost() async throws {
            var ledger = Ledger()
            var kills = 0
            var random = SeededGenerator.standard
            for round in 0..<Self.crashes {
                let isRandom = round.isMultiple(of: 3)
                let point = StorePoint.allCases[round % StorePoint.allCases.count]
                let first = round * 1_000_000
                let process =
                    isRandom
                    ? try start(
                        "mine",
                        first: first,
                        steps: 1_000_000,
                        killTime: .microseconds(.random(in: 0...150_000, using: &random))
                    )
                    : try start(
                        "mine",
                        first: first,
                        steps: 500,
                        [point.rawValue, "\(Int.random(in: 1...12, using: &random))"]
                    )
                let (said, isKilled) = await process.wait()
                kills += isKilled ? 1 : 0
                #expect(said.failures.isEmpty, "round \(round): \(said.failures)")
                ledger.versions.merge(said.versions) { _, new in new }
                (ledger.open, ledger.count) = (said.open, ledger.count + said.count)
                try await check(&ledger, "round \(round), \(isRandom ? "at random" : point.rawValue)")
                if round % 5 == 4 || round == Self.crashes - 1 { try await settle(ledger, "round \(round)") }
            }
            #expect(
                kills > Self.crashes * 3 / 4 && ledger.count > Self.crashes,
                "\(kills) kills, \(ledger.count) calls"
            )
        }

        /// An app and its extension, for example.
        @Test func twoProcessesShareAFile() async throws {
            let processes = try ["one", "two", "three"].map { try start($0, steps: 150) }
            var ledger = Ledger()
            for process in processes {
                let (said, isKilled) = await process.wait()
                #expect(!isKilled && said.failures.isEmpty && said.count > 50, "\(said.failures)")
                ledger.versions.merge(said.versions) { _, new in new }
            }
            try await check(&ledger, "shared")
            try await settle(ledger, "shared")
        }

        /// With its signal ignored, a limit on the size of files fails writes as a broken disk does.
        @Test func fullDisksLoseNothing() async throws {
            let process = try start("mine", steps: 400, limits: "trap '' XFSZ; ulimit -f 2000;")
            let (said, isKilled) = await process.wait()
            #expect(!isKilled && said.count > 10 && said.failures.count > 10, "\(said.count), \(said.failures.count)")
            #expect(said.failures.allSatisfy { $0.hasPrefix("the cache failed: SQLite: ") }, "\(Set(said.failures))")
            var ledger = said
            try await check(&ledger, "full")
            try await settle(ledger, "full")
        }

        /// A small disk of its own, which a process fills; with room on it again, everything that was acknowledged goes on.
        @Test func fullTemporaryDisksLoseNothing() async throws {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            guard try mount(["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path]) else {
                return print("a full disk is not tested: nothing can be mounted here")
            }
            defer { _ = try? run("umount", ["-l", folder.path]) }
            let process = try start("mine", steps: 400)
            let (said, isKilled) = await process.wait()
            // How much fits before it is full depends on the order of the calls, which is random.
            #expect(!isKilled && said.count > 0 && said.failures.count > 10, "\(said.count), \(said.failures.count)")
            let full = "the cache failed: SQLite: database or disk is full"
            #expect(said.failures.allSatisfy { $0.hasPrefix(full) }, "\(Set(said.failures))")
            #expect(try mount(["-o", "remount,size=64m", folder.path]))
            var ledger = said
            try await check(&ledger, "full")
            try await settle(ledger, "full")
        }

        private func mount(_ arguments: [String]) throws -> Bool { try run("mount", arguments) == 0 }

        private func run(_ tool: String, _ arguments: [String]) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [tool] + arguments
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }

        /// A page that is damaged after a kill costs its own rows; what else waits goes on.
        @Test func damageAfterAKillCostsOnePage() async throws {
            try await folder.fill(harness)
            let process = try start("mine", steps: 500, [StorePoint.numbered.rawValue, "1"])
            let (said, isKilled) = await process.wait()
            try #require(isKilled && said.failures.isEmpty, "\(said.failures)")
            try folder.damage()
            let client = try harness.client(.folder(folder.path))
            let told = try #require(await client.setAside.first, "the file is used as it is")
            #expect(told.carried > 350 && (1..<40).contains(told.lost ?? 0), "\(told)")
            let novels = client.store(Novel.self, .sync)
            for (id, version) in said.versions where version != nil {
                #expect(try await novels.find(id: id).year == version)
            }
            #expect(try await novels.push().count == told.carried)
            #expect(try await harness.client(.folder(folder.path)).setAside.isEmpty)
        }

        // MARK: Checks

        /// The file is whole, rows and outbox fit, and every acknowledged version is there.
        private func check(_ ledger: inout Ledger, _ place: String) async throws {
            let found = try await versions(try harness.client(.folder(folder.path)), place)
            let file = try SQLiteDatabase(path: folder.path + "/kid-anonymous.sqlite", isReadOnly: false)
            #expect(try file.rows("PRAGMA integrity_check") == [["integrity_check": "ok"]], "\(place)")
            let halves = """
                SELECT o.id, o.kind FROM outbox o LEFT JOIN e1 e ON e.id = o.id
                WHERE o.kind IN (1, 2) AND e.id IS NULL OR o.kind = 3 AND e.id IS NOT NULL
                UNION ALL SELECT id, -1 FROM e1 WHERE seen = 0 AND id NOT IN (SELECT id FROM outbox)
                """
            #expect(try file.rows(halves).isEmpty, "\(place): a row without its entry, or an entry without its row")
            for (id, version) in found where ledger.versions[id] == nil {
                let isOpen =
                    ledger.open.map { ($0.ids.isEmpty || $0.ids.contains(id)) && $0.version == version } ?? false
                #expect(isOpen, "\(place): nobody saved \(version) of \(id)")
            }
            let changed = (ledger.open?.ids ?? []).filter { found[$0] == ledger.open?.version }
            // A call that did not return did all of its work or nothing.
            let isDone = !changed.isEmpty
            #expect(!isDone || changed.count == ledger.open?.ids.count, "\(place): half of a call")
            for (id, version) in ledger.versions where !isDone || !changed.contains(id) {
                #expect(found[id] == version, "\(place): \(id)")
            }
            ledger.open = nil
            for id in Set(ledger.versions.keys).union(found.keys) { ledger.versions[id] = .some(found[id]) }
        }

        /// What waits reaches the service once, and the cache is brought up to it (W2, W6).
        private func settle(_ ledger: Ledger, _ place: String) async throws {
            let client = try harness.client(.folder(folder.path))
            let novels = client.store(Novel.self, .sync, options: Options(pageSize: 7))
            for _ in 0..<3 where try await novels.syncCount() > 0 { _ = try await novels.push() }
            #expect(try await novels.pending().isEmpty, "\(place)")
            let service = try await harness.versions()
            for (id, version) in ledger.versions { #expect(service[id] == version, "\(place): \(id) on the service") }
            for hasDeltas in [true, false] {
                try await novels.pull(options: Options(deltaSync: hasDeltas))
                var found: [String: Int] = [:]
                for novel in try await novels.find() { found[novel._id ?? ""] = novel.year }
                let differing = Set(found.keys).union(service.keys).filter { found[$0] != service[$0] }
                #expect(differing.isEmpty, "\(place): after a pull with deltas \(hasDeltas)")
            }
        }

        /// The versions of the processes' entities in the cache.
        private func versions(_ client: StoreClient, _ place: String) async throws -> [String: Int] {
            var found: [String: Int] = [:]
            for novel in try await client.store(Novel.self, .sync).find() {
                #expect(novel.title == novel.year.map { "\($0)" }, "\(place): half of \(novel)")
                if let id = novel._id, !id.hasPrefix("theirs-") { found[id] = novel.year }
            }
            return found
        }
    }
#endif
