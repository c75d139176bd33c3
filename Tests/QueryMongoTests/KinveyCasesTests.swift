import Foundation
import PredicateQL
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// The cases of `Tests/Data/kinvey.json`, checked as its `about` describes.
@Suite("Kinvey cases")
struct KinveyCasesTests {
    private struct Case {
        var id: Int64
        var predicate: String
        var arguments: [QueryValue]
        var isRight: Bool
        var sent: QueryValue?
        var want: QueryValue?
        var schema: Schema?
        var profile: MongoProfile

        init?(_ value: QueryValue) throws {
            guard case .object(let object) = value, case .int(let id)? = object["id"],
                case .string(let predicate)? = object["predicate"], case .list(let arguments)? = object["arguments"]
            else { return nil }
            self.id = id
            self.predicate = predicate
            self.arguments = try arguments.map { try QueryValue(json: $0.json, extended: true) }
            isRight = object["status"] == "ok"
            sent = object["sdk_json"]
            want = object["want"]
            schema = try object["schema"].map { try Schema(jsonSchema: $0) }
            profile = object["profile"] == "kinvey" ? .kinvey : .mongoDB
        }
    }

    private static func cases() throws -> [Case] {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/kinvey.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        guard case .object(let file) = try QueryValue(json: text), case .list(let cases)? = file["cases"] else {
            return []
        }
        return try cases.compactMap { try Case($0) }
    }

    @Test("correct SDK requests are sent the same way")
    func sameJSON() throws {
        var count = 0
        for example in try Self.cases() where example.isRight {
            count += 1
            do {
                let query = try Query(parsing: example.predicate, arguments: example.arguments, schema: example.schema)
                let filter = try query.mongo(example.profile).filter
                #expect(
                    isSameJSON(.object(filter), example.sent ?? .null),
                    "case \(example.id): \(QueryValue.object(filter).json) is not \(example.sent?.json ?? "")"
                )
            } catch {
                Issue.record("case \(example.id): \(example.predicate): \(error)")
            }
        }
        #expect(count > 30)
    }

    @Test("where the SDK is wrong, requests follow the intended meaning")
    func sameMeaning() throws {
        var compared = 0
        for example in try Self.cases() where !example.isRight {
            if case .string(let text)? = example.want, text.hasPrefix("error") {
                expectError(example)
                continue
            }
            do {
                compared += try compare(example)
            } catch {
                Issue.record("case \(example.id): \(example.predicate): \(error)")
            }
        }
        #expect(compared > 5_000)
    }

    private func expectError(_ example: Case) {
        do {
            let query = try Query(parsing: example.predicate, arguments: example.arguments, schema: example.schema)
            let mongo = try query.mongo(example.profile)
            Issue.record("case \(example.id): \(example.predicate) gave \(mongo.json)")
        } catch {
            #expect(error.range != nil, "case \(example.id): \(error)")
        }
    }

    /// Our filter, the intended one and the tree's own meaning hold for the same documents.
    private func compare(_ example: Case) throws -> Int {
        let query = try Query(parsing: example.predicate, arguments: example.arguments, schema: example.schema)
        let evaluator = RowEvaluator(schema: example.schema)
        var compared = 0
        for guarded in [false, true] {
            let mongo = try query.mongo(example.profile, guarded: guarded)
            var generator = CaseDocuments(example.want ?? .null, mongo.filter, example.arguments)
            for _ in 0..<200 {
                let row = generator.next()
                guard mongo.assumptions.hold(in: row) else { continue }
                let found = try MongoJudge.matches(row, mongo.filter)
                if example.schema == nil {
                    #expect(
                        try found == evaluator.holds(query.condition, in: row, now: 0),
                        "case \(example.id): \(mongo.json) \(QueryValue.object(row).json)"
                    )
                }
                if case .object(let want)? = example.want, !guarded {
                    #expect(
                        try found == MongoJudge.matches(row, want),
                        "case \(example.id): \(mongo.json) \(QueryValue.object(row).json)"
                    )
                }
                compared += 1
            }
        }
        return compared
    }
}

/// Documents with the fields and the constants of a case.
private struct CaseDocuments {
    private var generator = Generator(seed: 1)
    private var fields: Set<String> = []
    private var constants: [QueryValue] = [.null, .int(31), .int(3), .string("acme"), .string("abc"), .string("m\n")]

    init(_ want: QueryValue, _ filter: Document, _ arguments: [QueryValue]) {
        collect(want)
        collect(.object(filter))
        for argument in arguments { collect(argument) }
    }

    private mutating func collect(_ value: QueryValue) {
        switch value {
        case .object(let object):
            for (key, value) in object.pairs {
                if !key.hasPrefix("$"), key.utf8.count > 0, Int(key) == nil { fields.insert(key) }
                collect(value)
            }
        case .list(let elements): for element in elements { collect(element) }
        case .string(let text) where text.hasPrefix("$") && !text.hasPrefix("$$"):
            fields.insert(String(text.dropFirst()))
        default: constants.append(value)
        }
    }

    mutating func next() -> Document {
        var row = Document()
        for field in fields.sorted() where generator.below(6) > 0 {
            let keys = field.split(separator: ".").map(String.init)
            let isList = generator.below(3) == 0
            let value: QueryValue = isList ? .list((0..<generator.below(4)).map { _ in element() }) : element()
            row[keys[0]] = keys.dropFirst().reversed().reduce(value) { .object(Document(pairs: [($1, $0)])) }
        }
        return row
    }

    private mutating func element() -> QueryValue {
        generator.below(5) == 0 ? .object(["price": .int(Int64(generator.below(12)))]) : generator.pick(constants)
    }
}

/// Equal JSON regardless of key order; 1 and 1.0 are the same number.
func isSameJSON(_ a: QueryValue, _ b: QueryValue) -> Bool {
    switch (a, b) {
    case (.object(let x), .object(let y)):
        x.count == y.count && x.pairs.allSatisfy { key, value in y[key].map { isSameJSON(value, $0) } ?? false }
    case (.list(let x), .list(let y)): x.count == y.count && zip(x, y).allSatisfy(isSameJSON)
    case (.int(let x), .double(let y)), (.double(let y), .int(let x)): Double(x) == y
    default: a == b
    }
}
