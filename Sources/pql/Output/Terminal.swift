#if CLI
    /// What is known about a standard stream: whether it is a terminal, its width, and whether it shows colours.
    struct Terminal: Sendable {
        static let output = Terminal(descriptor: 1)
        static let error = Terminal(descriptor: 2)

        let descriptor: Int32

        var isTerminal: Bool { isatty(descriptor) == 1 }

        /// Colours only on terminals, and not if NO_COLOR is set or the terminal has none.
        var hasColor: Bool {
            guard isTerminal else { return false }
            if let value = getenv("NO_COLOR"), value.pointee != 0 { return false }
            guard let kind = getenv("TERM") else { return false }
            return String(cString: kind) != "dumb"
        }

        /// The number of columns, or nil if it is not a terminal.
        var width: Int? {
            guard isTerminal else { return nil }
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
            return Int(size.ws_col)
        }

        /// Writes immediately; a failure to write a message cannot be reported either.
        func write(_ text: String) {
            var text = text
            text.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while !rest.isEmpty {
                    let count = systemWrite(descriptor, rest.baseAddress, rest.count)
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { return }
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
        }
    }
#endif
