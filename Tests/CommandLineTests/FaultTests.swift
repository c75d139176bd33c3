import Foundation
import PredicateQL
import PredicateQLSQLite
import TestConditions
import Testing

/// Disks, files, pipes and processes that fail: a clear error, the right status, no data lost.
@Suite(.tags(.machine), .machine, .enabled(if: Tool.executable != nil, "pql is built without its trait CLI"))
struct FaultTests {
    private static let old = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"

    private static func rows(_ count: Int) -> String {
        let text = String(repeating: "s", count: 300)
        return (0..<count).map { "{\"n\":\($0),\"s\":\"\(text)\"}\n" }.joined()
    }

    /// Calls `body` with the paths of a store whose table `old` has three rows and of a file of `count` new ones.
    private func withStore(_ count: Int, _ body: (_ store: String, _ file: String) throws -> Void) throws {
        try Tool.withFile("old.ndjson", Self.old) { old in
            let store = old + ".sqlite"
            #expect(try Tool.pql("import", old, "--into", store, "--table", "old").status == 0)
            let file = old + ".new"
            try Data(Self.rows(count).utf8).write(to: URL(fileURLWithPath: file))
            try body(store, file)
        }
    }

    private func expectAsBefore(_ store: String) throws {
        let found = try Tool.pql("run", store, "TRUEPREDICATE", "--sort", "a")
        // With a second table the command would require its name.
        #expect(found.status == 0 && found.output == Self.old, "\(found.error)")
    }

