#if Server
    import HTTPTypes
    import HummingbirdCore
    import Logging
    import NIOCore
    import NIOHTTP1
    import NIOHTTPTypes
    import PredicateQLService
    import StoreModel

    /// One connection: requests are read, answered and written one after the other.
    ///
    /// Its tasks run on its event loop, so a request changes threads only for the database.
    struct ConnectionChannel: ServerChildChannel {
        typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        typealias Parts = NIOAsyncChannelInboundStream<HTTPRequestPart>.AsyncIterator
        typealias Output = NIOAsyncChannelOutboundWriter<HTTPResponsePart>

        private let responder: Responder
        /// The bytes of an answer that are written at once.
        private static let part = 262_144
        /// Hummingbird's pipeline of HTTP/1.1; requests are read here, not by its responder.
        private let pipeline: HTTP1Channel

        init(responder: Responder, options: HTTPServer.Options) {
            self.responder = responder
            let handlers: @Sendable () -> [any RemovableChannelHandler] = { [BodyGatherer(), RequestTimer(options)] }
            pipeline = HTTP1Channel(
                responder: { _, _, _ in },
                configuration: .init(additionalChannelHandlers: handlers())
            )
        }

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
            pipeline.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let handlers = channel.pipeline.syncOperations
                let decoder = try handlers.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try handlers.addHandler(VersionHandler(), position: .after(decoder))
                return value
            }
        }

        func handle(value: Value, logger: Logger) async {
            await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
                await withTaskCancellationHandler {
                    // A connection that breaks is the end of it; what was acknowledged is committed.
                    try? await value.executeThenClose { inbound, outbound in
                        if let refusal = responder.refusal(of: value.channel) {
                            return try await write(refusal, false, outbound)
                        }
                        let departure = Departure()
                        value.channel.closeFuture.whenComplete { _ in departure.leave() }
                        try? await value.channel.pipeline.addHandler(
                            DepartureHandler(departure),
                            position: .first
                        ).get()
                        try await Departure.$current.withValue(departure) {
                            try await serve(inbound, outbound, value.channel)
                        }
                    }
                } onCancel: {
                    value.channel.close(mode: .input, promise: nil)
                }
            }
        }

        private func serve(
            _ inbound: NIOAsyncChannelInboundStream<HTTPRequestPart>,
            _ output: Output,
            _ channel: any Channel
        ) async throws {
            var parts = inbound.makeAsyncIterator()
            do {
                while case .head(let head)? = try await parts.next() {
                    guard try await answer(head, &parts, output, channel) else { break }
                }
            } catch HTTPParserError.invalidEOFState {
                // The client is gone in the middle of a request, which is not carried out.
            } catch let error as HTTPParserError {
                try await write(responder.refuse(Self.fault(of: error)), false, output)
            } catch is BodyGatherer.TooScattered {
                try await write(responder.refuse(Self.scattered), false, output)
            }
            // The client reads what was written, then closes.
            output.finish()
            channel.pipeline.fireUserInboundEventTriggered(RequestTimer.Ending())
            try await channel.closeFuture.get()
        }

        private static let incomplete = ServiceFault(
            .incompleteRequestBody,
            debug: "the body is shorter than Content-Length says"
        )

        private static let scattered = ServiceFault(
            .badRequest,
            debug: "a body in chunks arrives in parts of at least \(BodyGatherer.leastBytes) bytes on average, after "
                + "\(BodyGatherer.freeChunks) parts: send larger chunks, or a Content-Length"
        )

        /// What the parser finds wrong with a request.
        private static func fault(of error: HTTPParserError) -> ServiceFault {
            switch error {
            case .invalidMethod: ServiceFault(.badRequest, debug: "there is no such method, or this is not HTTP")
            case .headerOverflow:
                ServiceFault(.entityTooLarge, debug: "the URL or a header is longer than 80 KiB", status: 431)
            case .invalidHost: ServiceFault(.badRequest, debug: "a request of HTTP/1.1 has one header Host")
            case .invalidURL, .invalidPort, .invalidPath, .invalidQueryString, .invalidFragment:
                ServiceFault(.badRequest, debug: "the URL is malformed")
            case .invalidHeaderToken, .invalidContentLength, .unexpectedContentLength:
                ServiceFault(.badRequest, debug: "a header is malformed, or Content-Length is no number or given twice")
            case .invalidChunkSize: ServiceFault(.badRequest, debug: "the size of a chunk is malformed")
            default: ServiceFault(.badRequest, debug: "this is not HTTP/1.1")
            }
        }

        /// Answers one request; false to end the connection.
        private func answer(
            _ head: HTTPRequest,
            _ parts: inout Parts,
            _ output: Output,
            _ channel: any Channel
        ) async throws -> Bool {
            var continues = !head.headerFields[values: .connection].contains { $0.lowercased().contains("close") }
            let expected = head.headerFields[.expect]?.lowercased()
            let waits = expected == "100-continue"
            let start = ContinuousClock.now
            if expected != nil, !waits {
                let fault = ServiceFault(.badRequest, debug: "Expect takes 100-continue alone", status: 417)
                try await write(responder.refuse(head, fault, start), continues, output, to: head)
                return continues ? try await drain(&parts) : false
            }
            if responder.mayBeLarge(head), !responder.isTooLong(head),
                let fault = await responder.refusal(of: head, channel)
            {
                // Who waits for leave to send the body may not send it, and a body of any length is not waited for.
                continues = continues && !waits && head.headerFields[.contentLength] != nil
                try await write(responder.refuse(head, fault, start), continues, output, to: head)
                return continues ? try await drain(&parts) : false
            }
            if waits {
                if responder.isTooLong(head) {
                    continues = false
                } else {
                    try await output.write(.head(HTTPResponse(status: .continue)))
                }
            }
            var held = (sender: "", bytes: 0)
            defer { if held.bytes > 0 { responder.memory.give(held.bytes, of: held.sender) } }
            switch try await body(of: head, &parts, channel, &held) {
            case .whole(let bytes):
                let hold = AnswerHold(responder.answers, of: channel.remoteAddress?.ipAddress ?? "")
                defer { hold.end() }
                let response = await responder.answer(head, bytes, channel, start, hold)
                try await write(response, continues, output, to: head)
            case .tooLong:
                try await write(responder.refuseLong(head, start), continues, output, to: head)
                if continues || !waits { continues = try await drain(&parts) && continues }
            case .tooMany:
                let fault = ServiceFault(.serviceUnavailable, debug: "too many long bodies at once", retryAfter: 1)
                try await write(responder.refuse(head, fault, start), continues, output, to: head)
                continues = try await drain(&parts) && continues
            case .incomplete:
                continues = false
                try await write(responder.refuse(Self.incomplete), continues, output)
            }
            return continues
        }

        private enum Body {
            case whole([UInt8])
            case tooLong
            /// The long bodies of all, or of one address, would take too much memory.
            case tooMany
            /// The client closed its side before the end.
            case incomplete
        }

        /// Reads a body; what it takes of the memory for long bodies is added to `held`.
        private func body(
            of head: HTTPRequest,
            _ parts: inout Parts,
            _ channel: any Channel,
            _ held: inout (sender: String, bytes: Int)
        ) async throws -> Body {
            if responder.isTooLong(head) { return .tooLong }
            var bytes: [UInt8] = []
            // A body of known length takes its memory at once, or many that grow in step would all be refused.
            let whole = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
            while let part = try await parts.next() {
                switch part {
                case .body(let buffer):
                    let count = bytes.count + buffer.readableBytes
                    guard count <= responder.options.bodyBytes else { return .tooLong }
                    if count > Responder.shortBody {
                        if held.bytes == 0 { held.sender = responder.sender(head, channel) }
                        let more = max(0, max(count, whole) - held.bytes)
                        guard responder.memory.take(more, for: held.sender, always: false) else {
                            // What follows is thrown away.
                            if held.bytes > 0 { responder.memory.give(held.bytes, of: held.sender) }
                            held.bytes = 0
                            return .tooMany
                        }
                        held.bytes += more
                    }
                    buffer.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
                case .end: return .whole(bytes)
                case .head: return .incomplete
                }
            }
            return .incomplete
        }

        /// Reads the rest of a body that is not wanted; false if it does not end soon.
        private func drain(_ parts: inout Parts) async throws -> Bool {
            var bytes = 0
            while bytes < 4 * responder.options.bodyBytes, let part = try await parts.next() {
                switch part {
                case .body(let buffer): bytes += buffer.readableBytes
                case .end: return true
                case .head: return false
                }
            }
            return false
        }

        private func write(
            _ response: Response,
            _ continues: Bool,
            _ output: Output,
            to request: HTTPRequest? = nil
        ) async throws {
            var head = response.head
            // A client of HTTP/1.0 that asks for it has to be told.
            let isKept = request?.headerFields[values: .connection].contains { $0.lowercased().contains("keep-alive") }
            head.headerFields[.connection] = continues ? isKept == true ? "keep-alive" : nil : "close"
            if let body = response.body {
                var parts: [HTTPResponsePart] = [.head(head)]
                // Each part that is taken is a progress: a slow reader has time for each.
                var rest = body[...]
                while rest.count > Self.part {
                    try await output.write(contentsOf: parts + [.body(ByteBuffer(bytes: rest.prefix(Self.part)))])
                    rest = rest.dropFirst(Self.part)
                    parts = []
                }
                try await output.write(contentsOf: parts + [.body(ByteBuffer(bytes: rest)), .end(nil)])
            } else {
                try await output.write(contentsOf: [.head(head), .end(nil)])
            }
        }
    }

    /// Refuses a request of HTTP/1.1 without a host, and says of one of HTTP/1.0 that its connection ends: the version is
    /// told to nobody after this handler.
    final class VersionHandler: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
            if head.version == .http1_0 {
                if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
                return context.fireChannelRead(NIOAny(HTTPServerRequestPart.head(head)))
            }
            guard head.headers["Host"].count == 1 else { return context.fireErrorCaught(HTTPParserError.invalidHost) }
            context.fireChannelRead(data)
        }
    }

    /// Notices that the client closed its side.
    final class DepartureHandler: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPRequestPart

        private let departure: Departure

        init(_ departure: Departure) { self.departure = departure }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { departure.leave() }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// What is written for an answer.
    struct Response: Sendable {
        var head: HTTPResponse
        var body: [UInt8]?
    }

    /// Runs tasks on an event loop.
    final class LoopExecutor: TaskExecutor {
        private let loop: any EventLoop

        init(_ loop: any EventLoop) { self.loop = loop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
#endif
