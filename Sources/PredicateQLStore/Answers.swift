import PredicateQL

/// The results of a read, one from each source that the read policy names.
///
///     for try await answer in novels.answers() { print(answer.source, answer.entities.count) }
public struct Answers<Value: Entity>: AsyncSequence, Sendable {
    let store: DataStore<Value>
    let options: Options?
    /// Asks one side.
    let ask: @Sendable (ReadTarget, _ isLocal: Bool) async throws(StoreError) -> FindResult<Value>

    /// Reads from one source after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let answers: Answers
        fileprivate var sides: [Bool]?

        /// The next result; nil after the last.
        ///
        /// - Throws: `StoreError` as ``DataStore/find(_:options:)``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> Answer<Value>? {
            let target = answers.store.target(answers.options, await answers.store.client.seat)
            let isBoth = target.policy == .both && target.keepsRows
            var rest = sides ?? (isBoth ? [true, false] : [false])
            defer { sides = rest }
            while let isLocal = rest.first {
                rest.removeFirst()
                guard isBoth else { return try await answers.one(target) }
                do throws(StoreError) {
                    return try await answers.answer(target, isLocal: isLocal)
                } catch {
                    // What the cache lacks, or has had for too long, the service tells.
                    switch error {
                    case .notFound where isLocal, .noValidLocalData where isLocal: continue
                    default: throw error
                    }
                }
            }
            return nil
        }

        /// The next result; nil after the last.
        public mutating func next() async throws -> Answer<Value>? { try await next(isolation: nil) }
    }

    /// Starts the read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(answers: self) }

    /// The one answer of a policy that gives one.
    private func one(_ target: ReadTarget) async throws(StoreError) -> Answer<Value> {
        try await store.read(target) { (isLocal) async throws(StoreError) in
            try await answer(target, isLocal: isLocal)
        }
    }

    private func answer(_ target: ReadTarget, isLocal: Bool) async throws(StoreError) -> Answer<Value> {
        let found = try await ask(target, isLocal)
        return Answer(source: isLocal ? .local : .network, entities: found.entities, unreadable: found.unreadable)
    }
}
