import PredicateQL
import PredicateQLStore
import StoreModel

/// An entity of the tests.
package struct Novel: Entity, Hashable {
    package static let collection = "Book"
    package var _id: String?
    package var _acl: AccessControl?
    package var _kmd: Metadata?
    package var title: String?
    package var year: Int?
    package var tags: [String]?

    package init(
        id: String? = nil,
        title: String? = nil,
        year: Int? = nil,
        tags: [String]? = nil,
        kmd: Metadata? = nil
    ) {
        (_id, _kmd, self.title, self.year, self.tags) = (id, kmd, title, year, tags)
    }
}

extension ServiceHarness {
    /// A client of the service, with a clock and numbers of its own.
    package func client(
        _ cache: StoreClient.CacheLocation = .memory,
        options: Options = Options(),
        migrations: [Migration] = [],
        seed: Int64 = 0
    ) throws -> StoreClient {
        let numbers = Clock(seed: UInt64(bitPattern: seed) &+ 77)
        let time = time
        return try StoreClient(
            FunctionTransport { [service] request in await service.answer(request) },
            app: .init(key: Self.key, secret: "s"),
            cache: cache,
            options: options,
            migrations: migrations,
            environment: StoreEnvironment(now: { time.now }, random: { numbers.random() })
        )
    }
}
