import Foundation

/// GNUstep's NSPredicate on the same formats, where it is installed.
enum GNUstep {
    /// CPU nanoseconds of one parse per format, nil where it throws; or why there are none.
    static func parse(_ formats: [String]) -> (nanoseconds: [Double?], note: String) {
        let none = formats.map { _ in Double?.none }
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("GNUstep/parse.m").path
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gnustep-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            command -v gnustep-config >/dev/null || { echo missing; exit 0; }
            mkdir -p '\(folder.path)' && cd '\(folder.path)'
            gcc -O2 $(gnustep-config --objc-flags) -std=gnu99 '\(source)' -o parse $(gnustep-config --base-libs) \
                >log 2>&1 || { echo failed; exit 0; }
            ./parse 2>/dev/null
            """
        let answer = run(script, input: formats.joined(separator: "\n") + "\n")
        if answer.hasPrefix("missing") {
            return (none, "GNUstep is not installed (Debian: apt-get install -y gobjc libgnustep-base-dev)")
        }
        let values = answer.split(separator: "\n").map { Double($0).flatMap { $0 < 0 ? nil : $0 } }
        guard values.count == formats.count else { return (none, "the GNUstep program did not compile or run") }
        return (values, "GNUstep's NSPredicate, parsed in the same run")
    }

    private static func run(_ script: String, input: String) -> String {
        let process = Process()
        let output = Pipe()
        let stdin = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardOutput = output
        process.standardInput = stdin
        do { try process.run() } catch { return "missing" }
        stdin.fileHandleForWriting.write(Data(input.utf8))
        stdin.fileHandleForWriting.closeFile()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
