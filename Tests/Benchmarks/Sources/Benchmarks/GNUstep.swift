import Foundation

/// GNUstep's NSPredicate on the same formats, if it is installed.
enum GNUstep {
    /// CPU nanoseconds of one parse per format, nil if it throws; or why there are none.
    static func parse(_ formats: [String]) -> (nanoseconds: [Double?], note: String) {
        let answer = run("parse", [], formats)
        let values = answer.lines.map { Double($0).flatMap { $0 < 0 ? nil : $0 } }
        guard values.count == formats.count else { return (formats.map { _ in nil }, answer.note) }
        return (values, "GNUstep's NSPredicate, parsed in the same run")
    }

    /// The number of matches and CPU nanoseconds per row over dictionaries, nil if it throws or crashes.
    ///
    /// - Parameters:
    ///   - formats: the predicates.
    ///   - file: rows of NDJSON.
    ///   - rows: how many of them to read.
    /// - Returns: an answer for each predicate and its measurement, or no answers and why.
    static func evaluate(
        _ formats: [String],
        over file: String,
        rows: Int
    ) -> (answers: [(count: Int, nanoseconds: Double)?], note: String) {
        let answer = run("evaluate", [String(rows), file], formats)
        let values = answer.lines.map { line -> (count: Int, nanoseconds: Double)? in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let count = Int(parts[0]), let time = Double(parts[1]), count >= 0 else {
                return nil
            }
            return (count, time)
        }
        guard values.count == formats.count else { return ([], answer.note) }
        return (values, "GNUstep's NSPredicate over \(rows) dictionaries, CPU time, best of three")
    }

    /// Compiles a program of the folder `GNUstep` and passes it one format per line.
    private static func run(_ program: String, _ arguments: [String], _ formats: [String]) -> (
        lines: [Substring], note: String
    ) {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("GNUstep/\(program).m").path
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gnustep-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            command -v gnustep-config >/dev/null || { echo missing; exit 0; }
            mkdir -p "$1" && cd "$1" || exit 1
            gcc -O2 $(gnustep-config --objc-flags) -std=gnu99 "$2" -o program $(gnustep-config --base-libs) \
                >log 2>&1 || { echo failed; exit 0; }
            shift 2
            ./program "$@"
            """
        let input = formats.joined(separator: "\n") + "\n"
        let answer = Rivals.run(script, [folder.path, source] + arguments, input: input).text
        if answer.hasPrefix("missing") {
            return ([], "GNUstep is not installed (Debian: apt-get install -y gobjc libgnustep-base-dev)")
        }
        return (answer.split(separator: "\n"), "the GNUstep program did not compile or run")
    }
}
