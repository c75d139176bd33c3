import Foundation
import PredicateQLStore
import QueryValues
import StoreModel

/// What a process that uses a store and the test that watches it say to each other, a line of JSON each.
package enum PipeMessage: Codable, Sendable {
    /// A request, and how long its answer may take.
    case request(
        number: Int,
        method: String,
        path: String,
        query: String,
        headers: [String: String],
        body: String,
        milliseconds: Int
    )
    /// The service's answer.
    case answer(number: Int, status: Int, headers: [String: String], body: String)
    /// No answer came.
    case unreachable(number: Int, reason: String)
    case timedOut(number: Int)
    /// A request is to be cancelled, or was.
    case cancelled(number: Int)
    /// Entities are about to get a version, or to be removed (nil); without ids a new one is about to be made.
    case begun(ids: [String], version: Int?)
    /// The call returned.
    case done(ids: [String], version: Int?)
    /// The call threw.
    case failed(error: String)

    /// The line; JSON text has no line breaks.
    package var line: Data {
        get throws { try JSONEncoder().encode(self) + [UInt8(ascii: "\n")] }
    }

    package init(line: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(line))
    }

    /// Tells the test.
    package func tell() {
        if let line = try? line { FileHandle.standardOutput.write(line) }
    }
}

/// Requests that go to the test through standard output, and answers that come through standard input.
package final class PipeTransport: Transport {
    private let state = Mutex((count: 0, waiting: [Int: CheckedContinuation<WireResponse, Never>]()))

    package init() {
        Thread.detachNewThread { [self] in
            while let line = readLine() { take(line) }
            // The test is gone.
            exit(0)
        }
    }

    package func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        await withCheckedContinuation { waiting in
            let number = state.withLock { state in
                state.count += 1
                state.waiting[state.count] = waiting
                return state.count
            }
            let message = PipeMessage.request(
                number: number,
                method: request.method,
                path: request.path,
                query: request.query,
                headers: Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first },
                body: String(decoding: request.body, as: UTF8.self),
                milliseconds: Int(timeout / .milliseconds(1))
            )
            message.tell()
        }
    }

    private func take(_ line: String) {
        guard case .answer(let number, let status, let headers, let body)? = try? PipeMessage(line: line.utf8) else {
            return
        }
        let response = WireResponse(
            status: status,
            headers: HeaderFields(headers.map { ($0.key, $0.value) }),
            body: Array(body.utf8)
        )
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: response)
    }
}
