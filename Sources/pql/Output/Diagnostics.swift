#if CLI
    import PredicateQL

    /// Messages for users, on standard error.
    enum Diagnostics {
        /// A query's mistake: the line, carets under the range, and a hint.
        static func write(_ error: QueryError) {
            var error = error
            if error.code == .tooMuchWork {
                error.hint = "narrow the condition, look at fewer elements, or raise --max-steps and --timeout"
            }
            write(text: error.rendered(), color: Terminal.error.hasColor)
        }

        /// A warning about something valid that is probably not what was meant.
        static func warn(_ warning: QueryError) {
            write(text: warning.rendered(as: "warning"), color: Terminal.error.hasColor)
        }

        /// Warns that rows with equal sort keys are on both sides of `--skip` or `--limit`.
        static func warnOfTies() {
            let message = "rows with equal sort keys are on both sides of --skip or --limit"
            warn(QueryError(.pipeline, message, hint: "end --sort with a field that identifies rows"))
        }

        /// A failure without a position.
        static func write(_ message: String, hint: String? = nil) {
            let hint = hint.map { "\nhint: " + $0 } ?? ""
            write(text: "error: " + message + hint, color: Terminal.error.hasColor)
        }

        /// A note that is not a failure.
        static func note(_ message: String) {
            Terminal.error.write(message + "\n")
        }

        /// A note about a file, once however often the file is read; the main thread reads files.
        static func noteOnce(_ message: String) {
            if told.insert(message).inserted { note(message) }
        }

        private nonisolated(unsafe) static var told: Set<String> = []

        /// The word before the first colon in red, carets in green, the hint's name in blue.
        private static func write(text: String, color: Bool) {
            guard color else { return Terminal.error.write(text + (text.hasSuffix("\n") ? "" : "\n")) }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
                if line.hasPrefix("error") { return Style.red(line, upTo: ":") }
                if line.hasPrefix("hint:") { return Style.blue(line, upTo: ":") }
                let isCaret = line.contains("^") && line.allSatisfy { " |^~".contains($0) }
                return isCaret ? Style.green(line) : String(line)
            }
            let joined = lines.joined(separator: "\n")
            Terminal.error.write(joined + (joined.hasSuffix("\n") ? "" : "\n"))
        }
    }

    /// Text in colours.
    enum Style {
        static func red(_ line: Substring, upTo end: Character) -> String { painted(line, "31;1", upTo: end) }
        static func blue(_ line: Substring, upTo end: Character) -> String { painted(line, "34;1", upTo: end) }
        static func green(_ line: Substring) -> String { "\u{1B}[32;1m" + line + "\u{1B}[0m" }
        static func bold(_ text: String) -> String { "\u{1B}[1m" + text + "\u{1B}[0m" }

        private static func painted(_ line: Substring, _ code: String, upTo end: Character) -> String {
            guard let stop = line.firstIndex(of: end) else { return String(line) }
            return "\u{1B}[\(code)m" + line[...stop] + "\u{1B}[0m" + line[line.index(after: stop)...]
        }
    }
#endif
