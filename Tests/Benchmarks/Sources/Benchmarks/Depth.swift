import Foundation
import PredicateQL

/// Deep queries on a thread of 512 KiB, in the optimized build that users have: an overflow crashes the process (S26).
///
/// The tests do the same with a debug build, whose frames differ.
extension Benchmarks {
    func depth() throws {
        var count = 0
        for text in DeepTexts.all {
            do throws(QueryError) {
                _ = try Query(parsing: text)
            } catch {
                // A tree may be too high although its text is within the nesting limit; nothing else is skipped.
                guard error.code == .limit else { throw error }
                continue
            }
            count += 1
            let error = SmallThread.run {
                let query = try Query(parsing: text)
                for work in Self.works {
                    do {
                        try work(query)
                    } catch let error as QueryError where error.code == .unsupported || error.code == .limit {
                        continue
                    }
                }
            }
            if let error { throw error }
        }
        print("depth: \(count) texts parsed, translated and matched on a thread of 512 KiB")
    }

    private static let works: [@Sendable (Query) throws -> Void] = [
        { _ = try $0.matches(["a": 1, "b": [1, 2]] as Document) },
        { _ = try $0.results(in: [["a": 1, "b": [1, 2]], ["x": 3]] as [Document], now: 0) },
        { _ = try $0.mongo(now: 0).json },
        { _ = try $0.mongo(guarded: true, now: 0).json },
        { _ = try $0.sql(.sqlite, from: "t", now: 0) },
        { _ = try $0.sql(.sqlite, from: SQLTable("t", storage: .document()), now: 0) },
        { _ = try $0.sql(.postgresql, from: SQLTable("t", storage: .document()), now: 0) },
        { _ = try Query(parsing: $0.format, arguments: $0.arguments) },
        { _ = try JSONDecoder().decode(Query.self, from: JSONEncoder().encode($0)) },
        { _ = try $0.checked() },
    ]
}
