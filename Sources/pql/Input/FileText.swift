#if CLI
    /// Files that are opened by name.
    enum FileText {
        /// Opens a file for reading.
        ///
        /// - Throws: a `Failure` of status 66 when there is no such file or it may not be read.
        static func open(_ path: String) throws -> Int32 {
            var status = stat()
            let descriptor = systemOpen(path)
            guard descriptor >= 0 else {
                throw Failure(status: .noInput, message: "cannot open \(path): " + String(cString: strerror(errno)))
            }
            if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                close(descriptor)
                throw Failure(status: .noInput, message: "\(path) is a folder")
            }
            return descriptor
        }

        /// True if a path is that of a folder.
        static func isFolder(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }

        /// The size of an open file, or nil for pipes and terminals.
        static func size(_ descriptor: Int32) -> Int? {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return Int(status.st_size)
        }

        /// A whole file, which must be UTF-8.
        static func read(_ path: String) throws -> String {
            let descriptor = path == "-" ? 0 : try open(path)
            defer { if descriptor != 0 { close(descriptor) } }
            var bytes: [UInt8] = []
            while let more = try chunk(descriptor) { bytes += more }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(status: .data, message: "\(path) is not UTF-8 text")
            }
            return text
        }

        /// The next bytes, or nil at the end.
        static func chunk(_ descriptor: Int32, size: Int = 64 * 1_024) throws -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: size)
            while true {
                let count = bytes.withUnsafeMutableBytes { systemRead(descriptor, $0) }
                if count > 0 { return Array(bytes.prefix(count)) }
                if count == 0 { return nil }
                if errno != EINTR {
                    throw Failure(status: .io, message: "cannot read: " + String(cString: strerror(errno)))
                }
            }
        }
    }
#endif
