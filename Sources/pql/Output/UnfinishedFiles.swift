#if CLI
    /// Files that are removed when a signal ends the process before they are complete.
    enum UnfinishedFiles {
        /// Their paths, and nil after the last.
        private nonisolated(unsafe) static var paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

        /// Removes files that are there when a signal comes, in place of those of the last call.
        static func watch(_ names: [String]) {
            // A signal may come at any time, so the memory stays.
            let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: names.count + 1)
            list.initialize(repeating: nil, count: names.count + 1)
            for (position, name) in names.enumerated() { list[position] = strdup(name) }
            paths = list
            for number in [SIGINT, SIGTERM, SIGHUP] {
                signal(number) { number in
                    var next = UnfinishedFiles.paths
                    while let list = next, let path = list.pointee {
                        unlink(path)
                        next = list + 1
                    }
                    signal(number, SIG_DFL)
                    raise(number)
                }
            }
        }

        /// Keeps the files, which are complete.
        static func forget() { paths = nil }
    }
#endif
