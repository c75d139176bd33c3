#if CLI
    /// Names of files as typed; a quoted pattern is expanded here, as a shell would.
    enum FilePattern {
        /// The files of names and patterns, those of a pattern in alphabetical order.
        ///
        /// - Throws: a `Failure` of status 66 for a pattern that no file matches.
        static func files(_ names: [String]) throws -> [String] {
            var files: [String] = []
            for name in names {
                guard isPattern(name) else {
                    files.append(name)
                    continue
                }
                let found = matches(name)
                guard !found.isEmpty else {
                    throw Failure(status: .noInput, message: "no file matches \(name)")
                }
                files += found
            }
            return files
        }

        /// True if there is a file of that name, or one that matches it; so it is no predicate.
        static func isFile(_ text: String) -> Bool {
            text == "-" || access(text, F_OK) == 0 || isPattern(text) && !matches(text).isEmpty
        }

        private static func isPattern(_ name: String) -> Bool {
            name.utf8.contains { "*?[".utf8.contains($0) } && access(name, F_OK) != 0
        }

        private static func matches(_ pattern: String) -> [String] {
            var found = glob_t()
            defer { globfree(&found) }
            guard glob(pattern, 0, nil, &found) == 0 else { return [] }
            return (0..<Int(found.gl_pathc)).compactMap { position in
                found.gl_pathv.flatMap { $0[position] }.map { String(cString: $0) }
            }
        }
    }
#endif
