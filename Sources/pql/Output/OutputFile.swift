#if CLI
    /// A file of results: written beside its place and moved there when it is complete.
    ///
    /// A device or a pipe is written to as it is.
    final class OutputFile {
        /// Where the results are written.
        private(set) var descriptor: Int32
        private let path: String
        private let replaces: Bool
        private var temporary: String?
        private var gzip: GzipProcess?

        /// Creates the file; a name that ends with `.gz` packs it.
        ///
        /// - Parameters:
        ///   - path: where it appears in the end.
        ///   - replaces: true to replace a file that is there.
        /// - Throws: a `Failure` of status 73 if there is such a file or it cannot be created.
        init(_ path: String, replaces: Bool) throws {
            self.path = path
            self.replaces = replaces
            var status = stat()
            if stat(path, &status) == 0 {
                switch status.st_mode & S_IFMT {
                case S_IFDIR: throw Failure(status: .cannotCreate, message: "\(path) is a folder")
                case S_IFREG:
                    guard replaces else { throw Self.exists(path) }
                default:
                    descriptor = try Self.created(path, O_WRONLY | O_CLOEXEC, path)
                    return
                }
            }
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            let temporary = path.dropLast(name.count) + ".\(name).\(getpid()).part"
            descriptor = try Self.created(String(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, path)
            self.temporary = String(temporary)
            UnfinishedFiles.watch([String(temporary)])
            if path.lowercased().hasSuffix(".gz") { try pack() }
        }

        private static func exists(_ path: String) -> Failure {
            Failure(status: .cannotCreate, message: "\(path) exists", hint: "--force replaces it")
        }

        private static func created(_ path: String, _ flags: Int32, _ shown: String) throws -> Int32 {
            let descriptor = systemOpen(path, flags)
            if descriptor < 0 {
                let reason = String(cString: strerror(errno))
                throw Failure(status: .cannotCreate, message: "cannot create \(shown): \(reason)")
            }
            return descriptor
        }

        /// Lets gzip write the file.
        private func pack() throws {
            do {
                let pipe = try GzipProcess.pipe()
                defer { _ = systemClose(pipe.read) }
                gzip = try GzipProcess(["-c"], from: pipe.read, to: descriptor)
                _ = systemClose(descriptor)
                descriptor = pipe.write
            } catch {
                discard()
                throw error
            }
        }

        /// Moves the complete file to its place.
        ///
        /// - Throws: a `Failure` if it cannot be completed; the place is then as before.
        func complete() throws {
            let isClosed = systemClose(descriptor) == 0
            let complaint = gzip?.wait()
            guard let temporary else { return }
            do {
                if let complaint { throw Failure(status: .io, message: "cannot write \(path): gzip: \(complaint)") }
                guard isClosed else { throw Self.failed(path) }
                // A link never replaces a file that appeared in the meantime; some file systems have no links.
                if !replaces, link(temporary, path) == 0 {
                    unlink(temporary)
                } else if !replaces, errno == EEXIST {
                    throw Self.exists(path)
                } else if rename(temporary, path) != 0 {
                    throw Self.failed(path)
                }
                self.temporary = nil
                UnfinishedFiles.forget()
            } catch {
                unlink(temporary)
                self.temporary = nil
                throw error
            }
        }

        private static func failed(_ path: String) -> Failure {
            Failure(status: .io, message: "cannot write \(path): " + String(cString: strerror(errno)))
        }

        /// Removes the incomplete file.
        func discard() {
            gzip?.abandon()
            if let temporary { unlink(temporary) }
            temporary = nil
        }
    }
#endif
