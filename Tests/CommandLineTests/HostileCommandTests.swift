import Foundation
import Testing

/// Hostile input to a process of bounded memory and time: an answer or an error, never a signal.
///
/// The kernel is the watchdog: a process that asks for more address space than `kibibytes` traps, one that runs for more
/// than `seconds` of processor time is killed. Both hold for a debug build.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct HostileCommandTests {
    /// 1 GiB of address space: the code, its stacks and one row of `Limits.rowBytes`.
    private static let kibibytes = 1 << 20
    private static let seconds = 30

    private func bounded(_ command: String) throws -> Tool.Outcome {
        try Tool.shell("ulimit -v \(Self.kibibytes); ulimit -t \(Self.seconds); \(command)")
    }

    /// A text of one character many times, made where it is read.
    private func repeated(_ text: String, bytes: Int) -> String {
        "yes '\(text)' | tr -d '\\n' | head -c \(bytes)"
    }

    /// The watchdog bites, else the other tests would show nothing.
    @Test func theBoundIsABound() throws {
        let program = "python3 -c 'bytearray(1 << 30)' 2>/dev/null || exit 9"
        guard try Tool.shell("python3 -c 'bytearray(1 << 20)'").status == 0 else {
            print("theBoundIsABound skipped: no python3 here")
            return
        }
        #expect(try bounded(program).status == 9)
    }

    @Test func rowsWithoutAnEnd() throws {
        for text in ["a", "[", "{\"a\":", "\"a", "1", "[1,", " "] {
            let outcome = try bounded("\(repeated(text, bytes: 66 << 20)) | pql run - \"a == 1\" --count")
            #expect(outcome.status == 65 && outcome.error.hasPrefix("error: "), "\(text) \(outcome)")
        }
    }

    @Test func manyRowsAreNotKept() throws {
        let row = "{\"a\":1,\"s\":\"" + String(repeating: "s", count: 900) + "\"}"
        let rows = "yes '\(row)' | head -n 60000"
        for arguments in ["'a == 1' --count", "'a == 2'", "'TRUEPREDICATE' --sort s --limit 3 --count"] {
            let outcome = try bounded("\(rows) | pql run - \(arguments)")
            #expect(outcome.status == 0, "\(arguments) \(outcome.error)")
        }
    }

    @Test func requestsWithoutAnEnd() throws {
        for text in ["(", "a == 1 AND ", "{\"id\":", "\\u0000", "["] {
            let line =
                "{ printf '{\"id\":1,\"format\":\"'; \(repeated(text, bytes: 4 << 20)); echo '\"}'; echo '{\"id\":2}'; }"
            let outcome = try bounded("\(line) | pql batch")
            #expect(outcome.status == 0 && outcome.lines.count == 2, "\(text) \(outcome.status) \(outcome.error)")
            #expect(outcome.lines.allSatisfy { $0.contains("\"error\":{") }, "\(text) \(outcome.output.prefix(300))")
        }
    }

    @Test func linesBeyondTheBoundAreAnswered() throws {
        let sound = #"{"id":2,"format":"a == 1","outputs":["format"]}"#
        let long = "{ \(repeated("x", bytes: 70 << 20)); echo; echo; echo '\(sound)'; }"
        for (options, first) in [("", long), ("--max-line 60", "printf '%s\\n' '\(sound)\(sound)' '' '\(sound)'")] {
            let outcome = try bounded("\(first) | pql batch \(options)")
            #expect(outcome.status == 0 && outcome.lines.count == 2, "\(options) \(outcome)")
            #expect(outcome.lines.first?.hasPrefix(#"{"id":null,"error":{"code":"limit""#) == true, "\(outcome)")
            #expect(outcome.lines.last?.hasPrefix(#"{"id":2,"format":"#) == true, "\(outcome)")
        }
        let unended = try Tool.pql("batch", "--max-line", "5", input: "123456789")
        #expect(unended.lines.count == 1 && unended.output.contains("longer than 5 bytes"), "\(unended)")
        #expect(try Tool.pql("batch", "--max-line", "0").status == 64)
    }

    @Test func regexesInAFile() throws {
        let row = "{\"s\":\"" + String(repeating: "a", count: 5_000) + "!\"}\n"
        try Tool.withFile("rows.ndjson", String(repeating: row, count: 3)) { file in
            for pattern in ["(a+)+$", "(a|aa)+$", "(.*a){25}b", "(?:a{1,100}){1,100}b", "((((a{60}){60}){60}){60})"] {
                let outcome = try bounded("pql run '\(file)' \"s MATCHES '\(pattern)'\" --count")
                #expect([0, 65].contains(outcome.status), "\(pattern) \(outcome)")
            }
        }
    }
}
