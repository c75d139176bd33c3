import Foundation
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport

#if AsyncHTTPClient
    import StoreAsyncHTTPClient
#endif

/// Sends the requests that come through standard input by async-http-client, and tells the answers.
///
///     StoreProcess http ADDRESS
enum HTTPProcess {
    static func run(_ address: String) async throws {
        #if AsyncHTTPClient
            let transport = try AsyncHTTPClientTransport(address, mostBytes: 4 << 20)
            let (lines, reading) = AsyncStream.makeStream(of: String.self)
            Thread.detachNewThread {
                while let line = readLine() { reading.yield(line) }
                reading.finish()
            }
            var tasks: [Int: Task<Void, Never>] = [:]
            for await line in lines {
                switch try PipeMessage(line: line.utf8) {
                case .request(let number, let method, let path, let query, let headers, let body, let milliseconds):
                    let fields = HeaderFields(headers.map { ($0.key, $0.value) })
                    let request = WireRequest(method, path, query: query, headers: fields, body: Array(body.utf8))
                    tasks[number] = Task { await send(request, number, milliseconds, transport) }
                case .cancelled(let number): tasks[number]?.cancel()
                default: exit(65)
                }
            }
        #else
            FileHandle.standardError.write(Data("built without the trait AsyncHTTPClient\n".utf8))
            exit(64)
        #endif
    }

    /// What is told is one line after the other.
    private static let telling = Mutex(())

    private static func send(
        _ request: WireRequest,
        _ number: Int,
        _ milliseconds: Int,
        _ transport: any Transport
    ) async {
        var message: PipeMessage
        do throws(TransportFault) {
            let response = try await transport.send(request, timeout: .milliseconds(milliseconds))
            message = .answer(
                number: number,
                status: response.status,
                headers: Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first },
                body: String(decoding: response.body, as: UTF8.self)
            )
        } catch {
            switch error {
            case .unreachable(let reason): message = .unreachable(number: number, reason: reason)
            case .timedOut: message = .timedOut(number: number)
            case .cancelled: message = .cancelled(number: number)
            }
        }
        telling.withLock { [message] _ in message.tell() }
    }
}
