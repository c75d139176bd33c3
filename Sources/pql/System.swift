#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#endif

/// `write(2)`, under a name that no method hides.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// `open(2)` for reading, under a name that no method hides.
func systemOpen(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_CLOEXEC)
}

/// `open(2)` with flags; a new file gets the rights that the user's mask leaves.
func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags, 0o666)
}

/// `read(2)`, under a name that no method hides.
func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

/// `close(2)`, under a name that no method hides.
func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}

/// The position of the first argument that is not UTF-8, which Swift would silently repair; nil if all are valid.
func malformedArgument() -> Int? {
    (1..<max(1, Int(CommandLine.argc))).first { position in
        guard let text = CommandLine.unsafeArgv[position] else { return false }
        return String(validatingCString: text) == nil
    }
}

/// `pipe(2)`, under a name that no method hides.
func systemPipe(_ ends: inout [Int32]) -> Int32 {
    pipe(&ends)
}
