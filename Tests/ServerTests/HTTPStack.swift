#if os(Linux)
    import Foundation
    import PredicateQLStore
    import QueryValues
    import StoreModel
    import StoreSupport
    import Testing

    /// What carries the requests of a store over HTTP.
    enum HTTPStack: CaseIterable {
        case urlSession
        /// The default, where libcurl is new enough.
        case curl
        /// In `StoreProcess`, which `PQL_ASYNC_HTTP_CLIENT` names, built with the trait AsyncHTTPClient.
        case asyncHTTPClient

        private static let program = ProcessInfo.processInfo.environment["PQL_ASYNC_HTTP_CLIENT"]

        /// Those that are here.
        static let present: [HTTPStack] = {
            if program == nil { print("async-http-client is not tested: PQL_ASYNC_HTTP_CLIENT names no StoreProcess") }
            return allCases.filter { stack in
                switch stack {
                case .urlSession: true
                case .curl: (try? CurlTransport("http://localhost")) != nil
                case .asyncHTTPClient: program != nil
                }
            }
        }()

        func transport(_ address: String) throws -> any Transport {
            switch self {
            case .urlSession: try URLSessionTransport(address)
            case .curl: try #require(try CurlTransport(address, mostBytes: 4 << 20))
            case .asyncHTTPClient: try ProcessTransport(#require(Self.program), address)
            }
        }
    }

    /// Requests that another process sends.
    private final class ProcessTransport: Transport {
        private typealias Answer = Result<WireResponse, TransportFault>
        private let process: Process
        private let input = Mutex(Pipe())
        private let state = Mutex((count: 0, waiting: [Int: CheckedContinuation<Answer, Never>]()))

        init(_ program: String, _ address: String) throws {
            signal(SIGPIPE, SIG_IGN)
            process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["http", address]
            process.standardInput = input.withLock { $0 }
            process.standardOutput = output
            try process.run()
            let reading = output.fileHandleForReading
            Thread.detachNewThread { [weak self] in
                var rest = Data()
                while case let data = reading.availableData, !data.isEmpty {
                    rest += data
                    while let position = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        if let message = try? PipeMessage(line: rest[..<position]) { self?.take(message) }
                        rest = Data(rest[(position + 1)...])
                    }
                }
                self?.end()
            }
        }

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }

        func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            let number = state.withLock { state in
                state.count += 1
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
            let answer = await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    state.withLock { $0.waiting[number] = waiting }
                    tell(message)
                    // Cancelled before it was told of: then nobody else says so.
                    if Task.isCancelled { tell(.cancelled(number: number)) }
                }
            } onCancel: {
                tell(.cancelled(number: number))
            }
            return try answer.get()
        }

        private func tell(_ message: PipeMessage) {
            input.withLock { try? $0.fileHandleForWriting.write(contentsOf: message.line) }
        }

        private func take(_ message: PipeMessage) {
            switch message {
            case .answer(let number, let status, let headers, let body):
                let fields = HeaderFields(headers.map { ($0.key, $0.value) })
                answer(number, .success(WireResponse(status: status, headers: fields, body: Array(body.utf8))))
            case .unreachable(let number, let reason): answer(number, .failure(.unreachable(reason)))
            case .timedOut(let number): answer(number, .failure(.timedOut))
            case .cancelled(let number): answer(number, .failure(.cancelled))
            default: Issue.record("\(message)")
            }
        }

        private func answer(_ number: Int, _ answer: Answer) {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
        }

        private func end() {
            let waiting = state.withLock { state in
                defer { state.waiting = [:] }
                return state.waiting.values
            }
            for one in waiting { one.resume(returning: .failure(.unreachable("the process of the transport ended"))) }
        }
    }
#endif
