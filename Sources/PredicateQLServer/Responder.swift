#if Server
    import Foundation
    import HTTPTypes
    import Logging
    import NIOCore
    import PredicateQLService
    import QueryValues
    import StoreModel

    /// Turns requests of HTTP into requests of the service, and its answers back.
    struct Responder: Sendable {
        let options: HTTPServer.Options
        private let service: Service?
        private let playground: PlaygroundSite?
        private let log: RequestLog
        private let date = DateHeader()
        /// The memory for long bodies.
        let memory: SharedBudget
        /// The connections of each address, but a proxy's.
        private let connections: SharedBudget
        /// The memory for long answers that are being sent.
        let answers: SharedBudget
        /// Bodies up to here are read, and answers up to here sent, whatever others do.
        static let shortBody = 65_536
        /// Longer bodies are worked on off the event loop, whose other connections would wait: in turns of the senders,
        /// and on half of the cores, so that the rest is left to others.
        private static let mostInline = 16_384
        private let turns = WorkThreads("bodies", states: Array(repeating: (), count: max(1, System.coreCount / 2)))

        init(service: Service?, playground: PlaygroundSite?, options: HTTPServer.Options, logger: Logger) {
            self.service = service
            self.playground = playground
            self.options = options
            log = RequestLog(logger)
            memory = SharedBudget(options.longBodyBytes)
            answers = SharedBudget(options.longAnswerBytes)
            connections = SharedBudget(options.connections)
        }

        /// True if the head announces a body that is not short, or of unknown length.
        func mayBeLarge(_ head: HTTPRequest) -> Bool {
            if let length = head.headerFields[.contentLength] { return Int(length).map { $0 > Self.shortBody } ?? true }
            return head.headerFields[.transferEncoding] != nil
        }

        /// Why a request is refused before its body is read; nil if it is not.
        func refusal(of head: HTTPRequest, _ channel: any Channel) async -> ServiceFault? {
            var request = wire(head)
            guard let service, playground?.owns(request.path) != true else { return nil }
            request.address = address(head, channel)
            return await service.refusal(of: request)
        }

        /// Refuses a request whose body is not read.
        func refuse(_ head: HTTPRequest, _ fault: ServiceFault, _ start: ContinuousClock.Instant) -> Response {
            let answer = refusal(wire(head), fault)
            log.write(answer.response, answer.trace, start)
            return response(answer.response, isHead: false)
        }

        /// True if the head says that the body is too long.
        func isTooLong(_ head: HTTPRequest) -> Bool {
            head.headerFields[.contentLength].flatMap { Int($0) }.map { $0 > options.bodyBytes } ?? false
        }

        /// Answers a request whose body is read; the memory of the answer is held until it is sent.
        func answer(
            _ head: HTTPRequest,
            _ body: [UInt8],
            _ channel: any Channel,
            _ start: ContinuousClock.Instant,
            _ hold: AnswerHold
        ) async -> Response {
            var request = wire(head)
            request.body = body
            request.address = address(head, channel)
            let memory = AnswerMemory { hold.demand($0, for: $1, always: false) }
            let (answer, trace) = await AnswerMemory.$current.withValue(memory) {
                await answerOffLoop(request, host: head.authority, sender(head, channel))
            }
            let coding = ContentCoding(accepted: head.headerFields[.acceptEncoding], for: answer)
            let response = await response(answer, isHead: head.method == .head, coding)
            // What a write did is told whatever others hold: a refusal would say that nothing was done.
            let isRead = answer.status == 200 && head.method != .put
            guard hold.demand(response.body?.count ?? 0, for: trace.user, always: !isRead) else {
                return refuse(head, AnswerMemory.fault, start)
            }
            log.write(answer, trace, start)
            return response
        }

        private func answerOffLoop(
            _ request: WireRequest,
            host: String?,
            _ sender: String
        ) async -> (response: WireResponse, trace: RequestTrace) {
            if request.body.count <= Self.mostInline { return await answer(request, host: host) }
            return await withTaskExecutorPreference(Turn(turns, of: sender)) { await answer(request, host: host) }
        }

        private func answer(
            _ request: WireRequest,
            host: String?
        ) async -> (response: WireResponse, trace: RequestTrace) {
            guard let playground, service == nil || playground.owns(request.path) else {
                return await service?.tracedAnswer(request) ?? refusal(request, ServiceFault(.badRequest))
            }
            var request = request
            request.headers["Host"] = host
            return (await playground.answer(request), RequestTrace())
        }

        private func refusal(
            _ request: WireRequest,
            _ fault: ServiceFault
        ) -> (response: WireResponse, trace: RequestTrace) {
            service?.refuse(request, fault) ?? (PlaygroundSite.refuse(fault.status, fault.debug), RequestTrace())
        }

        /// Refuses a request whose body is too long.
        func refuseLong(_ head: HTTPRequest, _ start: ContinuousClock.Instant) -> Response {
            refuse(head, ServiceFault(.entityTooLarge, debug: "a body has at most \(options.bodyBytes) bytes"), start)
        }

        /// Counts a connection until it closes; the response that it gets in place of all others if its address has too
        /// many.
        func refusal(of channel: any Channel) -> Response? {
            guard !options.trustsProxy, let network = channel.remoteAddress?.ipAddress?.network else { return nil }
            guard connections.take(1, for: network, always: false) else {
                let debug = "an address has at most \(connections.share) connections"
                return refuse(ServiceFault(.serviceUnavailable, debug: debug, retryAfter: 1))
            }
            channel.closeFuture.whenComplete { [connections] _ in connections.give(1, of: network) }
            return nil
        }

        /// Refuses what is no request.
        func refuse(_ fault: ServiceFault) -> Response {
            let answer = refusal(WireRequest("GET", ""), fault)
            log.write(answer.response, answer.trace, .now)
            return response(answer.response, isHead: false)
        }

        private func wire(_ head: HTTPRequest) -> WireRequest {
            let target = head.path ?? ""
            let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
            // HEAD is answered as GET, so that it tells the length; the body stays here.
            return WireRequest(
                head.method == .head ? "GET" : head.method.rawValue,
                mark.map { String(target[..<$0]) } ?? target,
                query: mark.map { String(target[target.utf8.index(after: $0)...]) } ?? "",
                headers: HeaderFields(head.headerFields.lazy.map { ($0.name.rawName, $0.value) })
            )
        }

        /// Whose long bodies a request's is one of.
        func sender(_ head: HTTPRequest, _ channel: any Channel) -> String { address(head, channel).network }

        private func address(_ head: HTTPRequest, _ channel: any Channel) -> String {
            if options.trustsProxy, let name = HeaderNames.forwardedFor, let list = head.headerFields[values: name].last
            {
                let last = list.split(separator: ",").last.map { $0.filter { $0 != " " } }
                if let last, !last.isEmpty, last.utf8.count <= 64 { return last }
            }
            return channel.remoteAddress?.ipAddress ?? ""
        }

        private func response(_ answer: WireResponse, isHead: Bool, _ coding: ContentCoding?) async -> Response {
            guard let coding, let bytes = await coding.encode(answer.body) else {
                return response(answer, isHead: isHead)
            }
            var encoded = answer
            encoded.body = bytes
            encoded.headers["Content-Encoding"] = coding.rawValue
            encoded.headers.append("Vary", "Accept-Encoding")
            return response(encoded, isHead: isHead)
        }

        private func response(_ answer: WireResponse, isHead: Bool) -> Response {
            var fields = HTTPFields()
            fields.reserveCapacity(answer.headers.fields.count + 2)
            for field in answer.headers {
                if let name = HeaderNames.name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
            }
            fields.append(HTTPField(name: .date, value: date.text))
            let hasBody = answer.status >= 200 && answer.status != 204 && answer.status != 304
            if hasBody { fields.append(HTTPField(name: .contentLength, value: String(answer.body.count))) }
            let head = HTTPResponse(status: .init(code: answer.status), headerFields: fields)
            let isSent = hasBody && !isHead && !answer.body.isEmpty
            return Response(head: head, body: isSent ? answer.body : nil)
        }
    }

    /// Works on a request in the turn of its sender; what waits for the database gives its turn to another.
    final class Turn: TaskExecutor {
        private let threads: WorkThreads<Void>
        private let sender: String
        private let hasBegun = Mutex(false)

        init(_ threads: WorkThreads<Void>, of sender: String) { (self.threads, self.sender) = (threads, sender) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let run: @Sendable () -> Void = { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            let continues = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return hasBegun
            }
            // Very few senders have so many requests; work that began is never dropped.
            if threads.run(for: sender, continues: continues, { _ in run() }) != .waits {
                DispatchQueue.global().async(execute: run)
            }
        }
    }

    /// What one answer takes of the memory for long answers, from its first rows until it is sent.
    final class AnswerHold: Sendable {
        private let budget: SharedBudget
        private let address: String
        private let held = Mutex((sender: "", bytes: 0, isEnded: false))

        init(_ budget: SharedBudget, of address: String) { (self.budget, self.address) = (budget, address) }

        /// Takes as much as an answer of so many bytes, or gives back what is more; false if others hold too much.
        func demand(_ bytes: Int, for user: String?, always: Bool) -> Bool {
            let bytes = bytes > Responder.shortBody ? bytes : 0
            return held.withLock { held in
                // A reading that was given up may still be going on.
                if held.isEnded { return false }
                if held.bytes == 0 { held.sender = user ?? address }
                if bytes > held.bytes {
                    guard budget.take(bytes - held.bytes, for: held.sender, always: always) else { return false }
                } else if bytes < held.bytes {
                    budget.give(held.bytes - bytes, of: held.sender)
                }
                held.bytes = bytes
                return true
            }
        }

        /// Gives everything back.
        func end() {
            let (sender, bytes) = held.withLock { held in
                held.isEnded = true
                return (held.sender, held.bytes)
            }
            if bytes > 0 { budget.give(bytes, of: sender) }
        }
    }

    /// The allocator of glibc, whose module does not name these functions; nothing elsewhere.
    enum Allocator {
        private static let mapThreshold: Int32 = -3

        /// Gives buffers of 1 MiB and more back to the system when they are freed.
        ///
        /// Otherwise each thread's arena would keep up to 64 MiB of the long answers that it made, and `malloc_trim` does
        /// not reach the end of an arena.
        static func giveBackLongBuffers() {
            guard let function = dlsym(nil, "mallopt") else { return }
            let set = unsafeBitCast(function, to: (@convention(c) (Int32, Int32) -> Int32).self)
            _ = set(mapThreshold, 1 << 20)
        }
    }

    /// Bytes of memory, or connections, that callers share: one has at most a quarter of them.
    final class SharedBudget: Sendable {
        private let bytes: Int
        private let taken = Mutex<(all: Int, of: [String: Int])>((0, [:]))

        /// What one caller has at most.
        var share: Int { max(1, bytes / 4) }

        init(_ bytes: Int) { self.bytes = bytes }

        /// Takes bytes for a caller; false if that is too much, unless they are always taken.
        func take(_ count: Int, for caller: String, always: Bool) -> Bool {
            taken.withLock { taken in
                let own = taken.of[caller, default: 0] + count
                guard always || taken.all + count <= bytes && own <= share else { return false }
                taken.all += count
                taken.of[caller] = own
                return true
            }
        }

        func give(_ count: Int, of caller: String) {
            taken.withLock { taken in
                taken.all -= count
                let own = taken.of[caller, default: 0] - count
                taken.of[caller] = own > 0 ? own : nil
            }
        }
    }

    /// The names of headers that the service sends, made once.
    enum HeaderNames {
        private static let known: [String: HTTPField.Name] = {
            let names = [
                "Content-Type", "ETag", "Location", "Retry-After", "Vary", "Allow", "Content-Encoding",
                "X-Kinvey-Request-Id", "X-Kinvey-Request-Start", "X-Kinvey-API-Version", "X-PQL-Service", "X-PQL-Epoch",
                "X-PQL-Last", "X-PQL-Next", "X-PQL-Gone", "X-PQL-Replayed", "X-PQL-Truncated",
            ]
            return Dictionary(
                names.map { ($0, HTTPField.Name($0)) }.compactMap { text, name in name.map { (text, $0) } }
            ) {
                first,
                _ in first
            }
        }()

        static let forwardedFor = HTTPField.Name("X-Forwarded-For")

        static func name(_ text: String) -> HTTPField.Name? { known[text] ?? HTTPField.Name(text) }
    }
#endif
