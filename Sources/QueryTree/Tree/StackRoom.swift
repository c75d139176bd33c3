#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Android)
    import Android
#endif

/// Runs work on a high tree on a stack that is large enough, whatever the caller's thread has (S26).
///
/// Trees are as high as `Limits.nesting` allows. A thread of 512 KiB, such as a dispatch queue's, is too small for
/// that: a nesting level takes about 10 KiB in an optimized build, because of inlining, and more in a debug build.
package enum StackRoom {
    /// Trees up to this height are processed on the caller's thread.
    package static let plainHeight = _isDebugAssertConfiguration() ? 4 : 20
    /// Trees up to this height are translated to SQL on the caller's thread; a level takes up to 60 KiB there.
    package static let plainHeightOfWriters = 4
    private static let stackSize = 64 << 20
    /// The maximum height of a checked tree; with default limits, parsed trees stay below a quarter of it.
    package static let mostHeight = 1_000

    /// Runs work that recurses over a condition.
    ///
    /// O(nodes) to find the height; a thread is created only for high trees.
    ///
    /// - Parameters:
    ///   - condition: the tree.
    ///   - height: what the caller's thread surely holds of such work.
    ///   - work: what recurses over it, once per call.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws.
    package static func run<Value, Failure>(
        for condition: Condition,
        above height: Int = plainHeight,
        _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try condition.isHigher(than: height) ? onLargeStack(work) : work()
    }

    /// The number of nested parser calls that fit on any stack: about four levels of a text, or eight.
    package static let plainCalls = _isDebugAssertConfiguration() ? 9 : 18

    /// Runs work that discovers how deep it must recurse; if it reports that it needs room, runs it again on a large
    /// stack.
    ///
    /// - Parameter work: sets the flag if it recurses deeper than ``plainCalls``; gets no flag when there is enough
    ///   room.
    /// - Returns: what the work returns.
    package static func run<Value>(_ work: (_ needsRoom: UnsafeMutablePointer<Bool>?) -> Value) -> Value {
        var needsRoom = false
        let value = work(&needsRoom)
        return needsRoom ? onLargeStack { work(nil) } : value
    }

    /// True when work on a tree needs a large stack.
    package static func isNeeded(for condition: Condition) -> Bool { condition.isHigher(than: plainHeight) }

    /// True when rows of a plan of this height need a large stack.
    package static func isNeeded(forHeight height: Int) -> Bool { height > plainHeight }

    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin) || canImport(Android)
        /// Set on our own threads, which already have a large stack.
        private static let mark: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }()

        private final class Job {
            let work: () -> Void
            init(_ work: @escaping () -> Void) { self.work = work }
        }

        /// Runs work on a thread of its own and waits for it; on the caller's thread if none can be created.
        package static func onLargeStack<Value, Failure>(
            _ work: () throws(Failure) -> Value
        ) throws(Failure) -> Value {
            if pthread_getspecific(mark) != nil { return try work() }
            var outcome: Result<Value, Failure>?
            withoutActuallyEscaping(work) { work in
                let job = Job {
                    do throws(Failure) {
                        outcome = .success(try work())
                    } catch {
                        outcome = .failure(error)
                    }
                }
                start(job)
            }
            guard let outcome else { return try work() }
            return try outcome.get()
        }

        private static func start(_ job: Job) {
            var attributes = pthread_attr_t()
            guard pthread_attr_init(&attributes) == 0 else { return }
            defer { pthread_attr_destroy(&attributes) }
            guard pthread_attr_setstacksize(&attributes, stackSize) == 0 else { return }
            let context = Unmanaged.passRetained(job)
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            guard pthread_create(&thread, &attributes, threadMain, context.toOpaque()) == 0 else {
                context.release()
                return
            }
            #if canImport(Darwin)
                if let thread { pthread_join(thread, nil) }
            #else
                pthread_join(thread, nil)
            #endif
        }

        #if canImport(Darwin)
            private static let threadMain: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
                run(context: $0)
            }
        #else
            private static let threadMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
                run(context: $0)
            }
        #endif

        private static func run(context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let context else { return nil }
            pthread_setspecific(mark, context)
            let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
            job.work()
            return nil
        }
    #else
        /// Systems without POSIX threads use the caller's stack.
        package static func onLargeStack<Value, Failure>(
            _ work: () throws(Failure) -> Value
        ) throws(Failure) -> Value {
            try work()
        }
    #endif
}

extension Condition {
    /// The number of nodes on the longest path from the root to a leaf; found without recursion.
    package var height: Int {
        var levels = TreeLevels(self)
        while levels.next() {}
        return levels.count
    }

    /// True if ``height`` exceeds a bound; looks no deeper than that.
    package func isHigher(than bound: Int) -> Bool {
        if bound <= StackRoom.plainHeight { return exceeds(bound) }
        var levels = TreeLevels(self)
        while levels.count <= bound, levels.next() {}
        return levels.count > bound
    }

    /// The same by recursion as deep as the bound, which allocates nothing.
    fileprivate func exceeds(_ bound: Int) -> Bool {
        if bound < 1 { return true }
        // Most conditions; nothing is copied for them.
        if case .comparison(let comparison) = self, !comparison.left.hasChildren, !comparison.right.hasChildren {
            return false
        }
        return containsChild {
            $0.exceeds(bound - 1)
        } condition: {
            $0.exceeds(bound - 1)
        }
    }
}

extension Term {
    fileprivate func exceeds(_ bound: Int) -> Bool {
        hasChildren
            && (bound < 1
                || containsChild {
                    $0.exceeds(bound - 1)
                } condition: {
                    $0.exceeds(bound - 1)
                })
    }
}

/// A tree's nodes, one level after the other; terms without children are on none.
private struct TreeLevels {
    private(set) var count = 1
    private var nodes: [TreeNode]

    init(_ root: Condition) { nodes = [.condition(root)] }

    /// Moves to the next level; false if there is none.
    mutating func next() -> Bool {
        var lower: [TreeNode] = []
        for node in nodes { node.appendChildren(to: &lower) }
        guard lower.contains(where: \.hasChildren) else { return false }
        nodes = lower
        count += 1
        return true
    }
}

extension TreeNode {
    /// False for a term without children.
    fileprivate var hasChildren: Bool { if case .term(let term) = self { term.hasChildren } else { true } }
}
