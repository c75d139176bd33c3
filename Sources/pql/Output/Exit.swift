#if CLI
    import ArgumentParser
    import PredicateQL
    import PredicateQLSQLite

    /// Exit codes as in sysexits.
    enum ExitStatus: Int32 {
        case usage = 64
        case data = 65
        case noInput = 66
        case cannotCreate = 73
        case io = 74
    }

    /// A failure that is not a mistake in a query.
    struct Failure: Error {
        var status: ExitStatus
        var message: String
        var hint: String?
    }

    extension QueryError {
        /// The error; of SQLite a failure to read or write, which is no fault of the data.
        var ofTool: any Error { sqliteCode != nil ? Failure(status: .io, message: message, hint: hint) : self }
    }

    /// The reader of our output is gone, which is not an error.
    struct BrokenPipe: Error {
        /// Turns writing to a closed pipe, and beyond the size that files may have, into an error instead of a signal.
        static func ignoreSignal() {
            signal(SIGPIPE, SIG_IGN)
            signal(SIGXFSZ, SIG_IGN)
        }
    }

    /// A failure whose message is already written.
    struct Reported: Error {
        var status: ExitStatus
    }

    /// Ends the process: the message goes to standard error, and the kind of failure determines the status.
    enum Exit {
        static func end(with error: any Error) -> Never {
            if error is BrokenPipe { exit(0) }
            // Output written before the failure appears before its message.
            do { try StandardOutput.shared.abandon() } catch is BrokenPipe { exit(0) } catch {}
            switch error {
            case let error as Reported:
                exit(error.status.rawValue)
            case let error as Failure:
                Diagnostics.write(error.message, hint: error.hint)
                exit(error.status.rawValue)
            case let error as QueryError:
                Diagnostics.write(error)
                exit(ExitStatus.data.rawValue)
            default:
                // Help and versions are "errors" of ArgumentParser too, with status 0.
                let status = Pql.exitCode(for: error)
                guard status == .success else { Pql.exit(withError: error) }
                endWithHelp(Pql.fullMessage(for: error))
            }
        }

        private static func endWithHelp(_ text: String) -> Never {
            do {
                try StandardOutput.shared.write(line: text)
                try StandardOutput.shared.flush()
            } catch {}
            exit(0)
        }
    }
#endif
