import PredicateQL
import PredicateQLStore
import QueryValues

extension Simulation {
    /// Whether a simulated process has ended.
    final class Ended: Sendable {
        private let flag = Mutex(false)
        var value: Bool { flag.withLock { $0 } }
        func end() { flag.withLock { $0 = true } }
    }

    /// A device: its cache's folder outlives the process that runs on it.
    ///
    /// One thread runs everything.
    final class Device: @unchecked Sendable {
        let number: Int
        var options = Options()
        /// Requests of a hundred that meet a fault, and how long answers take.
        var faults = 0
        var delay = 40
        /// Whether the app decides conflicts.
        var asks = false
        /// One of how many points ends the process.
        var crashes = 400
        var client: StoreClient?
        var network: FaultyTransport?
        var ended = Ended()
        /// The id of the user who is logged in; nil for nobody.
        var user: String?
        /// What was done in the cache of each user who was here; nobody's has an empty name.
        private(set) var memories: [String: Memory] = [:]
        var isClearing = false
        /// The marks of changes that the app gave up for another version when it was asked.
        var overruled: Set<String> = []
        /// The entities of its cache as they were last read.
        var entities: [String: (json: [UInt8], entity: Document)] = [:]
        private var changes = 0

        init(number: Int) { self.number = number }

        var name: String { "d\(number)" }
        var isEnded: Bool { ended.value }

        /// What was done in a user's cache.
        subscript(user: String?) -> Memory {
            get { memories[user ?? "", default: Memory()] }
            _modify { yield &memories[user ?? "", default: Memory()] }
        }

        /// What was done in the cache of the user who is here.
        var memory: Memory {
            get { self[user] }
            _modify { yield &self[user] }
        }

        /// A name for the next change of the user who is here.
        func mark() -> String {
            changes += 1
            return Self.sign(name, user) + "\(changes)"
        }

        /// How the names of a user's changes on a device begin.
        static func sign(_ device: String, _ user: String?) -> String { "\(device)/\(user ?? ""):" }

        func overrule(_ conflict: Conflict) {
            if case .string(let mark)? = conflict.mine?["mark"] {
                overruled.insert(mark)
            } else {
                overruled.insert(conflict.id)
            }
        }
    }

    /// What the app did in the cache of one user.
    struct Memory {
        /// The mark of the last change of each entity; nil for a removal, without what was given up.
        var last: [String: String?] = [:]
        /// The greatest tick that something was known of, for each id (W5).
        var known: [String: Int64] = [:]
        /// Entities that were removed here.
        var removed: [String] = []
    }
}
