#if CLI
    /// The program `gzip` as a child process, so that the tool needs no library for it.
    ///
    /// It runs on another core, and a crash in it is not ours.
    final class GzipProcess {
        private let process: pid_t
        /// Where the program writes what is wrong.
        private let complaints: Int32
        private var isWaitedFor = false

        /// Starts the program.
        ///
        /// - Parameters:
        ///   - arguments: those of `gzip`.
        ///   - input: what it reads.
        ///   - output: what it writes to.
        ///   - start: bytes of the input that were already read from a pipe, which cannot go back.
        /// - Throws: a `Failure` of status 74 if there is no such program.
        init(_ arguments: [String], from input: Int32, to output: Int32, after start: [UInt8] = []) throws {
            let errors = try Self.pipe()
            var words = ["gzip"] + arguments
            if !start.isEmpty {
                let octal = start.map { byte in
                    let digits = String(byte, radix: 8)
                    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
                words = ["sh", "-c", "{ printf '\(octal.joined())'; cat; } | " + words.joined(separator: " ")]
            }
            let descriptors = [(input, Int32(0)), (output, 1), (errors.write, 2)]
            defer { _ = systemClose(errors.write) }
            do {
                process = try Self.spawn(words, descriptors)
            } catch {
                _ = systemClose(errors.read)
                throw error
            }
            complaints = errors.read
        }

        /// A pipe whose ends no child inherits.
        static func pipe() throws -> (read: Int32, write: Int32) {
            var ends: [Int32] = [-1, -1]
            guard systemPipe(&ends) == 0, let read = ends.first, let write = ends.last else {
                throw Failure(status: .io, message: "cannot make a pipe: " + String(cString: strerror(errno)))
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (read, write)
        }

        private static func spawn(_ words: [String], _ descriptors: [(from: Int32, to: Int32)]) throws -> pid_t {
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
                var attributes: posix_spawnattr_t?
            #else
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
            #endif
            posix_spawn_file_actions_init(&actions)
            posix_spawnattr_init(&attributes)
            defer {
                posix_spawn_file_actions_destroy(&actions)
                posix_spawnattr_destroy(&attributes)
            }
            for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
            // This tool ignores SIGPIPE; the child should end when nobody reads on.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
            let path = getenv("PATH").map { ["PATH=" + String(cString: $0)] } ?? []
            var arguments = words.map { strdup($0) } + [nil]
            var environment = path.map { strdup($0) } + [nil]
            defer { for text in arguments + environment { free(text) } }
            var process = pid_t()
            let status = posix_spawnp(&process, words.first ?? "", &actions, &attributes, &arguments, &environment)
            guard status == 0 else {
                throw Failure(
                    status: .io,
                    message: "cannot run the program gzip: " + String(cString: strerror(status)),
                    hint: "install gzip, or decompress the file first"
                )
            }
            return process
        }

        /// Waits until the program ends.
        ///
        /// - Returns: what it complained about; nil if it succeeded.
        func wait() -> String? {
            if isWaitedFor { return nil }
            isWaitedFor = true
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            defer { _ = systemClose(complaints) }
            if status == 0 { return nil }
            let text = String(decoding: (try? FileText.chunk(complaints)) ?? [], as: UTF8.self)
            if text.contains("trailing garbage") { return "other data follows it" }
            let line = text.split(separator: "\n").first { !$0.utf8.allSatisfy { $0 <= 0x20 } } ?? "it failed"
            return ["gzip: ", "stdin: "].reduce(line) { $0.hasPrefix($1) ? $0.dropFirst($1.count) : $0 }.trimmed
        }

        /// Lets go of a program whose output is not wanted any more.
        func abandon() {
            if isWaitedFor { return }
            isWaitedFor = true
            kill(process, SIGTERM)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            _ = systemClose(complaints)
        }
    }
#endif
