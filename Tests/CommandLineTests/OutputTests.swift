import Foundation
import QueryBatch
import SpecSupport
import Testing

/// `--output` with a file, and JSON on a terminal.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct OutputTests {
    private func inFolder(_ command: String) throws -> Tool.Outcome {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("{\"n\":1}\n{\"n\":2,\"o\":{\"s\":\"x\"}}\n".utf8).write(to: folder.appendingPathComponent("a.ndjson"))
        return try Tool.shell("cd '\(folder.path)' && \(command)")
    }

    @Test func filesAppearWhole() throws {
        let cases: [(command: String, output: String)] = [
            ("pql run a.ndjson -o b.csv && cat b.csv", "n,o.s\n1,\n2,x\n"),
            ("pql run a.ndjson --output b.json && cat b.json", "[\n{\"n\":1},\n{\"n\":2,\"o\":{\"s\":\"x\"}}\n]\n"),
            ("pql run a.ndjson 'n > 1' -o b.ndjson.gz && gunzip -c b.ndjson.gz", "{\"n\":2,\"o\":{\"s\":\"x\"}}\n"),
            ("pql run a.ndjson --fields n -o tsv -o b.data && cat b.data", "n\n1\n2\n"),
            ("pql run a.ndjson 'n > 1' -o a.ndjson --force && cat a.ndjson", "{\"n\":2,\"o\":{\"s\":\"x\"}}\n"),
            ("pql run a.ndjson -o ndjson -o /dev/null && ls -A", "a.ndjson\n"),
        ]
        for (command, output) in cases {
            let found = try inFolder(command)
            #expect(found.output == output && found.error.isEmpty, "\(command): \(found)")
        }
    }

    /// A table of Markdown: bars and line breaks are no part of it.
    @Test func markdownIsATable() throws {
        let rows = #"{"n":1,"s":"a|b","o":{"k":[1,2]},"e":""}"# + "\n" + #"{"n":null,"s":"x\ny"}"# + "\n"
        let table = """
            | n | s | o.k | e |
            | --- | --- | --- | --- |
            | 1 | a\\|b | [1,2] |  |
            |  | x<br>y |  |  |

            """
        #expect(try Tool.pql("run", "-", "-o", "markdown", input: rows).output == table)
        #expect(
            try Tool.pql("run", "-", "-o", "markdown", "--fields", "n", input: rows).output
                == "| n |\n| --- |\n| 1 |\n|  |\n"
        )
        #expect(try inFolder("pql run a.ndjson -o b.md && cat b.md").output.hasPrefix("| n |"))
    }

    @Test func nothingIsOverwrittenOrHalfWritten() throws {
        let cases: [(command: String, status: Int, error: String)] = [
            ("pql run a.ndjson -o a.ndjson", 73, "error: a.ndjson exists\nhint: --force replaces it\n"),
            ("pql run a.ndjson -o x/b.csv", 73, "error: cannot create x/b.csv: No such file or directory\n"),
            ("pql run x.ndjson -o b.csv", 66, "error: cannot open x.ndjson"),
            ("pql run a.ndjson 'n >' -o b.csv", 65, "error: "),
            ("(cat a.ndjson; echo x) | pql run - -o b.csv", 65, "error: standard input:3:1"),
            ("pql run a.ndjson -o b.data", 64, "Error: the extension of b.data names no format"),
            ("pql run a.ndjson --force", 64, "Error: --force belongs to --output"),
            ("pql run a.ndjson -o csv -o json", 64, "Error: --output takes one format and one file."),
        ]
        for (command, status, error) in cases {
            let found = try inFolder("\(command); echo $?; ls -A")
            #expect(found.output == "\(status)\na.ndjson\n", "\(command): \(found)")
            #expect(found.error.hasPrefix(error), "\(command): \(found)")
        }
        // Nor does a file that grows too large.
        let large = try inFolder(
            "seq 1 9999 | sed 's/.*/{\"a\":&}/' | (ulimit -f 8; pql run - -o b.ndjson; echo $?); ls -A"
        )
        #expect(large.output == "74\na.ndjson\n" && large.error.contains("cannot write"), "\(large)")
        // A signal leaves nothing either.
        let stop = "'\(Tool.executable?.path ?? "")' run f -o b.csv & p=$!; sleep 1; kill $p; wait $p; rm f; ls -A"
        let stopped = try inFolder("mkfifo f; (cat a.ndjson; sleep 3) > f & \(stop)")
        #expect(stopped.output == "a.ndjson\n", "\(stopped)")
    }

    @Test func jsonIsPrettyOnATerminal() throws {
        let check = try inFolder("command -v script && script -qec true /dev/null")
        guard check.status == 0 else {
            print("jsonIsPrettyOnATerminal skipped: no program script of util-linux")
            return
        }
        guard let tool = Tool.executable?.path else { return }
        func shown(_ options: String, _ environment: String) throws -> String {
            let run = "env \(environment) \(tool) run a.ndjson 'n > 1' \(options)"
            return try inFolder("script -qec \"\(run)\" /dev/null").output.replacing("\r\n", with: "\n")
        }
        let plain = "[\n{\n  \"n\": 2,\n  \"o\": {\n    \"s\": \"x\"\n  }\n}\n]\n"
        #expect(try shown("-o json", "TERM=xterm NO_COLOR=1") == plain)
        let colored = try shown("-o json", "TERM=xterm NO_COLOR=")
        #expect(colored.contains("\u{1B}[34;1m\"n\"\u{1B}[0m: 2") && colored.contains("\u{1B}[32m\"x\"\u{1B}[0m"))
        #expect(try shown("-o json", "TERM=dumb NO_COLOR=") == plain)
        #expect(try shown("-o ndjson", "TERM=xterm NO_COLOR=1") == "{\"n\":2,\"o\":{\"s\":\"x\"}}\n")
    }

    /// In the REPL the line with the mistake mended is the one before the next.
    @Test func theFixIsOnTheArrowKey() throws {
        let check = try inFolder("command -v script && script -qec true /dev/null")
        guard check.status == 0 else {
            print("theFixIsOnTheArrowKey skipped: no program script of util-linux")
            return
        }
        guard let tool = Tool.executable?.path else { return }
        let keys = #"printf 'n BETWEEN 2 AND 3 --limit 1\n\033[A\n'"#
        let run = "HOME=$PWD TERM=xterm NO_COLOR=1 script -qec \"\(tool) repl a.ndjson\" /dev/null"
        let shown = try inFolder("(sleep 1; \(keys); sleep 1) | \(run)").output
        #expect(shown.contains("fix: n BETWEEN {2, 3}") && shown.contains("press ↑ for the fix"), "\(shown)")
        #expect(shown.contains("n BETWEEN {2, 3} --limit 1") && shown.contains("x"), "\(shown)")
    }

    /// The recording of the README shows what the tool prints now.
    @Test func theRecordingIsUpToDate() throws {
        guard let tool = Tool.executable?.path else { return }
        let repository = SpecFile.repository
        let found = try inFolder("cd '\(repository.path)' && python3 .ci/recording '\(tool)'")
        guard found.status == 0 else {
            print("theRecordingIsUpToDate skipped: \(found.error)")
            return
        }
        let kept = try String(contentsOf: repository.appendingPathComponent(".github/recording.svg"), encoding: .utf8)
        #expect(found.output == kept, "run .ci/recording > .github/recording.svg")
    }
}

