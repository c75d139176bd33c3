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

    /// Writes log lines to standard error, as text or as JSON.
    public struct LineLogHandler: LogHandler {
        /// The form of a line.
        public enum Form: String, Hashable, Sendable, CaseIterable {
            /// Level, message and `name=value`, in a line.
            case text
            /// A JSON object in a line.
            case json
            /// Nothing.
            case off
        }

        /// The least level that is written.
        public var logLevel: Logger.Level
        /// Values of every line.
        public var metadata: Logger.Metadata = [:]
        private let form: Form

        /// A handler.
        ///
        /// - Parameter form: the form of the lines.
        public init(form: Form) {
            self.form = form
            logLevel = form == .off ? .critical : .info
        }

        /// A value of every line.
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
            // One call a line, so that lines of several threads do not mix.
            line.withUnsafeBytes { bytes in _ = Foundation.write(2, bytes.baseAddress, bytes.count) }
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
