import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel

extension Simulation {
    /// The names of the users, whose devices are the even and the odd ones at first.
    static let users = ["u0", "u1"]

    /// The user whose session a request shows, also when somebody else is on the device by now.
    func user(of request: WireRequest) -> String? {
        request.headers["Authorization"].flatMap { session in sessions.withLock { $0[session] } }
    }

    func learnSession(of response: WireResponse, to request: WireRequest) {
        guard hasUsers, request.path.hasPrefix("/user/"),
            case .object(let user)? = try? QueryValue(json: response.body),
            case .string(let id)? = user["_id"], case .string(let name)? = user["username"],
            case .object(let metadata)? = user["_kmd"], case .string(let token)? = metadata["authtoken"]
        else { return }
        sessions.withLock { $0["Kinvey " + token] = id }
        names.withLock { $0[id] = name }
    }

    /// The name of a user who was on a device.
    func name(of user: String) -> String? { names.withLock { $0[user] } }

    /// Makes the users, and lets one in on each device.
    func enter() async {
        for name in Self.users {
            let request = WireRequest(
                "POST",
                "/user/kid",
                headers: [("Authorization", ServiceHarness.basic("s")), ("Content-Type", "application/json")],
                body: Array(#"{"username":"\#(name)","password":"p"}"#.utf8)
            )
            if await service.answer(request).status != 201 { fail("\(name) cannot sign up") }
        }
        for device in devices {
            let user = try? await device.client?.logIn(username: Self.users[device.number % 2], password: "p")
            device.user = user?.id
            if user == nil { fail("\(device.name) has no user") }
        }
    }

    /// Calls a closure for each user who was on a device, who is there then.
    func forEachUser(of device: Device, _ body: (Device) async -> Void) async {
        await restart(device)
        guard hasUsers else { return await body(device) }
        for user in device.memories.keys.sorted() {
            let name = name(of: user)
            do throws(StoreError) {
                if let name {
                    try await device.client?.logIn(username: name, password: "p")
                } else {
                    try await device.client?.logOut()
                }
            } catch {
                fail("\(name ?? "nobody") cannot enter \(device.name): \(error)")
            }
            device.user = await device.client?.activeUser?.id
            await body(device)
        }
    }

    /// Another user takes the device, or nobody; what waits of the one before stays.
    func changeUser(_ device: Device, _ client: StoreClient, _ dice: inout Dice) async throws(StoreError) {
        let name = Self.users[dice.below(2)]
        let isNobody = dice.below(3) == 0
        defer { note("\(device.name) has \(device.user ?? "nobody")") }
        do throws(StoreError) {
            if isNobody { try await client.logOut() } else { try await client.logIn(username: name, password: "p") }
        } catch {
            device.user = await client.activeUser?.id
            throw error
        }
        device.user = await client.activeUser?.id
    }
}
