#if Server
    import Foundation
    import PredicateQLService
    import PredicateQLStore
    import QueryValues
    import StoreModel

    /// A to-do of the page's two devices.
    struct Todo: Entity {
        static let collection = "Todo"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var text: String
        var isDone = false
    }

    /// A phone and a laptop with one to-do list: two stores, and a service between them, which the page shows at work.
    ///
    /// Each store has a cache file in a folder that ends with the session. The service is in memory, apart from the one
    /// that `pql serve` runs.
    actor TwoDevices {
        /// To-dos of a list.
        static let mostTodos = 50
        /// UTF-8 bytes of a to-do's text.
        static let mostTextBytes = 500
        /// Actions of a session, since the service keeps the history of each.
        static let mostActions = 2_000

        private struct Device {
            let name: String
            let todos: DataStore<Todo>
        }

        /// What happened, in a sentence.
        private struct News {
            var text: String
            var isError = false
        }

        nonisolated let id: String
        private let folder: URL
        private let wire: DeviceWire
        private let devices: [Device]
        private var actions = 0

        /// Starts both devices, online, with a short list that both hold.
        static func start() async throws -> TwoDevices {
            let id = UUID().uuidString
            let files = FileManager.default
            removeAbandoned()
            let process = ProcessInfo.processInfo.processIdentifier
            let folder = files.temporaryDirectory.appendingPathComponent("\(prefix)\(process)-\(id)")
            try files.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            do {
                let made = try TwoDevices(id, folder)
                try await made.fill()
                return made
            } catch {
                try? files.removeItem(at: folder)
                throw error
            }
        }

        /// What the names of the sessions' folders begin with; the number of their process follows.
        private static let prefix = "pql-devices-"

        /// Removes the folders of processes that were killed.
        private static func removeAbandoned() {
            let files = FileManager.default
            let temporary = files.temporaryDirectory
            for name in (try? files.contentsOfDirectory(atPath: temporary.path)) ?? [] where name.hasPrefix(prefix) {
                guard let process = Int32(name.dropFirst(prefix.count).prefix { $0 != "-" }), process > 0,
                    kill(process, 0) == -1, errno == ESRCH
                else { continue }
                try? files.removeItem(at: temporary.appendingPathComponent(name))
            }
        }

        private init(_ id: String, _ folder: URL) throws {
            var configuration = ServiceConfiguration(
                apps: [.init(key: DeviceWire.key, secret: DeviceWire.secret, master: id)]
            )
            configuration.rights = .public
            configuration.deltas = .all
            configuration.limits.requestsPerSecond = nil
            let wire = DeviceWire(try Service(path: ":memory:", configuration, .live))
            self.id = id
            self.folder = folder
            self.wire = wire
            devices = try ["phone", "laptop"].map { name in
                let client = try StoreClient(
                    FunctionTransport { (request) async throws(TransportFault) in
                        try await wire.send(request, from: name)
                    },
                    app: .init(key: DeviceWire.key, secret: DeviceWire.secret),
                    cache: .folder(folder.appendingPathComponent(name).path)
                )
                return Device(name: name, todos: client.store(Todo.self, .sync, options: Options(deltaSync: true)))
            }
        }

        private func fill() async throws {
            guard let first = devices.first else { return }
            for text in ["Buy milk", "Water the plants", "Call Ann"] {
                try await first.todos.save(Todo(text: text))
                // Ids sort by the millisecond in which they were made.
                try await Task.sleep(for: .milliseconds(2))
            }
            for device in devices { _ = try await device.todos.sync() }
        }

        /// Ends the session and removes its files.
        func end() {
            wire.service.close()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Carries out a page's request and returns the state after it.
        ///
        /// - Parameters:
        ///   - action: what to do; nil for nothing.
        ///   - name: the device that does it.
        ///   - seen: the last exchange that the page has.
        /// - Returns: the answer; nil for an action of no device, or one too many.
        /// - Throws: `StoreError.cache`.
        func answer(_ action: DeviceAction?, on name: String?, seen: Int64) async throws(StoreError) -> QueryValue? {
            var news: News?
            if let action {
                guard let device = devices.first(where: { $0.name == name }), actions < Self.mostActions else {
                    return nil
                }
                actions += 1
                do throws(StoreError) {
                    news = try await perform(action, on: device)
                } catch {
                    news = News(text: "The \(device.name) could not do this: \(error).", isError: true)
                }
            }
            var shown: [QueryValue] = []
            for device in devices { shown.append(try await picture(of: device)) }
            return .object([
                "session": .string(id), "devices": .list(shown), "service": .list(await wire.rows()),
                "wire": .list(await wire.exchanges(after: seen)), "news": news.map { .string($0.text) } ?? .null,
                "isError": .bool(news?.isError ?? false),
            ])
        }

        private func perform(_ action: DeviceAction, on device: Device) async throws(StoreError) -> News {
            switch action {
            case .add(let text):
                guard try await device.todos.count() < Self.mostTodos else {
                    throw .badEntity("a list holds \(Self.mostTodos) to-dos here")
                }
                try await device.todos.save(Todo(text: try Self.checked(text)))
                return try await told(device, "added a to-do")
            case .edit(let id, let text, let isDone):
                var todo = try await device.todos.find(id: id)
                if let text { todo.text = try Self.checked(text) }
                if let isDone { todo.isDone = isDone }
                try await device.todos.save(todo)
                return try await told(device, "changed a to-do")
            case .remove(let id):
                // A store would send the removal of what it does not know, too.
                try await device.todos.remove(id: device.todos.find(id: id)._id ?? id)
                return try await told(device, "removed a to-do")
            case .network(let isOnline):
                await wire.set(device.name, isOnline: isOnline)
                return try await told(device, "is \(isOnline ? "online" : "offline")")
            case .sync(let isServerWins):
                return try await sync(device, isServerWins ? .serverWins : .clientWins)
            }
        }

        private func sync(_ device: Device, _ rule: ConflictRule) async throws(StoreError) -> News {
            let result = try await device.todos.sync(options: Options(conflict: rule))
            if let failure = result.push.failures.first {
                var news = try await told(device, "could not send everything: \(failure.error)")
                news.isError = true
                return news
            }
            var text = "sent \(Self.counted(result.push.count, "change"))"
            if let pull = result.pull {
                text += ", received \(Self.counted(pull.changed, "to-do"))"
                if pull.deleted > 0 { text += " and of \(Self.counted(pull.deleted, "removal"))" }
            }
            var news = try await told(device, text)
            for conflict in result.push.overruled {
                let (mine, theirs) = (Self.text(of: conflict.mine), Self.text(of: conflict.theirs))
                news.text += " The service’s version stays: \(theirs), not \(mine)."
            }
            return news
        }

        private func told(_ device: Device, _ text: String) async throws(StoreError) -> News {
            let waiting = try await device.todos.syncCount()
            let count = waiting == 0 ? "nothing" : Self.counted(waiting, "change")
            return News(text: "The \(device.name) \(text); \(count) \(waiting > 1 ? "wait" : "waits").")
        }

        /// The rows and the outbox of a device.
        private func picture(of device: Device) async throws(StoreError) -> QueryValue {
            let rows = try await device.todos.find()
            let pending = try await device.todos.pending()
            let kinds = Dictionary(pending.map { ($0.id, $0.kind.rawValue) }) { first, _ in first }
            let shown = rows.sorted { ($0._id ?? "") < ($1._id ?? "") }.map { todo in
                QueryValue.object([
                    "id": .string(todo._id ?? ""), "text": .string(todo.text), "isDone": .bool(todo.isDone),
                    "waits": kinds[todo._id ?? ""].map { .string($0) } ?? .null,
                ])
            }
            let waiting = pending.map { change in
                QueryValue.object([
                    "id": .string(change.id), "kind": .string(change.kind.rawValue),
                    "attempts": .int(Int64(change.attempts)),
                    "fault": change.fault.map { .string($0.description) } ?? .null,
                ])
            }
            return .object([
                "name": .string(device.name), "isOnline": .bool(await wire.isOnline(device.name)),
                "rows": .list(shown), "pending": .list(waiting),
            ])
        }

        private static func checked(_ text: String) throws(StoreError) -> String {
            guard text.contains(where: { !$0.isWhitespace }) else { throw .badEntity("a to-do needs a text") }
            guard text.utf8.count <= mostTextBytes else {
                throw .badEntity("a text takes at most \(mostTextBytes) bytes here")
            }
            return text
        }

        private static func text(of todo: Document?) -> String {
            if case .string(let text)? = todo?["text"] { "“\(text)”" } else { "its removal" }
        }

        private static func counted(_ count: Int, _ name: String) -> String {
            "\(count) \(name)\(count == 1 ? "" : "s")"
        }
    }
#endif
