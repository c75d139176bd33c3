import Synchronization

#if THREAD_SANITIZER
    /// A lock whose every access the thread sanitizer sees.
    ///
    /// A thread that waits for `Synchronization.Mutex` takes it inside the standard library, which the sanitizer cannot
    /// look into: it reports a race wherever two threads meet. Here a thread that finds the lock taken asks again.
    package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
        private let mutex: Synchronization.Mutex<Value>

        package init(_ value: consuming sending Value) {
            mutex = Synchronization.Mutex(value)
        }

        /// Runs a body while no other thread reads or changes the value.
        package func withLock<Answer, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Answer
        ) throws(Failure) -> sending Answer {
            while true {
                if let answer = try mutex.withLockIfAvailable(body) { return answer }
            }
        }
    }
#else
    package typealias Mutex = Synchronization.Mutex
#endif
