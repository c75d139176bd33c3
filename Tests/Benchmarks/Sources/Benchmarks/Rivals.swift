import Foundation

/// Other programs on the same people, each only if it is installed.
struct Rivals {
    /// The measurements of a competitor's program: nanoseconds of a whole count.
    struct Answer {
        var count: Int
        var nanoseconds: [String: Double]
    }

    /// The people as NDJSON.
    let file: String
    let rounds: Int

    /// The folder of the competitors' programs.
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Rivals").standardized.path

    /// DuckDB: `columns`, `ndjson` (one thread) and `ndjsonThreads`; or why there are none.
    func duckDB() -> (answers: [String: Answer], note: String) {
        let hint = "the Python module duckdb is not installed (pip install duckdb)"
        guard Self.run("python3 -c 'import duckdb'", []).status == 0 else { return ([:], hint) }
        return python("duckdb_people.py", name: "DuckDB")
    }

    /// SQLite in memory: `columns`.
    func sqlite() -> (answers: [String: Answer], note: String) {
        guard Self.run("python3 -c 'import sqlite3'", []).status == 0 else {
            return ([:], "Python with sqlite3 is not installed")
        }
        return python("sqlite_people.py", name: "SQLite")
    }

    private func python(_ script: String, name: String) -> (answers: [String: Answer], note: String) {
        let arguments = [Self.folder + "/" + script, file, Predicate20.file.path, String(rounds)]
        let output = Self.run("python3 \"$@\"", arguments)
        guard output.status == 0, let data = output.text.data(using: .utf8),
            let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let answers = document["answers"] as? [String: [String: Any]]
        else { return ([:], "\(script) failed: \(output.errors.suffix(300))") }
        let found = answers.mapValues { answer in
            Answer(
                count: answer["count"] as? Int ?? -1,
                nanoseconds: answer.compactMapValues { ($0 as? NSNumber)?.doubleValue }
            )
        }
        let threads = (document["threads"] as? Int).map { ", \($0) threads by default" } ?? ""
        return (
            found,
            "\(name) \(document["version"] as? String ?? "")\(threads), best of \(rounds); CPU time of one thread, wall time of more"
        )
    }

    /// jq: its count and the CPU time of one run over a file, or nil if it is not installed or fails.
    static func jq(_ condition: String, over file: String) -> (count: Int, nanoseconds: Double)? {
        let start = childTime()
        let program = "reduce (inputs | select(\(condition))) as $row (0; . + 1)"
        let output = run("jq -n \"$@\"", [program, file])
        let time = childTime() - start
        guard output.status == 0, let count = Int(output.text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            return nil
        }
        return (count, time)
    }

    /// CPU nanoseconds of the programs that have ended.
    private static func childTime() -> Double {
        var usage = rusage()
        let children: Int32 = -1  // RUSAGE_CHILDREN
        getrusage(children, &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        return seconds * 1e9 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3
    }

    static var jqVersion: String? {
        let output = run("jq --version", [])
        return output.status == 0 ? output.text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
    }

    /// The output of a shell command.
    ///
    /// Standard input and errors are files, because with a pipe, a program that exits without reading its input would
    /// end this one by a signal.
    static func run(
        _ command: String,
        _ arguments: [String],
        input: String = ""
    ) -> (status: Int32, text: String, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rival-\(UUID().uuidString)")
        let (asked, errors) = (folder.appendingPathComponent("input"), folder.appendingPathComponent("errors"))
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command, "sh"] + arguments
        process.standardOutput = output
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try input.write(to: asked, atomically: false, encoding: .utf8)
            try "".write(to: errors, atomically: false, encoding: .utf8)
            process.standardInput = try FileHandle(forReadingFrom: asked)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
        } catch { return (127, "", "\(error)") }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let message = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        return (process.terminationStatus, String(decoding: data, as: UTF8.self), message)
    }
}
