import Foundation
import PredicateQL

/// Invariants of every text, whether it is a query or not; one call checks them all.
///
///     #expect(QueryInvariants.failures(of: "age > 20", rows: rows) == [])
///
/// - the text is a query, or an error whose range is inside it;
/// - canonical text and arguments parse to an equal tree, and print the same text again;
/// - equal trees have equal hashes, and survive Codable;
/// - every backend supports it, or rejects it with a range in the text;
/// - normalizing is idempotent, and the normalized condition finds the same rows;
/// - `p` and `NOT p` partition the rows, and SQLite finds the same rows as the evaluator;
/// - all of this holds with any one token removed.
public struct QueryInvariants {
    private var rows: [Document]
    private var schema: Schema?
    private var now: Int64?
    private var found: [String] = []

    /// The invariants that a text breaks.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - arguments: the arguments of its placeholders.
    ///   - schema: the schema to check it against.
    ///   - rows: sample rows, for the agreement of evaluator and SQLite.
    ///   - now: the instant of the run.
    ///   - deletingTokens: whether the text is also checked without each of its tokens.
    /// - Returns: one line per broken invariant; empty when all hold.
    public static func failures(
        of text: String,
        arguments: [QueryValue] = [],
        schema: Schema? = nil,
        rows: [Document] = [],
        now: Int64? = nil,
        deletingTokens: Bool = true
    ) -> [String] {
        var invariants = QueryInvariants(rows: rows, schema: schema, now: now ?? 978_308_200_000)
        invariants.check(text, arguments, isWhole: true)
        if deletingTokens {
            invariants.rows = []
            for shorter in withoutEachToken(text) { invariants.check(shorter, arguments, isWhole: false) }
        }
        return invariants.found
    }

    private init(rows: [Document], schema: Schema?, now: Int64) {
        self.rows = rows
        self.schema = schema
        self.now = now
    }

    private mutating func check(_ text: String, _ arguments: [QueryValue], isWhole: Bool) {
        do {
            let query = try Query(parsing: text, arguments: arguments, schema: schema)
            checkText(query, text)
            checkCoding(query, text)
            checkBackends(query, text)
            checkNormalized(query, text)
            if isWhole, !rows.isEmpty { checkRows(query, text) }
        } catch {
            checkRange(error, in: text)
        }
    }

    private mutating func checkText(_ query: Query, _ text: String) {
        let format = query.format
        do {
            let again = try Query(parsing: format, arguments: query.arguments, schema: schema)
            if again.condition != query.condition {
                found.append("\(text): prints \(format), which is another tree: \(again.condition.treeDump)")
            }
            if again.format != format { found.append("\(text): prints \(format), then \(again.format)") }
            if again.hashValue != query.hashValue { found.append("\(text): equal queries hash apart") }
        } catch {
            found.append("\(text): prints \(format), which is no query: \(error.message)")
        }
    }

    private mutating func checkCoding(_ query: Query, _ text: String) {
        do {
            // A schema is not part of the encoded query.
            guard var decoded = try Coding.roundTrip(query) else { return }
            decoded.schema = query.schema
            if decoded != query { found.append("\(text): Codable gives another query") }
        } catch {
            found.append("\(text): Codable throws \(error)")
        }
    }

    private mutating func checkNormalized(_ query: Query, _ text: String) {
        let normalized = query.condition.normalized(now: now, nilMeaning: query.nilMeaning)
        let again = normalized.normalized(now: now, nilMeaning: query.nilMeaning)
        if again != normalized {
            found.append("\(text): normalized to \(normalized.format), then to \(again.format)")
        }
        // Random values may differ from one run to the next.
        guard !rows.isEmpty, !text.contains("random") else { return }
        do {
            let holds = try query.matchingIndices(in: rows, now: now)
            var simple = query
            simple.condition = normalized
            let found = try simple.matchingIndices(in: rows, now: now)
            if found != holds {
                self.found.append("\(text): finds \(holds), normalized to \(normalized.format) \(found)")
            }
        } catch {
            checkRange(error, in: text)
        }
    }

    private mutating func checkBackends(_ query: Query, _ text: String) {
        for profile in [MongoProfile.mongoDB, .findOnly, .kinvey] {
            for guarded in [false, true] {
                do {
                    _ = try query.mongo(profile, guarded: guarded, now: now)
                } catch {
                    checkRange(error, in: text)
                }
            }
        }
        for storage in [SQLStorage.columns, .document(column: "doc")] {
            do {
                _ = try query.sql(.sqlite, from: SQLTable("t", storage: storage), now: now)
            } catch {
                checkRange(error, in: text)
            }
        }
    }

    private mutating func checkRange(_ error: QueryError, in text: String) {
        if !QueryError.Code.all.contains(error.code) { found.append("\(text): unlisted code \(error.code)") }
        guard let range = error.range else { return }
        if range.upperBound > text.utf8.count { found.append("\(text): \(error.code) has range \(range)") }
        if let source = error.source, source != text, error.path == nil {
            found.append("\(text): \(error.code) points into another text: \(source)")
        }
    }

    private mutating func checkRows(_ query: Query, _ text: String) {
        do {
            let holds = try query.matchingIndices(in: rows, now: now)
            var opposite = query
            opposite.condition = .not(query.condition)
            let fails = try opposite.matchingIndices(in: rows, now: now)
            if (holds + fails).sorted() != Array(rows.indices) {
                found.append("\(text): holds for \(holds), NOT holds for \(fails)")
            }
            let labels = rows.indices.map(String.init)
            let expected = holds.map { labels[$0] }
            for (storage, answer) in try SpecDatabase.answers(to: query, rows: rows, labels: labels, now: now)
            where answer != expected {
                found.append("\(text): the evaluator finds \(expected), \(storage) \(answer)")
            }
        } catch {
            checkRange(error, in: text)
        }
    }

    /// The text without each of its words, quoted strings, numbers and signs.
    static func withoutEachToken(_ text: String) -> [String] {
        var tokens: [Range<String.Index>] = []
        var start = text.startIndex
        while start < text.endIndex {
            let first = text[start]
            var end = text.index(after: start)
            if first == "'" || first == "\"" {
                end = text[end...].firstIndex(of: first).map { text.index(after: $0) } ?? text.endIndex
            } else if first.isLetter || first.isNumber || first == "_" {
                end = text[end...].firstIndex { !($0.isLetter || $0.isNumber || $0 == "_") } ?? text.endIndex
            }
            if !first.isWhitespace { tokens.append(start..<end) }
            start = end
        }
        return tokens.prefix(200).map { text.replacingCharacters(in: $0, with: "") }
    }
}

/// Codable round trips, for types that support it.
public enum Coding {
    /// The value encoded and decoded, or nil if its type is not Codable.
    ///
    /// - Parameter value: any value.
    /// - Returns: the decoded value.
    /// - Throws: what the coders throw.
    public static func roundTrip<Value>(_ value: Value) throws -> Value? {
        guard let encodable = value as? any Encodable, let type = Value.self as? any Decodable.Type else { return nil }
        return try JSONDecoder().decode(type, from: JSONEncoder().encode(encodable)) as? Value
    }
}
