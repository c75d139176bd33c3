#if CLI
    import CEditline

    /// Reads lines typed by a user or piped in.
    ///
    /// On a terminal by libedit: history, and completion with the tab key.
    struct LineReader {
        private let prompt: String
        private let edits: Bool
        /// True if a person types the lines.
        var isInteractive: Bool { edits }

        /// Prepares reading.
        ///
        /// - Parameters:
        ///   - prompt: shown on a terminal only.
        ///   - words: what the tab key completes.
        init(prompt: String, completing words: [String]) {
            self.prompt = prompt
            edits = Terminal(descriptor: 0).isTerminal && Terminal.output.isTerminal
            if edits { Editing.start(words) }
        }

        /// The next line without its end, or nil at the end of input; lines that are not UTF-8 are reported and left out.
        func next() -> String? {
            while let bytes = edits ? Editing.line(prompt) : Self.line() {
                if let text = String(validating: bytes, as: UTF8.self) { return text }
                Diagnostics.write("the line is not UTF-8 text", hint: nil)
            }
            return nil
        }

        private nonisolated(unsafe) static let input = fdopen(0, "r")

        private static func line() -> [UInt8]? {
            var line: UnsafeMutablePointer<CChar>?
            var capacity = 0
            defer { free(line) }
            guard let input else { return nil }
            let count = getline(&line, &capacity, input)
            guard count >= 0, let line else { return nil }
            var bytes = Array(UnsafeRawBufferPointer(start: line, count: count))
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return bytes
        }

        /// Makes a line the one before the next, for the arrow key; false where nobody types.
        func offer(_ line: String) -> Bool {
            if edits { _ = add_history(line) }
            return edits
        }
    }

    /// libedit keeps one terminal for the whole process, so this does too.
    private enum Editing {
        /// Words for the tab key; C keeps the pointers, so they are never freed.
        private nonisolated(unsafe) static var words: [UnsafeMutablePointer<CChar>] = []
        private nonisolated(unsafe) static var position = 0

        private static var historyFile: String? {
            getenv("HOME").map { String(cString: $0) + "/.pql_history" }
        }

        static func start(_ texts: [String]) {
            words = texts.compactMap { strdup($0) }
            using_history()
            if let historyFile { _ = read_history(historyFile) }
            stifle_history(1_000)
            editline_set_completion { prefix, state in
                if state == 0 { Editing.position = 0 }
                return Editing.completion(of: prefix)
            }
        }

        /// The next word that starts with the prefix, ignoring case, in memory that libedit frees.
        private static func completion(of prefix: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
            guard let prefix else { return nil }
            while position < words.count {
                let word = words[position]
                position += 1
                if strncasecmp(word, prefix, strlen(prefix)) == 0 { return strdup(word) }
            }
            return nil
        }

        static func line(_ prompt: String) -> [UInt8]? {
            guard let line = readline(prompt) else { return nil }
            defer { free(line) }
            if line.pointee != 0 {
                _ = add_history(line)
                if let historyFile { _ = write_history(historyFile) }
            }
            return Array(UnsafeRawBufferPointer(start: line, count: strlen(line)))
        }
    }
#endif
