#if os(Linux)
    import CCurl
    import Foundation
    import QueryValues

    /// The thread on which libcurl carries all requests of the process; it begins with the first one.
    ///
    /// It keeps connections for later requests. No caller waits for it: ``Exchange`` ends what is late or cancelled,
    /// and this thread is told to let go.
    final class CurlWorker: @unchecked Sendable {
        private struct Inbox {
            var arriving: [CurlTransfer] = []
            var leaving: [CurlTransfer] = []
        }

        /// The worker; nil where libcurl cannot be used.
        static let shared = CurlLibrary.shared.flatMap { CurlWorker($0) }

        /// The maximum number of parallel connections to one host; other requests wait.
        private static let hostConnections = 16
        private static let keptConnections = 64

        private let curl: CurlLibrary
        private let group: CurlLibrary.Handle
        private let inbox = Mutex(Inbox())
        /// What runs, by its handle; only the thread touches it.
        private var running: [CurlLibrary.Handle: CurlTransfer] = [:]

        private init?(_ curl: CurlLibrary) {
            guard let group = curl.makeGroup(), curl.wake(group) == 0,
                curl.set(group: group, .hostConnections, Self.hostConnections),
                curl.set(group: group, .keptConnections, Self.keptConnections)
            else { return nil }
            self.curl = curl
            self.group = group
            Thread.detachNewThread { self.work() }
        }

        /// Sends a request.
        func start(_ transfer: CurlTransfer) {
            inbox.withLock { $0.arriving.append(transfer) }
            _ = curl.wake(group)
        }

        /// Ends a request whose caller has gone.
        func stop(_ transfer: CurlTransfer) {
            inbox.withLock { $0.leaving.append(transfer) }
            _ = curl.wake(group)
        }

        private func work() {
            // A connection that breaks while TLS writes to it must not end the process.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            while true {
                takeIn()
                var count: Int32 = 0
                let code = curl.perform(group, &count)
                if code != 0 { endAll("libcurl cannot go on: its error \(code)") }
                collect()
                // An error comes at once: without a pause it would come again and again.
                if curl.poll(group, nil, 0, 60_000, nil) != 0 { usleep(10_000) }
            }
        }

        /// Begins what arrived and leaves what was cancelled.
        private func takeIn() {
            let inbox = inbox.withLock { inbox in
                defer { inbox = Inbox() }
                return inbox
            }
            for transfer in inbox.arriving {
                guard let handle = transfer.open(curl) else { continue }
                running[handle] = transfer
                let code = curl.add(group, handle)
                if code != 0 { end(handle, .failure(.unreachable("libcurl does not begin: its error \(code)"))) }
            }
            for transfer in inbox.leaving {
                if let handle = transfer.handle { end(handle, .failure(.cancelled)) }
            }
        }

        /// Tells what has ended.
        private func collect() {
            var rest: Int32 = 0
            while let message = curl.read(group, &rest)?.pointee {
                // CURLMSG_DONE, the only kind there is.
                guard message.kind == 1, let handle = message.handle, let transfer = running[handle] else { continue }
                end(handle, transfer.outcome(message.data.code, curl))
            }
        }

        private func end(_ handle: CurlLibrary.Handle, _ outcome: CurlTransfer.Outcome) {
            guard let transfer = running[handle] else { return }
            _ = curl.remove(group, handle)
            transfer.close(curl)
            running[handle] = nil
            transfer.end(outcome)
        }

        private func endAll(_ reason: String) {
            for handle in Array(running.keys) { end(handle, .failure(.unreachable(reason))) }
        }
    }
#endif
