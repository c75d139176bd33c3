#if os(Linux)
    import Foundation
    import SpecSupport
    import Testing

    /// What the pages show runs as it stands.
    @Suite(.server) struct PageTests {
        /// The session of the README; its first line starts the service, on another port here.
        @Test func theSessionOfTheREADMERuns() throws {
            let page = try String(contentsOf: SpecFile.repository.appendingPathComponent("README.md"), encoding: .utf8)
            let fence = try #require(page.components(separatedBy: "```bash\n").dropFirst().first)
            let lines = fence.components(separatedBy: "```")[0].split(separator: "\n").map(String.init)
            let start = "swift run --traits default,Server pql serve "
            #expect(lines[0].hasPrefix(start) && lines[0].hasSuffix(" &"))
            let options = lines[0].dropFirst(start.count).dropLast(2).split(separator: " ").map(String.init)
            let server = try ServerProcess(options, app: nil)
            let variables = lines.dropFirst().filter { !$0.hasPrefix("curl ") }
            #expect(variables.contains { $0.contains("localhost:8080") })
            func answer(_ line: String) throws -> String {
                let command = (variables + [line]).joined(separator: "\n")
                    .replacing("localhost:8080", with: "127.0.0.1:\(server.port)")
                let process = Process()
                let output = Pipe()
                process.executableURL = URL(fileURLWithPath: "/bin/sh")
                process.arguments = ["-c", command.replacing("curl ", with: "curl -sS --fail ")]
                process.standardOutput = output
                try process.run()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                #expect(process.terminationStatus == 0, "\(line)")
                return text
            }
            let requests = lines.filter { $0.hasPrefix("curl ") }
            #expect(requests.count == 2)
            #expect(try answer(requests[0]).contains("Ulysses"))
            #expect(try answer(requests[1]).contains("Ulysses"))
            #expect(try answer(requests[1].replacing("500", with: "800")) == "[]")
        }

        /// The options of `Grammar/service.md` are those of the tool.
        @Test func thePageNamesEveryOption() throws {
            let file = SpecFile.repository.appendingPathComponent("Grammar/service.md")
            let page = try String(contentsOf: file, encoding: .utf8)
            let process = Process()
            let output = Pipe()
            let tool: URL = try #require(ServerProcess.executable)
            process.executableURL = tool
            process.arguments = ["serve", "--help"]
            process.standardOutput = output
            try process.run()
            let help = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let names = help.matches(of: /\n  (--[a-z-]+)/).map { String($0.output.1) }.filter { $0 != "--version" }
            #expect(names.count > 10)
            for name in names { #expect(page.contains("| `\(name)"), "\(name)") }
            for name in page.matches(of: /\n\| `(--[a-z-]+)/).map({ String($0.output.1) }) {
                #expect(names.contains(name), "\(name)")
            }
        }
    }
#endif
