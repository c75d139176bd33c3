import Synchronization

/// A lock around a value.
///
/// `Synchronization.Mutex` is compiled into whatever takes it, with a thread's own variable that holds its number. Optimized
/// asynchronous functions look up its place before an `await` and use it after that, on another thread: the lock is taken
/// in the wrong name, and giving it back ends the process. So it is taken in a function that does not suspend.
package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: Synchronization.Mutex<Value>
    #if THREAD_SANITIZER
        /// The sanitizer cannot see how the standard library waits; a thread tries until this is free, then takes the lock.
        @usableFromInline let isTaken = Atomic(false)
    #endif

    package init(_ value: consuming sending Value) {
        mutex = Synchronization.Mutex(value)
    }

    /// Runs a body while no other thread reads or changes the value.
    @inlinable @inline(never) package func withLock<Answer, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Answer
    ) throws(Failure) -> sending Answer {
        #if THREAD_SANITIZER
            while !isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {}
            defer { isTaken.store(false, ordering: .releasing) }
        #endif
        return try mutex.withLock(body)
    }
}
