#if os(Linux)
    import Foundation
    import PredicateQL
    import PredicateQLSQLite
    import QueryValues
    import Testing

    /// Starting, stopping, and backups.
    @Suite(.serialized, .server) struct OperationTests {
        @Test func aTermSignalAnswersWhatWasBegun() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try ServerProcess(in: folder)
            let clients = try (0..<200).map { _ in try HTTPClient(server) }
            for (number, client) in clients.enumerated() {
                try client.write(HTTPClient.request("POST", "Book", #"{"_id":"b\#(number)"}"#))
            }
            server.signal(SIGTERM)
            var acknowledged: [Int] = []
            for (number, client) in clients.enumerated() {
                // A connection that closes without an answer refuses.
                guard let answer = try? client.read() else { continue }
                #expect(answer.status == 201 || answer.status == 503, "\(answer.text)")
                if answer.status == 201 { acknowledged.append(number) }
            }
            #expect(server.wait() == 0)
            let next = try HTTPClient(ServerProcess(in: folder))
            for number in acknowledged { #expect(try next.send("GET", "Book/b\(number)").status == 200) }
        }

        @Test func anIdleServiceStopsAtOnce() throws {
            let server = try ServerProcess()
            let idle = try HTTPClient(server)
            #expect(try idle.send("GET", "/readyz").status == 200)
            let start = ContinuousClock.now
            server.signal(SIGINT)
            #expect(idle.isClosed())
            #expect(server.wait() == 0)
            #expect(ContinuousClock.now - start < .seconds(5))
        }

        @Test func appsAreKeptAsDigests() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            do {
                let first = try ServerProcess(in: folder)
                #expect(try HTTPClient(first).send("POST", "Book", #"{"_id":"a"}"#).status == 201)
                first.signal(SIGTERM)
                #expect(first.wait() == 0)
            }
            let second = try ServerProcess(in: folder, app: nil)
            #expect(!second.printed.contains("master"))
            #expect(try HTTPClient(second).send("GET", "Book/a").status == 200)
            let bytes = try Data(contentsOf: folder.appendingPathComponent("service.sqlite"))
            #expect(bytes.range(of: Data("master-secret".utf8)) == nil)
        }

        @Test func anAppIsMadeIfNoneIsNamed() throws {
            let server = try ServerProcess(app: nil)
            var secrets: [String: String] = [:]
            for line in server.printed.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                if words.count == 2 { secrets[words[0]] = words[1] }
            }
            let key = try #require(secrets["key"])
            let master = try #require(secrets["master"])
            let basic = "Basic " + Data("\(key):\(master)".utf8).base64EncodedString()
            #expect(try HTTPClient(server).send("GET", "/appdata/\(key)", as: basic).status == 200)
        }

        @Test func twoServicesDoNotShareADatabase() throws {
            let server = try ServerProcess()
            let other = try ServerProcess.run("serve", "--data", server.data, "--listen", "127.0.0.1:0")
            #expect(other.status == 74)
            #expect(other.error.contains("another service uses"))
        }

        @Test func noOtherNameOfTheFileIsAnotherDatabase() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let (link, far) = (folder.path + "/link.sqlite", folder.path + "/far.sqlite")
            let inner = folder.appendingPathComponent("inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "inner/service.sqlite")
            try FileManager.default.createSymbolicLink(atPath: far, withDestinationPath: "nowhere.sqlite")
            let server = try ServerProcess(in: inner)
            for command in [["serve", "--listen", "127.0.0.1:0", "--data", link], ["admin", link, "--rate", "50"]] {
                let other = try ServerProcess.run(command)
                #expect(other.status == 74 && other.error.contains("another service uses"), "\(other)")
            }
            try FileManager.default.linkItem(atPath: server.data, toPath: folder.path + "/hard.sqlite")
            let hard = try ServerProcess.run("admin", folder.path + "/hard.sqlite", "--rate", "50")
            #expect(hard.status == 74 && hard.error.contains("2 hard links"), "\(hard)")
            let none = try ServerProcess.run("serve", "--listen", "127.0.0.1:0", "--data", far)
            #expect(none.status == 74 && none.error.contains("a link to a missing file"), "\(none)")
        }

        @Test func aPortThatIsTakenIsAnError() throws {
            let server = try ServerProcess()
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let data = folder.appendingPathComponent("other.sqlite").path
            let other = try ServerProcess.run(
                "serve",
                "--data",
                data,
                "--app",
                ServerProcess.app,
                "--listen",
                "127.0.0.1:\(server.port)"
            )
            #expect(other.status == 74)
            #expect(other.error == "error: 127.0.0.1:\(server.port) is in use\n")
        }

        /// What keeps a service from starting is said with the file or the address, before anything is made.
        @Test func startsThatFailSayWhy() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            func path(_ name: String) -> String { folder.path + "/" + name }
            try "no database, but a text".write(toFile: path("text"), atomically: true, encoding: .utf8)
            try FileManager.default.createDirectory(atPath: path("taken.part/in"), withIntermediateDirectories: true)
            try SQLiteDatabase(path: path("other"), isReadOnly: false).execute("CREATE TABLE t (a)")
            #expect(try ServerProcess.run("admin", path("text")).status == 65)
            let here = ["--listen", "127.0.0.1:0", "--data"]
            for (arguments, status, reason) in [
                (["serve"] + here + [folder.path], 66, "\(folder.path) is a folder"),
                (["serve"] + here + [path("text")], 65, "\(path("text")) is not an SQLite database"),
                (["serve"] + here + [path("other")], 65, "\(path("other")): "),
                (["serve"] + here + [path("no/new")], 73, "cannot write \(path("no/new")): No such file"),
                (["serve"] + here + [path("new"), "--restore", path("text")], 65, "text is not an SQLite database"),
                (["serve"] + here + [path("new"), "--restore", path("none")], 66, "cannot open \(path("none")): "),
                (["admin", folder.path, "--rate", "5"], 66, "is a folder"),
                (["admin", path("text"), "--rate", "5"], 65, "text is not an SQLite database"),
                (["backup", path("copy"), "--data", path("text")], 65, "text is not an SQLite database"),
                (
                    ["backup", path("no/copy"), "--data", path("other")], 73,
                    "cannot write \(path("no/copy")): No such file"
                ),
                (
                    ["serve", "--data", path("new"), "--listen", "nohost.invalid:1"], 74,
                    "cannot listen on nohost.invalid:1: there is no such host"
                ),
            ] as [([String], Int32, String)] {
                let failed = try ServerProcess.run(arguments)
                #expect(failed.status == status && failed.error.contains(reason), "\(arguments): \(failed)")
                #expect(!failed.error.contains(".part"), "\(failed)")
            }
            let server = try ServerProcess(in: folder)
            let taken = try ServerProcess.run("backup", path("taken"), "--data", server.data)
            #expect(taken.status != 0 && taken.error.contains("taken.part is in the way"), "\(taken)")
            #expect(FileManager.default.fileExists(atPath: path("taken.part/in")))
        }

        /// What cannot be read is refused, in an option and in a variable.
        @Test func settingsThatCannotBeReadAreRefused() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let data = folder.path + "/service.sqlite"
            let serve = ["serve", "--listen", "127.0.0.1:0", "--data", data]
            for (variable, value, reason) in [
                ("PQL_HISTORY_DAYS", "x", "'x' is invalid for 'PQL_HISTORY_DAYS'"),
                ("PQL_HISTORY_DAYS", "2.5", "'2.5' is invalid for 'PQL_HISTORY_DAYS'"),
                ("PQL_HISTORY_DAYS", " 27", "' 27' is invalid for 'PQL_HISTORY_DAYS'"),
                ("PQL_HISTORY_DAYS", "31", "historyDays: it takes a number, 1 to 30"),
                ("PQL_RATE", "fast", "rate: it takes a number of requests"),
                ("PQL_RIGHTS", "public,", "PQL_RIGHTS has an empty part"),
                ("PQL_INDEX", "Book:a;;Book:b", "PQL_INDEX has an empty part"),
                ("PQL_ORIGIN", ",*", "PQL_ORIGIN has an empty part"),
                ("PQL_APP", "kid:a:b,", "PQL_APP has an empty part"),
                ("PQL_APP", "kid:a:b,kid:x:y", "the app kid is given twice"),
                ("PQL_APP", "kid:a", "PQL_APP takes key:secret:master"),
                ("PQL_DELTA", "Book,,x", "delta: \"\" is no name of a collection"),
            ] {
                let failed = try ServerProcess.run(serve, [variable: value])
                #expect(failed.status == 64 && failed.error.contains(reason), "\(variable)=\(value): \(failed)")
            }
            for (options, reason) in [
                (["--delta", "Book,,x"], "delta: \"\" is no name of a collection"),
                (["--rights", "=public"], "rightsOfCollections: \"\" is no name of a collection"),
                (["--index", ":a"], "--index takes name:keys"), (["--history-days", "31"], "1 to 30"),
                (["--app", "kid:a:b", "--app", "kid:x:y"], "the app kid is given twice"),
            ] {
                let failed = try ServerProcess.run(serve + options)
                #expect(failed.status == 64 && failed.error.contains(reason), "\(options): \(failed)")
            }
            let beside = try ServerProcess.run(serve + ["--app", "kid:a:b"], ["PQL_APP": "kid:x:y"])
            #expect(beside.status == 64 && beside.error.contains("given twice"), "\(beside)")
            #expect(!FileManager.default.fileExists(atPath: data))
            do {
                let server = try ServerProcess(in: folder)
                server.signal(SIGTERM)
                #expect(server.wait() == 0)
            }
            for (text, reason) in [
                (#"{"rate":"fast"}"#, "rate: it takes a number"), (#"{"ratee":1}"#, "ratee"), ("{", "settings.json"),
            ] {
                let file = folder.path + "/settings.json"
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                let failed = try ServerProcess.run(["admin", data, "--config", file])
                #expect(failed.status == 65 && failed.error.contains(file + ": "), "\(failed)")
                #expect(failed.error.contains(reason), "\(failed)")
            }
            // A name that is nearly read is told, also where the start fails.
            let near = try ServerProcess.run(
                serve + ["--app", "kid"],
                ["PQL_HSITORY_DAYS": "3", "PQL_OTHER_THINGS": "1"]
            )
            #expect(near.error.contains("PQL_HSITORY_DAYS is not read; did you mean PQL_HISTORY_DAYS?"), "\(near)")
            #expect(!near.error.contains("PQL_OTHER_THINGS"), "\(near)")
            // A variable without a value is one that is not there.
            let empty = ["PQL_HISTORY_DAYS": "", "PQL_RIGHTS": "", "PQL_DELTA": "", "PQL_INDEX": "", "PQL_RATE": ""]
            #expect(try ServerProcess.run(["admin", data, "--no-sign-up"], empty).status == 0)
        }

        /// `pql admin` checks all collections before it changes anything, in a file and by an address.
        @Test func administrationIsWholeOrNotDone() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let secret = folder.appendingPathComponent("master").path
            try "master-secret\n".write(toFile: secret, atomically: true, encoding: .utf8)
            func check(_ place: [String], _ data: String) throws {
                for (arguments, reason) in [
                    (["--history-days", "25", "--remove", "kid/Nope"], "there is no collection kid/Nope"),
                    (["--remove", "kid/Book", "--remove", "kid/Nope"], "there is no collection kid/Nope"),
                    (["--remove", "kid/Book", "--remove", "kid/Book"], "--remove kid/Book is given twice"),
                ] {
                    let refused = try ServerProcess.run(["admin"] + place + arguments)
                    #expect(refused.status == 64 && refused.error.contains(reason), "\(refused)")
                }
                let database = try SQLiteDatabase(path: data)
                #expect(try database.rows("SELECT name FROM collection").count == 1)
                let kept = try database.rows("SELECT value FROM meta WHERE key = 'settings'").first?["value"]
                guard case .string(let settings)? = kept else { Issue.record("no settings"); return }
                #expect(settings.contains(#""historyDays":15"#), "\(settings)")
                let near = try ServerProcess.run(["admin"] + place + ["--index", "Boook:author"])
                let note = "there is no collection Boook yet; did you mean Book?"
                #expect(near.status == 0 && near.error.contains(note), "\(near)")
            }
            let server = try ServerProcess(in: folder)
            #expect(try HTTPClient(server).send("PUT", "/appdata/kid/Book/a", "{}").status == 201)
            try check(["http://127.0.0.1:\(server.port)/kid", "--master-file", secret], server.data)
            server.signal(SIGTERM)
            #expect(server.wait() == 0)
            try check([server.data], server.data)
        }

        @Test func aBackupIsWholeAndItsCopyHasAnotherEpoch() throws {
            let server = try ServerProcess()
            let stop = Mutex(false)
            let acknowledged = Mutex(0)
            let writer = Thread {
                guard let client = try? HTTPClient(server) else { return }
                var number = 0
                while !stop.withLock({ $0 }) {
                    let body = (0..<10).map { #"{"_id":"b\#(number)-\#($0)","n":\#(number)}"# }.joined(separator: ",")
                    guard (try? client.send("POST", "Book", "[\(body)]"))?.status == 201 else { return }
                    number += 1
                    acknowledged.withLock { $0 = number }
                }
            }
            writer.start()
            while acknowledged.withLock({ $0 }) < 20 { usleep(1_000) }
            let before = acknowledged.withLock { $0 }
            let copy = server.folder.appendingPathComponent("copy.sqlite").path
            #expect(try ServerProcess.run("backup", copy, "--data", server.data).status == 0)
            let taken = try ServerProcess.run("backup", copy, "--data", server.data)
            #expect(taken.status == 73 && taken.error.contains("exists already"))
            let missing = try ServerProcess.run("backup", copy + "-2", "--data", server.data + "-none")
            #expect(missing.status == 66 && missing.error.contains("No such file"))
            stop.withLock { $0 = true }

            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let restored = try ServerProcess(in: folder, ["--restore", copy])
            let client = try HTTPClient(restored)
            let count = try #require(Int(try client.send("GET", "Book/_count")["count"] ?? ""))
            #expect(count >= before * 10)
            #expect(count % 10 == 0)
            #expect(try client.send("GET", "Book/b\(before - 1)-9").status == 200)
            let epochs = try [HTTPClient(server), client].map {
                try $0.send("GET", "/appdata/kid").headers["x-pql-epoch"]
            }
            #expect(epochs[0] != epochs[1])
            let again = try ServerProcess.run("serve", "--data", restored.data, "--restore", copy)
            #expect(again.status == 65)
            #expect(again.error.contains("exists already"))
        }

        /// An app moves to another database beside a running service; into one that is in use nothing comes.
        @Test func anAppIsMovedThroughAFolder() throws {
            let server = try ServerProcess()
            let client = try HTTPClient(server)
            #expect(try client.send("PUT", "Book/a", #"{"n":1}"#).status < 300)
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let (out, new) = (folder.path + "/out", folder.path + "/new/service.sqlite")
            let export = try ServerProcess.run("export", server.data, "--app", "kid", "--to", out)
            #expect(export.status == 0 && export.error.contains("1 entity and 0 users in"))
            #expect(try ServerProcess.run("export", server.data, "--app", "kid", "--to", out).status == 73)
            let used = try ServerProcess.run("import", out, "--into", server.data, "--app", "two")
            #expect(used.status == 74 && used.error.contains("another service uses"))
            try FileManager.default.createDirectory(atPath: folder.path + "/new", withIntermediateDirectories: false)
            let moved = try ServerProcess.run("import", out, "--into", new, "--app", "kid")
            #expect(moved.status == 0 && moved.error.contains("give it secrets with pql serve"))
            let again = try ServerProcess.run("import", out, "--into", new, "--app", "kid")
            #expect(again.status == 65 && again.error.contains("Book.ndjson:1: An entity with that _id already exists"))
            let other = try ServerProcess(in: folder.appendingPathComponent("new"))
            let (before, after) = (try client.send("GET", "Book/a"), try HTTPClient(other).send("GET", "Book/a"))
            #expect(after.status == 200 && after.body == before.body && after.headers["etag"] == before.headers["etag"])
        }

        /// A log that nobody reads stops nobody.
        @Test func aLogThatNobodyReadsStopsNobody() throws {
            let unread = Pipe()
            let server = try ServerProcess(["--log", "text"], error: unread)
            let client = try HTTPClient(server, timeout: 10)
            // A pipe holds 64 KiB.
            for _ in 0..<2_000 { #expect(try client.send("GET", "/healthz").status == 200) }
            withExtendedLifetime(unread) {}
        }

        /// `pql admin` changes a service that runs, by its address.
        @Test func settingsChangeByAddress() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let secret = folder.appendingPathComponent("master").path
            try "master-secret\n".write(toFile: secret, atomically: true, encoding: .utf8)
            let server = try ServerProcess(["--rights", "private"])
            let client = try HTTPClient(server)
            #expect(try client.send("PUT", "/appdata/kid/Book/a", "{}", as: HTTPClient.master).status == 201)
            #expect(try client.send("GET", "/appdata/kid/Book/a", nil, as: HTTPClient.app).status == 404)
            func admin(_ arguments: String...) throws -> (status: Int32, error: String) {
                // A slash at the end is none of the app's key.
                let place = "http://127.0.0.1:\(server.port)/kid/"
                return try ServerProcess.run(["admin", place, "--master-file", secret] + arguments)
            }
            let refused = try admin("--rights", "public")
            let reason = "public in place of private\nhint: --loosen allows it"
            #expect(refused.status == 64 && refused.error.contains(reason), "\(refused)")
            let loosened = try admin("--rights", "public", "--loosen")
            #expect(loosened.status == 0 && loosened.error.contains("loosened: rights: public in place of private"))
            // Indexes and rights of collections are sent by name, also those that are not there any more.
            #expect(try admin("--index", "Book:a", "--index", "News:b", "--rights", "Shut=closed").status == 0)
            #expect(try admin("--index", "News:c").status == 0)
            let settings = String(decoding: try client.send("GET", "/admin/kid").body, as: UTF8.self)
            #expect(
                settings.contains(#""indexes":{"News":["c"]}"#) && settings.contains(#""Shut":"closed""#),
                "\(settings)"
            )
            for (option, value, reason) in [
                ("--delta", "All", "write all"), ("--origin", "example.org", "no origin of a page"),
                ("--index", "Book:", "--index takes name:keys"), ("--index", "Book:a,,b", "has an empty path"),
                ("--rights", "B b=shared", "no name of a collection"),
            ] {
                let wrong = try admin(option, value)
                #expect(wrong.status != 0 && wrong.error.contains(reason), "\(option): \(wrong.error)")
            }
            #expect(try client.send("GET", "/appdata/kid/Book/a", nil, as: HTTPClient.app).status == 200)
            let misspelt = try admin("--remove", "kid/Boko")
            #expect(misspelt.status == 64 && misspelt.error.contains("did you mean kid/Book?"), "\(misspelt.error)")
            #expect(try admin("--remove", "kid/Book").status == 0)
            #expect(try client.send("GET", "/appdata/kid/Book/a", nil, as: HTTPClient.app).status == 404)
        }

        /// A log file that was renamed is made anew at SIGHUP, and the service goes on.
        @Test func aHangUpOpensTheLogAnew() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let (file, old) = (folder.appendingPathComponent("log"), folder.appendingPathComponent("log.1"))
            let server = try ServerProcess(["--log", "text", "--log-file", file.path])
            let client = try HTTPClient(server)
            func ask(_ path: String) throws -> String {
                let id = "id-" + path
                let named = ["X-Kinvey-Request-Id: \(id)"]
                #expect(try client.send("GET", path, nil, as: HTTPClient.master, named).status < 500)
                let end = ContinuousClock.now + .seconds(10)
                while ContinuousClock.now < end {
                    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                    if text.contains(id) { return text }
                    usleep(5_000)
                }
                return ""
            }
            #expect(try ask("before").contains("id-before"))
            try FileManager.default.moveItem(at: file, to: old)
            server.signal(SIGHUP)
            let end = ContinuousClock.now + .seconds(10)
            while !FileManager.default.fileExists(atPath: file.path), .now < end { usleep(5_000) }
            let text = try ask("after")
            #expect(text.contains("id-after") && !text.contains("id-before"), "\(text)")
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        }
    }
#endif
