import Foundation
import PredicateQLStore
import QueryValues
import SpecSupport
import StoreModel

/// Requests whose cancellations and time-outs meet arriving, cut and reset answers: each of them ends.
///
///     StoreProcess cancel ADDRESS COUNT [SHAPES]
///
/// By URLSession, or by libcurl where the number of answers that are cut inside their heads is given too.
///
/// It says how many ended how, and ends with an error when none does for a while.
enum CancelProcess {
    private static let width = 8
    private static let ended = Mutex([String: Int]())

    static func run(_ address: String, _ count: Int, shapes: Int) async throws {
        let transport = try transport(address, shapes)
        watch()
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<width {
                group.addTask {
                    var random = SeededGenerator(SeededGenerator.seed(1) &+ UInt64(lane))
                    for number in 0..<max(count / width, 1) {
                        let path = path(&random, shapes)
                        note(await request(transport, path, &random, isTimed: number.isMultiple(of: 2)))
                    }
                }
            }
        }
        for shape in 0..<shapes {
            note(await send(transport, "/head/\(shape)", .seconds(60)))
            note(await send(transport, "/torn/\(shape)", .seconds(60)))
        }
        // What was cancelled leaves a transport that answers.
        note("at the end " + (await send(transport, "/late/0", .seconds(60))))
        let all = ended.withLock { $0 }
        print(all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
    }

    private static func transport(_ address: String, _ shapes: Int) throws -> any Transport {
        guard shapes > 0 else { return try URLSessionTransport(address) }
        #if os(Linux)
            if let transport = try CurlTransport(address) { return transport }
        #endif
        exit(64)
    }

    private static func note(_ end: String) { ended.withLock { $0[end, default: 0] += 1 } }

    /// Ends the process when no request ends for half a minute.
    private static func watch() {
        Thread.detachNewThread {
            var last = -1
            while true {
                let count = ended.withLock { $0.values.reduce(0, +) }
                if count == last { exit(75) }
                last = count
                sleep(30)
            }
        }
    }

    /// What is asked for: an answer after some microseconds, or one that is cut inside its head.
    private static func path(_ random: inout SeededGenerator, _ shapes: Int) -> String {
        if shapes > 0, random.chance(30) {
            return "/\(random.chance(50) ? "head" : "torn")/\(Int.random(in: 0..<shapes, using: &random))"
        }
        let kind = ["late", "late", "large", "cut", "reset"].randomElement(using: &random) ?? "late"
        return "/\(kind)/\(Int.random(in: 0...1_500, using: &random))"
    }

    /// A request that is cancelled, or timed out, at about the time at which its answer arrives.
    private static func request(
        _ transport: any Transport,
        _ path: String,
        _ random: inout SeededGenerator,
        isTimed: Bool
    ) async -> String {
        let time = Duration.microseconds(Int.random(in: 0...3_000, using: &random))
        if isTimed { return await send(transport, path, time) }
        let task = Task { await send(transport, path, .seconds(60)) }
        try? await Task.sleep(for: time)
        task.cancel()
        return await task.value
    }

    /// Sends a request; how it ended.
    private static func send(_ transport: any Transport, _ path: String, _ timeout: Duration) async -> String {
        do throws(TransportFault) {
            return "\(try await transport.send(WireRequest("GET", path), timeout: timeout).status)"
        } catch {
            switch error {
            case .unreachable: return "unreachable"
            case .timedOut: return "timedOut"
            case .cancelled: return "cancelled"
            }
        }
    }
}
