#if Server
    import HTTPTypes
    import NIOCore
    import NIOHTTPTypes

    /// Closes connections whose request takes too long, whose answer is not read on, or that are idle too long.
    ///
    /// One timer a connection looks at what the last request left; a request costs two reads of the clock.
    final class RequestTimer: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart

        private let longest: TimeAmount
        private let longestIdle: TimeAmount
        /// Until the first request is read.
        private var longestFirst: TimeAmount?
        /// Requests read whose answers are not written.
        private var pending = 0
        /// True if a request's body is still being read.
        private var isReading = false
        /// When the present request began, or the last one ended.
        private var since = NIODeadline.now()
        private var timer: RepeatedTask?
        /// Answers that are written, and not yet handed to the system to their end.
        private var unsent = 0
        private var isEnding = false

        /// Says that no more answers come: the connection is closed when the last one was sent and two seconds went by.
        struct Ending: Sendable {}

        init(_ options: HTTPServer.Options) {
            longest = .seconds(Int64(options.requestSeconds))
            longestIdle = .seconds(Int64(options.idleSeconds))
            longestFirst = .seconds(Int64(min(options.headSeconds, options.idleSeconds)))
        }

        func handlerAdded(context: ChannelHandlerContext) {
            since = .now()
            let pause = min(.seconds(5), min(longest, longestIdle))
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            timer = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
                let (handler, context) = bound.value
                handler.look(context)
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) { stop() }

        func channelInactive(context: ChannelHandlerContext) {
            stop()
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head:
                if pending == 0, !isReading { since = .now() }
                pending += 1
                isReading = true
                longestFirst = nil
            case .body: break
            case .end: isReading = false
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head: context.write(data, promise: promise)
            case .body:
                since = .now()
                context.write(data, promise: promise)
            case .end:
                pending -= 1
                unsent += 1
                if !isReading { since = .now() }
                let sent = promise ?? context.eventLoop.makePromise()
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                sent.futureResult.whenComplete { _ in
                    let (handler, context) = bound.value
                    handler.unsent -= 1
                    handler.endIfSent(context)
                }
                context.write(data, promise: sent)
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is Ending {
                isEnding = true
                endIfSent(context)
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        }

        private func endIfSent(_ context: ChannelHandlerContext) {
            guard isEnding, unsent == 0 else { return }
            isEnding = false
            let channel = context.channel
            context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        }

        private func look(_ context: ChannelHandlerContext) {
            let most = pending > 0 || unsent > 0 || isReading ? longest : longestFirst ?? longestIdle
            if NIODeadline.now() - since >= most { context.close(promise: nil) }
        }

        private func stop() {
            timer?.cancel()
            timer = nil
        }
    }

    /// Joins the small parts of a body, and refuses bodies of very many small chunks.
    ///
    /// Each part that a request's task takes costs microseconds, and each chunk some, however short it is.
    final class BodyGatherer: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart

        /// A body in chunks is cut into too many.
        struct TooScattered: Error {}

        /// So many chunks may be of any length, as those of an encoder that writes each token.
        static let freeChunks = 4_096
        /// The bytes that a chunk has on average, if there are more.
        static let leastBytes = 64
        private static let mostGathered = 65_536

        private var gathered: ByteBuffer?
        private var isChunked = false
        private var chunks = 0
        private var bytes = 0
        private var isRefused = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if isRefused { return }
            switch unwrapInboundIn(data) {
            case .head(let head):
                flush(context)
                isChunked = head.headerFields[.transferEncoding] != nil
                (chunks, bytes) = (0, 0)
                context.fireChannelRead(data)
            case .body(var part):
                chunks += 1
                bytes += part.readableBytes
                if isChunked, chunks > Self.freeChunks, bytes < chunks * Self.leastBytes { return refuse(context) }
                if gathered?.writeBuffer(&part) == nil { gathered = part }
                if gathered?.readableBytes ?? 0 >= Self.mostGathered { flush(context) }
            case .end:
                flush(context)
                context.fireChannelRead(data)
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            flush(context)
            context.fireChannelReadComplete()
        }

        func channelInactive(context: ChannelHandlerContext) {
            flush(context)
            context.fireChannelInactive()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            flush(context)
            context.fireUserInboundEventTriggered(event)
        }

        /// What was refused is not read on.
        func read(context: ChannelHandlerContext) {
            if !isRefused { context.read() }
        }

        private func flush(_ context: ChannelHandlerContext) {
            guard let part = gathered else { return }
            gathered = nil
            context.fireChannelRead(wrapInboundOut(.body(part)))
        }

        private func refuse(_ context: ChannelHandlerContext) {
            isRefused = true
            gathered = nil
            context.fireErrorCaught(TooScattered())
        }
    }
#endif
