#if Server
    import Foundation
    import PredicateQLService
    import PredicateQLStore
    import QueryValues
    import StoreModel

    /// What one of the two devices does.
    enum DeviceAction: Hashable, Sendable {
        /// Saves a new to-do.
        case add(text: String)
        /// Saves another version; nil leaves a field as it is.
        case edit(id: String, text: String?, isDone: Bool?)
        case remove(id: String)
        case network(isOnline: Bool)
        /// Pushes, then pulls.
        case sync(isServerWins: Bool)

        /// Reads a request of the page; nil for one that is no action.
        init?(_ request: Document) {
            func text(_ key: String) -> String? { if case .string(let text)? = request[key] { text } else { nil } }
            func bool(_ key: String) -> Bool? { if case .bool(let bool)? = request[key] { bool } else { nil } }
            switch (text("action"), text("id")) {
            case ("add", _):
                guard let text = text("text") else { return nil }
                self = .add(text: text)
            case ("edit", let id?): self = .edit(id: id, text: text("text"), isDone: bool("isDone"))
            case ("remove", let id?): self = .remove(id: id)
            case ("network", _):
                guard let isOnline = bool("isOnline") else { return nil }
                self = .network(isOnline: isOnline)
            case ("sync", _): self = .sync(isServerWins: text("rule") == "serverWins")
            default: return nil
            }
        }
    }

    /// The sessions of pages that show two devices.
    actor DeviceSessions {
        /// Sessions at once; the one that was used longest ago makes room.
        static let most = 8
        /// Bytes of a request.
        static let requestBytes = 1 << 14

        /// The last used one is the last.
        private var sessions: [TwoDevices] = []

        /// Answers a request: without `session` it starts one, with it and `action` a device does something.
        func answer(_ body: [UInt8]) async -> WireResponse {
            guard body.count <= Self.requestBytes else {
                return PlaygroundSite.refuse(413, "a request has at most \(Self.requestBytes >> 10) KiB")
            }
            guard case .object(let request)? = try? QueryValue(json: body) else {
                return PlaygroundSite.refuse(400, "the request is not an object")
            }
            let action = DeviceAction(request)
            guard (action == nil) == (request["action"] == nil) else {
                return PlaygroundSite.refuse(400, "the devices have no such action")
            }
            do {
                guard let devices = try await session(request["session"]) else {
                    return PlaygroundSite.refuse(410, "these devices are gone", hint: "start again")
                }
                var name: String?
                if case .string(let text)? = request["device"] { name = text }
                var seen: Int64 = 0
                if case .int(let number)? = request["seen"] { seen = number }
                guard let answer = try await devices.answer(action, on: name, seen: seen) else {
                    return PlaygroundSite.refuse(
                        400,
                        "no such device, or more than \(TwoDevices.mostActions) actions",
                        hint: "start again"
                    )
                }
                return PlaygroundSite.json(answer)
            } catch {
                return PlaygroundSite.refuse(500, "\(error)")
            }
        }

        private func session(_ id: QueryValue?) async throws -> TwoDevices? {
            if case .string(let id)? = id {
                guard let position = sessions.firstIndex(where: { $0.id == id }) else { return nil }
                sessions.append(sessions.remove(at: position))
                return sessions.last
            }
            let made = try await TwoDevices.start()
            sessions.append(made)
            while sessions.count > Self.most { await sessions.removeFirst().end() }
            return made
        }

        /// Ends all sessions and removes their files.
        func end() async {
            while !sessions.isEmpty { await sessions.removeFirst().end() }
        }
    }

    /// What lies between the devices and their service: a switch for each network, and the last exchanges.
    actor DeviceWire {
        static let key = "todos"
        static let secret = "secret"
        /// Exchanges that are remembered.
        static let most = 100
        /// Bytes that are remembered of a body.
        static let mostBytes = 4_096

        nonisolated let service: Service
        private var exchanges: [(number: Int64, value: QueryValue)] = []
        private var count: Int64 = 0
        private var offline: Set<String> = []

        init(_ service: Service) { self.service = service }

        func isOnline(_ device: String) -> Bool { !offline.contains(device) }

        func set(_ device: String, isOnline: Bool) {
            if isOnline { offline.remove(device) } else { offline.insert(device) }
        }

        /// The exchanges after a number, the oldest first.
        func exchanges(after number: Int64) -> [QueryValue] {
            exchanges.drop { $0.number <= number }.map(\.value)
        }

        /// Carries a request of a device.
        func send(_ request: WireRequest, from device: String) async throws(TransportFault) -> WireResponse {
            guard isOnline(device) else {
                note(request, from: device, nil)
                throw .unreachable("the network is off")
            }
            let answer = await service.answer(request)
            note(request, from: device, answer)
            return answer
        }

        /// The to-dos of the service.
        func rows() async -> [QueryValue] {
            let login = "Basic " + Data("\(Self.key):\(Self.secret)".utf8).base64EncodedString()
            let path = "/appdata/\(Self.key)/\(Todo.collection)"
            let answer = await service.answer(WireRequest("GET", path, headers: [("Authorization", login)]))
            guard case .list(let rows)? = try? QueryValue(json: answer.body) else { return [] }
            return rows.compactMap { row -> (String, QueryValue)? in
                guard case .object(let row) = row, case .string(let id)? = row["_id"] else { return nil }
                return (
                    id, .object(["id": .string(id), "text": row["text"] ?? .null, "isDone": row["isDone"] ?? .null])
                )
            }.sorted { $0.0 < $1.0 }.map(\.1)
        }

        private func note(_ request: WireRequest, from device: String, _ answer: WireResponse?) {
            count += 1
            let target = request.path + (request.query.isEmpty ? "" : "?" + request.query)
            let asked = ["Idempotency-Key", "If-Match", "If-None-Match", "X-PQL-Client"]
            let told = ["X-Kinvey-Request-Start", "ETag", "X-PQL-Replayed", "X-PQL-Last"]
            let value = QueryValue.object([
                "number": .int(count), "device": .string(device), "method": .string(request.method),
                "target": .string(target), "headers": Self.headers(asked, of: request.headers),
                "body": Self.text(request.body), "status": answer.map { .int(Int64($0.status)) } ?? .null,
                "answerHeaders": answer.map { Self.headers(told, of: $0.headers) } ?? .null,
                "answer": answer.map { Self.text($0.body) } ?? .null,
            ])
            exchanges.append((count, value))
            if exchanges.count > Self.most { exchanges.removeFirst() }
        }

        private static func headers(_ names: [String], of fields: HeaderFields) -> QueryValue {
            .list(names.compactMap { name in fields[name].map { .string("\(name): \($0)") } })
        }

        private static func text(_ bytes: [UInt8]) -> QueryValue {
            let text = String(decoding: bytes.prefix(mostBytes), as: UTF8.self)
            return .string(bytes.count > mostBytes ? text + "…" : text)
        }
    }
#endif
