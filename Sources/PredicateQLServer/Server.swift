#if Server
    import Foundation
    import HTTPTypes
    import HummingbirdCore
    import Logging
    import NIOCore
    import NIOPosix
    import PredicateQLService
    import ServiceLifecycle
    import StoreModel

    /// A data service, a playground, or both over HTTP.
    ///
    /// It converts requests to ``WireRequest``, passes them to the service, and writes the responses; routes, rights
    /// and errors are up to the service.
    public struct HTTPServer: Sendable {
        /// The limits of a server, and its source of client addresses.
        public struct Options: Hashable, Sendable {
            /// The maximum size of a body in bytes (8 MiB).
            public var bodyBytes = ServiceLimits().bodyBytes
            /// The maximum total size of all bodies of more than 64 KiB, in bytes (256 MiB); a quarter of it per address.
            public var longBodyBytes = 256 << 20
            /// The maximum total size of all responses of more than 64 KiB that are being sent, in bytes (512 MiB); a
            /// quarter of it per caller.
            public var longAnswerBytes = 512 << 20
            /// The maximum number of connections; more wait to be accepted (4,096); an address has a quarter.
            public var connections = 4_096
            /// Seconds that a new connection has for the head of its first request (10).
            public var headSeconds = 10
            /// Seconds that a request may take, from its first line to its answer (60).
            public var requestSeconds = 60
            /// Seconds that a connection may be idle (60).
            public var idleSeconds = 60
            /// Seconds that requests in progress have when the server stops (10).
            public var stopSeconds = 10
            /// True to take the client's address from the last one in `X-Forwarded-For`, as a proxy writes it.
            public var trustsProxy = false

            /// The documented defaults.
            public init() {}
        }

        private let service: PredicateQLService.Service?
        private let playground: PlaygroundSite?
        private let responder: Responder
        private let options: Options
        private let logger: Logger

        /// A server.
        ///
        /// - Parameters:
        ///   - service: handles the requests; whoever created it closes it after ``run(on:whenReady:)`` has returned.
        ///     nil for a playground alone.
        ///   - playground: handles the requests below `/_play/`; nil for none.
        ///   - options: the server's limits.
        ///   - logger: receives one line per request at the level `info`, never with bodies or tokens.
        public init(
            _ service: PredicateQLService.Service?,
            playground: PlaygroundSite? = nil,
            options: Options = Options(),
            logger: Logger
        ) {
            self.service = service
            self.playground = playground
            responder = Responder(service: service, playground: playground, options: options, logger: logger)
            self.options = options
            self.logger = logger
        }

        /// Serves until SIGTERM or SIGINT; requests in progress are finished before it returns.
        ///
        /// - Parameters:
        ///   - address: where to listen; port 0 for a free one.
        ///   - whenReady: called with the address once the server accepts requests.
        /// - Throws: the system's error if it cannot listen there.
        public func run(
            on address: BindAddress,
            whenReady: @escaping @Sendable (SocketAddress?) async -> Void
        ) async throws {
            #if canImport(Glibc)
                Allocator.giveBackLongBuffers()
            #endif
            // What Hummingbird itself says is not about requests.
            var quiet = logger
            quiet.logLevel = .warning
            let channel = ConnectionChannel(responder: responder, options: options)
            let server = channel.server(
                configuration: ServerConfiguration(
                    address: address,
                    backlog: 1_024,
                    availableConnectionsDelegate: MaximumAvailableConnections(options.connections, logger: quiet)
                ),
                onServerRunning: { await whenReady($0.localAddress) },
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                logger: quiet
            )
            var services = [
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: server,
                    successTerminationBehavior: .gracefullyShutdownGroup
                )
            ]
            if let service { services.insert(.init(service: Upkeep(service: service)), at: 0) }
            var configuration = ServiceGroupConfiguration(
                services: services,
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: quiet
            )
            configuration.maximumGracefulShutdownDuration = .seconds(options.stopSeconds)
            let group = ServiceGroup(configuration: configuration)
            do { try await group.run() } catch {
                await playground?.end()
                throw error
            }
            await playground?.end()
        }
    }

    extension HTTPServer {
        /// Why a server cannot listen, as the person who started it would say it.
        ///
        /// - Parameters:
        ///   - error: what ``run(on:whenReady:)`` threw.
        ///   - place: the host and the port.
        /// - Returns: a sentence with the place.
        package static func reason(_ error: any Error, at place: String) -> String {
            if error is SocketAddressError.UnknownHost { return "cannot listen on \(place): there is no such host" }
            guard let code = (error as? IOError)?.errnoCode else { return "cannot serve on \(place): \(error)" }
            switch code {
            case EADDRINUSE: return "\(place) is in use"
            case EADDRNOTAVAIL: return "cannot listen on \(place): this machine has no such address"
            case EACCES: return "cannot listen on \(place): the port is reserved for the system"
            default: return "cannot listen on \(place): " + String(cString: strerror(code))
            }
        }
    }

    /// Removes what is too old, a little every minute.
    private struct Upkeep: ServiceLifecycle.Service {
        let service: PredicateQLService.Service

        func run() async throws {
            await cancelWhenGracefulShutdown {
                while (try? await Task.sleep(for: .seconds(60))) != nil {
                    while await service.tidy(), (try? await Task.sleep(for: .milliseconds(100))) != nil {}
                }
            }
        }
    }
#endif