    /// The process is killed after SQLite has written pages of the new table to the file.
    @Test func killedImportLeavesTheFileAsItWas() throws {
        try withStore(30_000) { store, file in
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            let process = Process()
            process.executableURL = Tool.executable
            process.arguments = ["import", file, "--into", store, "--table", "new"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            var hasWritten = false
            while process.isRunning && !hasWritten {
                let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int
                hasWritten = (size ?? 0) > before.count
                usleep(500)
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(hasWritten && process.terminationReason == .uncaughtSignal, "killed too late")
            #expect(FileManager.default.fileExists(atPath: store + "-journal"))
            try expectAsBefore(store)
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)).count == before.count)
            let again = try Tool.pql("import", file, "--into", store, "--table", "new")
            #expect(again.status == 0, "\(again.error)")
            let count = try Tool.pql("run", store, "TRUEPREDICATE", "--table", "new", "--count")
            #expect(count.output == "30000\n")
        }
    }

    /// A signal that ends an import into a new file leaves neither the file nor its journal behind.
    @Test(arguments: [SIGINT, SIGTERM]) func endedImportLeavesNoFile(_ number: Int32) throws {
        try withStore(30_000) { store, file in
            let fresh = store + ".fresh"
            let process = Process()
            process.executableURL = Tool.executable
            process.arguments = ["import", file, "--into", fresh, "--table", "new"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            while process.isRunning, !FileManager.default.fileExists(atPath: fresh + "-journal") { usleep(500) }
            kill(process.processIdentifier, number)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
            for name in ["", "-journal"] { #expect(!FileManager.default.fileExists(atPath: fresh + name)) }
        }
    }

    /// What is in the way, and places where nothing can be created, have the status that they have for `run -o`.
    @Test func takenPlacesAreTold() throws {
        try withStore(3) { store, file in
            let service = store + ".service"
            try SQLiteDatabase(path: service, isReadOnly: false).execute(
                "CREATE TABLE meta (a); CREATE TABLE collection (a); CREATE TABLE receipt (a)"
            )
            for (target, table, message) in [
                (store, "OLD", "\(store) has a table OLD already"),
                ("/nonexist/a.db", "t", "cannot open /nonexist/a.db: "),
                (service, "t", "\(service) is the database of a service"),
            ] {
                let outcome = try Tool.pql("import", file, "--into", target, "--table", table)
                #expect(outcome.status == 73 && outcome.error.contains(message), "\(outcome)")
            }
            #expect(try SQLiteDatabase(path: service).tableNames().count == 3)
            try expectAsBefore(store)
        }
    }

    /// A limit on the file size; with its signal ignored, a write fails like on a full disk.
    @Test func fullDiskLeavesTheFileAsItWas() throws {
        try withStore(5_000) { store, file in
            let limited = "trap '' XFSZ; ulimit -f 200;"
            for target in [store, store + ".fresh"] {
                let outcome = try Tool.shell("\(limited) pql import '\(file)' --into '\(target)' --table new")
                #expect(outcome.status == 74 && outcome.error.hasPrefix("error: SQLite: "), "\(outcome)")
            }
            #expect(!FileManager.default.fileExists(atPath: store + ".fresh"))
            try expectAsBefore(store)
        }
    }

    /// A real full disk, if the machine lets the test mount one.
    @Test func fullTmpfsLeavesTheFileAsItWas() throws {
        try withStore(5_000) { store, file in
            let script = """
                disk=$(mktemp -d); trap 'umount "$disk"; rmdir "$disk"' EXIT
                mount -t tmpfs -o size=256k tmpfs "$disk" || exit 99
                cp '\(store)' "$disk/s.sqlite"
                pql import '\(file)' --into "$disk/s.sqlite" --table new; echo "import $?" >&2
                pql import '\(file)' --into "$disk/fresh.sqlite" --table new; echo "fresh $?" >&2
                ls "$disk" >&2
                pql run "$disk/s.sqlite" TRUEPREDICATE --sort a
                cat '\(file)' >"$disk/fill" 2>/dev/null; ls "$disk" | wc -l >&2
                printf '{"a":4}\\n' | pql import - --into "$disk/s.sqlite" --table another; echo "filled $?" >&2
                pql run "$disk/s.sqlite" a==2
                """
            let outcome = try Tool.shell(script)
            if outcome.status == 99 {
                print("fullTmpfsLeavesTheFileAsItWas skipped: no tmpfs can be mounted here: \(outcome.error)")
                return
            }
            #expect(outcome.output == Self.old + "{\"a\":2}\n", "\(outcome)")
            for line in ["import 74", "fresh 74", "filled 74"] {
                #expect(outcome.error.contains(line + "\n"), "\(outcome)")
            }
            #expect(outcome.error.components(separatedBy: "is full").count >= 3, "\(outcome)")
            #expect(outcome.error.contains("fresh 74\ns.sqlite\n"), "a file that was begun stays: \(outcome)")
            // The messages about the files are true: no journal is left, and the rows are unchanged.
            #expect(outcome.error.contains("s.sqlite is unchanged\nimport 74\n"), "\(outcome)")
            #expect(outcome.error.contains("fresh.sqlite was not created\nfresh 74\n"), "\(outcome)")
            #expect(!outcome.error.contains("s.sqlite-journal"), "\(outcome)")
        }
    }

    @Test func fullDiskUnderOutputIsTold() throws {
        for format in ["ndjson", "json", "csv", "table"] {
            let command = "pql run '\(Tool.cities)' TRUEPREDICATE --output \(format) > /dev/full"
            let outcome = try Tool.shell(command)
            #expect(outcome.status == 74 && outcome.error.contains("cannot write: "), "\(format) \(outcome)")
        }
    }

    @Test func readOnlyFileIsTold() throws {
        try withStore(3) { store, file in
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store)
            // The superuser may write anything, unless the test drops that privilege.
            let tool = try #require(Tool.executable?.path)
            let drop = geteuid() == 0 ? "setpriv --bounding-set -dac_override,-dac_read_search" : ""
            guard try Tool.shell("\(drop) true; ! \(drop) sh -c ': >> \(store)' 2>/dev/null").status == 0 else {
                print("readOnlyFileIsTold skipped: this user writes read-only files")
                return
            }
            let outcome = try Tool.shell("\(drop) '\(tool)' import '\(file)' --into '\(store)' --table new")
            #expect(outcome.status == 74 && outcome.error.contains("readonly"), "\(outcome)")
            try expectAsBefore(store)
        }
    }

    @Test func busyFileIsTold() throws {
        try withStore(3) { store, file in
            // Another process holds the lock while the command waits for it and times out.
            let script = """
                python3 -c "import sqlite3,sys,time; c=sqlite3.connect('\(store)', isolation_level=None); \
                c.execute('BEGIN EXCLUSIVE'); open('\(store).held','w').close(); time.sleep(20)" & holder=$!
                for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e '\(store).held' ] && break; sleep 0.5; done
                [ -e '\(store).held' ] || exit 99
                pql import '\(file)' --into '\(store)' --table new; status=$?
                pql run '\(store)' TRUEPREDICATE --table old; echo "run $?" >&2
                kill $holder; exit $status
                """
            let outcome = try Tool.shell(script)
            if outcome.status == 99 {
                print("busyFileIsTold skipped: no python3 with sqlite3 to hold the lock: \(outcome.error)")
                return
            }
            #expect(outcome.status == 74, "\(outcome)")
            #expect(outcome.error.contains("locked") && outcome.error.contains("try again"), "\(outcome.error)")
            #expect(outcome.error.contains("run 65") && outcome.output.isEmpty, "\(outcome)")
            try expectAsBefore(store)
        }
    }

    @Test func closedPipesEndEveryWriterQuietly() throws {
        let requests = "yes '{\"id\":1,\"format\":\"a == 1\",\"outputs\":[\"format\"]}' | head -20000"
        let commands = [
            "pql run '\(Tool.cities)' TRUEPREDICATE --output csv",
            "pql run '\(Tool.cities)' TRUEPREDICATE --output json",
            "\(requests) | pql batch",
        ]
        for command in commands {
            let outcome = try Tool.shell("{ \(command); echo \"status $?\" >&2; } | head -1")
            #expect(outcome.error == "status 0\n" && outcome.lines.count == 1, "\(command): \(outcome.error)")
        }
    }

    /// A truncated transfer is an error with its position; rows before it are returned, and stored rows are unchanged.
    @Test func truncatedRowsAreTold() throws {
        let whole = "{\"a\":1}\n{\"a\":22,\"s\":\"é\"}\n"
        let bytes = Array(whole.utf8)
        try withStore(0) { store, file in
            for count in 9..<bytes.count - 2 {
                try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: file))
                let run = try Tool.pql("run", file, "a > 0")
                #expect(run.status == 65 && run.output == "{\"a\":1}\n", "\(count) \(run)")
                #expect(run.error.hasPrefix("error: \(file):2:"), "\(count) \(run.error)")
            }
            for text in ["{\"a\":1}\n{\"a\":2", "[{\"a\":1},{\"a\":2}", "[{\"a\":1},", "[{\"a\":1}\n,{\"a\":"] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                let outcome = try Tool.pql("import", file, "--into", store, "--table", "new")
                #expect(outcome.status == 65 && outcome.error.hasPrefix("error: \(file):"), "\(text) \(outcome)")
                let piped = try Tool.pql(["import", "-", "--into", store, "--table", "new"], input: text)
                #expect(piped.status == 65, "\(text) \(piped)")
                try expectAsBefore(store)
            }
        }
    }

    /// A file of more rows than are read before the first is written: a late field, a late kind, a late fault.
    @Test func lateRowsChangeTheTable() throws {
        let types =
            "SELECT group_concat(type, ' ') AS types, (SELECT count(*) FROM new) AS rows FROM pragma_table_info('new')"
        for (end, wanted, note) in [
            (
                "{\"n\":1,\"late\":true}\n", ["types": "INTEGER TEXT PLAIN_BOOLEAN", "rows": 20_001] as Document,
                "20001 rows"
            ),
            ("{\"n\":1.5,\"late\":1}\n", ["types": "NUMBER_BLOB TEXT INTEGER", "rows": 20_001], "20001 rows"),
            ("{\"n\":1,\"late\":1\n{}", nil, ":20001:16: expected a comma"),
            ("{\"n\":1,\"N\":1}\n", nil, "differ from N only in case"),
        ] as [(String, Document?, String)] {
            try withStore(20_000) { store, file in
                try (Self.rows(20_000) + end).write(toFile: file, atomically: false, encoding: .utf8)
                for target in [store, store + ".fresh"] {
                    let outcome = try Tool.pql("import", file, "--into", target, "--table", "new")
                    #expect((outcome.status == 0) == (wanted != nil) && outcome.error.contains(note), "\(outcome)")
                    guard let wanted else { continue }
                    #expect(try SQLiteDatabase(path: target).rows(types) == [wanted])
                }
                if wanted == nil {
                    #expect(!FileManager.default.fileExists(atPath: store + ".fresh"))
                    try expectAsBefore(store)
                }
            }
        }
    }
}