/// The progress bar, with a clock of the test's own.
@Suite struct ProgressTests {
    private static let start = "\r\u{1B}[K"

    @Test func theBarShowsRateAndTimeLeft() {
        var now = ContinuousClock.now
        var drawn: [String] = []
        let progress = ProgressBar(total: 100 << 20, isTerminal: true, clock: { now }, write: { drawn.append($0) })
        func draw(_ mebibytes: Int, after duration: Duration) -> [String] {
            now += duration
            progress.bytes = mebibytes << 20
            drawn = []
            progress.draw()
            return drawn
        }
        // A short run shows nothing, and a long one not more than ten bars a second.
        #expect(draw(10, after: .seconds(1)) == [])
        let bar = "[######........................] 20%  20 MiB  10 MiB/s  8 s left"
        #expect(draw(20, after: .seconds(1)) == [Self.start + bar])
        #expect(draw(21, after: .milliseconds(100)) == [])
        let half = "[###############...............] 50%  50 MiB  0 MiB/s  1 min 40 s left"
        #expect(draw(50, after: .milliseconds(97_900)) == [Self.start + half])
        let slow = "[###############...............] 50%  50 MiB  0 MiB/s  2 h 46 min left"
        #expect(draw(50, after: .seconds(9_900)) == [Self.start + slow])
        let end = "[##############################] 100%  101 MiB  0 MiB/s  0 s left"
        #expect(draw(101, after: .seconds(1)) == [Self.start + end])
        drawn = []
        progress.clear()
        progress.clear()
        #expect(drawn == [Self.start])
    }

    @Test func withoutASizeTheBarShowsTheRateAlone() {
        var now = ContinuousClock.now
        var drawn: [String] = []
        let progress = ProgressBar(total: nil, isTerminal: true, clock: { now }, write: { drawn.append($0) })
        now += .seconds(4)
        progress.bytes = 6 << 20
        progress.isWanted = false
        progress.draw()
        progress.clear()
        #expect(drawn == [])
        progress.isWanted = true
        progress.draw()
        #expect(drawn == [Self.start + "6 MiB  1 MiB/s"])
    }

    @Test func onlyATerminalShowsTheBar() {
        var now = ContinuousClock.now
        var drawn: [String] = []
        let progress = ProgressBar(total: 1, isTerminal: false, clock: { now }, write: { drawn.append($0) })
        now += .seconds(4)
        progress.draw()
        #expect(drawn == [])
    }
}
