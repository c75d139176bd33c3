import QueryValues

/// Connections for reads of a few rows by key, which run on their callers' threads.
///
/// Such a read takes less time than handing it to another thread and waiting for the answer.
final class ShortReads: Sendable {
    /// Nil after ``stop()``.
    private let idle: Mutex<[Unchecked<Connection>]?>

    /// - Parameter connections: used by one caller at a time.
    init(_ connections: [Connection]) {
        idle = Mutex(connections.map { Unchecked($0) })
    }

    /// Runs a read; nil if all connections are in use, or after ``stop()``.
    func run<Value>(_ body: (Connection) -> Value) -> Value? {
        guard let connection = idle.withLock({ $0?.popLast() }) else { return nil }
        defer { idle.withLock { $0?.append(connection) } }
        return body(connection.value)
    }

    /// Lets no further reads run.
    func stop() { idle.withLock { $0 = nil } }
}
