import Synchronization

#if THREAD_SANITIZER
    /// A lock whose every access the thread sanitizer sees.
    ///
    /// A thread that finds `Synchronization.Mutex` taken asks the system for it inside the standard library, which the
    /// sanitizer cannot look into: it reports a race wherever two threads meet. Here a thread asks again until a flag is
    /// free, and finds the lock free behind it.
    package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
        private let isTaken = Atomic(false)
        private let mutex: Synchronization.Mutex<Value>

        package init(_ value: consuming sending Value) {
            mutex = Synchronization.Mutex(value)
        }

        /// Runs a body while no other thread reads or changes the value.
        package func withLock<Answer, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Answer
        ) throws(Failure) -> sending Answer {
            while !isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {}
            defer { isTaken.store(false, ordering: .releasing) }
            return try mutex.withLock(body)
        }
    }
#else
    package typealias Mutex = Synchronization.Mutex
#endif
