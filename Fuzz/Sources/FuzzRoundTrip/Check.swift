import Foundation
import FuzzSupport
import PredicateQL

/// Generated queries are queries: they parse, print, re-parse and survive Codable.
func check(_ bytes: [UInt8]) {
    var source = ByteSource(bytes)
    let (text, arguments) = QueryGenerator.query(&source)
    do {
        let query = try Query(format: text, arguments: arguments)
        requireFixedPoint(query, of: text)
        let decoded = try JSONDecoder().decode(Query.self, from: JSONEncoder().encode(query))
        require(decoded == query, "Codable changes \(text)")
        require(decoded.hashValue == query.hashValue, "Codable changes the hash of \(text)")
    } catch {
        fatalError("\(text) \(arguments): \(error)")
    }
}
