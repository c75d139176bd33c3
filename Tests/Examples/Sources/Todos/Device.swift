import PredicateQL
import PredicateQLStore
import StoreModel

/// A device with the list in a cache of its own, which it syncs when it is told to.
struct Device {
    private let network: Network
    private let todos: DataStore<Todo>

    init(_ network: Network) throws {
        self.network = network
        // With `.folder(path)` for `.memory` the list outlives the app.
        let client = try StoreClient(network, app: .init(key: "todos", secret: "secret"), cache: .memory)
        todos = client.store(Todo.self, .sync, options: Options(deltaSync: true, conflict: .ask(merge)))
    }

    /// Runs a command, such as `add Buy milk`; what there is to say.
    func run(_ command: String, _ words: String) async throws -> [String] {
        switch command {
        case "add":
            try await todos.save(Todo(text: words))
        case "done":
            var todo = try await first(words)
            todo.isDone = true
            try await todos.save(todo)
        case "change":
            let parts = words.split(separator: " to ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return ["write: change milk to Buy oat milk"] }
            var todo = try await first(parts[0])
            todo.text = parts[1]
            try await todos.save(todo)
        case "remove":
            try await todos.remove(id: first(words)._id ?? "")
        case "list":
            return try await todos.find(Query(order: ["isDone", "text"])).map(line)
        case "find":
            return try await todos.find(Query(parsing: words)).map(line)
        case "sync":
            return try await sync()
        case "offline", "online":
            await network.set(isOnline: command == "online")
        default:
            return ["add, done, change … to …, remove, list, find, sync, offline, online"]
        }
        return []
    }

    /// Sends what waits, then asks for what the other device did.
    private func sync() async throws -> [String] {
        let result = try await todos.sync()
        let waiting = try await todos.syncCount()
        return ["sent \(result.push.count), \(waiting) waiting"] + result.push.failures.map { "\($0.error)" }
    }

    /// The first todo whose text has some words.
    private func first(_ words: String) async throws -> Todo {
        let query = try Query(format: "text CONTAINS[c] \(words)", order: ["text"], limit: 1)
        guard let todo = try await todos.find(query).first else { throw StoreError.notFound }
        return todo
    }

    private func line(_ todo: Todo) -> String { (todo.isDone ? "[x] " : "[ ] ") + todo.text }
}

/// Both devices changed a todo: what this one changed is put into the other's version.
@Sendable private func merge(_ conflict: Conflict) -> Resolution {
    guard let mine = conflict.mine, var merged = conflict.theirs else { return .keepMine }
    for (field, value) in mine.pairs where value != conflict.base?[field] { merged[field] = value }
    return .merged(merged)
}
