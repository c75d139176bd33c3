#if Server
    import Foundation
    import Logging
    import PredicateQLService
    import QueryValues
    import StoreModel

    /// One line a request: never bodies, parameters or tokens.
    struct RequestLog: Sendable {
        private let logger: Logger

        init(_ logger: Logger) { self.logger = logger }

        func write(_ answer: WireResponse, _ trace: RequestTrace, _ start: ContinuousClock.Instant) {
            guard logger.logLevel <= .info else { return }
            let time = (ContinuousClock.now - start).components
            let microseconds = time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
            var metadata: Logger.Metadata = [
                "id": .string(answer.headers["X-Kinvey-Request-Id"] ?? ""), "status": .stringConvertible(answer.status),
                "bytes": .stringConvertible(answer.body.count), "ms": .stringConvertible(Double(microseconds) / 1_000),
            ]
            if let route = trace.route { metadata["route"] = .string(route) }
            if let app = trace.app { metadata["app"] = .string(app) }
            if let user = trace.user { metadata["user"] = .string(user) }
            logger.info("request", metadata: metadata)
        }
    }

    /// Lines on the way to a file descriptor: whoever writes one never waits for who reads them.
    ///
    /// One thread writes. When nobody reads a pipe, lines beyond a bound are dropped, and their number is logged later.
    final class LogLines: @unchecked Sendable {
        /// Those of the process.
        static let main = LogLines(2)

        private var descriptor: Int32
        private var hangUps: (any DispatchSourceSignal)?
        private let condition = NSCondition()
        private var waiting: [UInt8] = []
        private var dropped = 0
        private var isWriting = false
        private var isStarted = false
        /// The most bytes that wait.
        private let most: Int

        init(_ descriptor: Int32, most: Int = 1 << 20) { (self.descriptor, self.most) = (descriptor, most) }

        /// Appends to a file from now on, and reopens it at each SIGHUP.
        ///
        /// - Returns: false if it cannot be opened.
        func open(_ path: String) -> Bool {
            guard reopen(path) else { return false }
            signal(SIGHUP, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
            source.setEventHandler { [self] in _ = reopen(path) }
            source.resume()
            hangUps = source
            return true
        }

        /// Where it fails the lines go where they went.
        private func reopen(_ path: String) -> Bool {
            let opened = Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            guard opened >= 0 else { return false }
            condition.lock()
            defer { condition.unlock() }
            while isWriting { condition.wait() }
            if descriptor != 2 { close(descriptor) }
            descriptor = opened
            return true
        }

        func write(_ line: [UInt8]) {
            condition.lock()
            defer { condition.unlock() }
            guard waiting.count + line.count <= most else {
                dropped += 1
                return
            }
            waiting += line
            if !isStarted {
                isStarted = true
                Thread.detachNewThread { [self] in run() }
            }
            condition.broadcast()
        }

        /// Waits until all lines are written, but not longer than a time.
        func flush(within seconds: Double) {
            let end = Date(timeIntervalSinceNow: seconds)
            condition.lock()
            defer { condition.unlock() }
            while isWriting || !waiting.isEmpty, condition.wait(until: end) {}
        }

        private func run() {
            while true {
                condition.lock()
                isWriting = false
                condition.broadcast()
                while waiting.isEmpty { condition.wait() }
                var lines = waiting
                if dropped > 0 { lines += Array("\(dropped) lines were not read in time, and dropped\n".utf8) }
                (waiting, dropped, isWriting) = ([], 0, true)
                let descriptor = descriptor
                condition.unlock()
                var rest = lines[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                    if count > 0 {
                        rest = rest.dropFirst(count)
                    } else if errno != EINTR {
                        break
                    }
                }
            }
        }
    }

    /// Writes log lines to standard error, as text or as JSON.
    public struct LineLogHandler: LogHandler {
        /// The form of a line.
        public enum Form: String, Hashable, Sendable, CaseIterable {
            /// Level, message and `name=value` pairs.
            case text
            /// A JSON object per line.
            case json
            /// Nothing.
            case off
        }

        /// The lowest level that is written.
        public var logLevel: Logger.Level
        /// Metadata of every line.
        public var metadata: Logger.Metadata = [:]
        private let form: Form

        /// A handler.
        ///
        /// - Parameter form: the form of the lines.
        public init(form: Form) {
            self.form = form
            logLevel = form == .off ? .critical : .info
        }

        /// Waits until the lines are written, a second at most, because they may never be read.
        public static func flush() { LogLines.main.flush(within: 1) }

        /// Appends the log lines of the process to a file instead of standard error.
        ///
        /// The file is reopened at each SIGHUP, so that it can be renamed before.
        ///
        /// - Parameter path: the file; created, readable by its owner only, if it does not exist.
        /// - Returns: false if it cannot be opened.
        public static func write(to path: String) -> Bool { LogLines.main.open(path) }

        /// A metadata value of every line.
        public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        /// Writes a line.
        public func log(event: LogEvent) {
            guard form != .off else { return }
            var values = metadata
            if let own = event.metadata { values.merge(own) { $1 } }
            var document: Document = [
                "time": .string(Tick(rawValue: ServiceEnvironment.live.now()).text),
                "level": .string(event.level.rawValue), "message": .string("\(event.message)"),
            ]
            for (key, value) in values.sorted(by: { $0.key < $1.key }) { document[key] = Self.value(value) }
            var line: [UInt8] = []
            switch form {
            case .json: JSONWriter().write(.object(document), to: &line)
            case .text: line = Array(Self.text(document).utf8)
            case .off: return
            }
            line.append(UInt8(ascii: "\n"))
            LogLines.main.write(line)
        }

        private static func value(_ value: Logger.Metadata.Value) -> QueryValue {
            switch value {
            case .stringConvertible(let number as Int): .int(Int64(number))
            case .stringConvertible(let number as Double): .double(number)
            default: .string("\(value)")
            }
        }

        private static func text(_ document: Document) -> String {
            var parts: [String] = []
            for (key, value) in document.pairs {
                switch (key, value) {
                case ("time", .string(let text)), ("level", .string(let text)), ("message", .string(let text)):
                    parts.append(text.allSatisfy { !$0.isNewline } ? text : QueryValue.string(text).json)
                case (let key, .string(let text))
                where text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 }:
                    parts.append("\(key)=\(text)")
                case (let key, let value): parts.append("\(key)=\(value.json)")
                }
            }
            return parts.joined(separator: " ")
        }
    }
#endif
