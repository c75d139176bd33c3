#if Server
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
#endif
