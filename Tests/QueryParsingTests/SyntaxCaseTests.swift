import Foundation
import PredicateQL
import SpecSupport
import Testing

/// The cases of `Tests/Data/syntax.json`: one per production of the language and per kind of bad text.
struct SyntaxCaseTests {
    private struct Case {
        var id: String
        var format: String
        var arguments: [QueryValue]
        var isValid: Bool
        var canonical: String?
    }

    private static func cases() throws -> [Case] {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/syntax.json")
        let objects = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]] ?? []
        return try objects.map { object in
            let arguments = try JSONSerialization.data(withJSONObject: object["args"] ?? [])
            let text = try #require(String(data: arguments, encoding: .utf8))
            guard case .list(let values) = try QueryValue(json: text) else { throw CocoaError(.coderReadCorrupt) }
            return Case(
                id: try #require(object["id"] as? String),
                format: try #require(object["format"] as? String),
                arguments: values,
                isValid: try #require(object["valid"] as? Bool),
                canonical: object["canonical"] as? String
            )
        }
    }

    @Test func everyValidCaseParsesPrintsAndParsesAgain() throws {
        let cases = try Self.cases().filter(\.isValid)
        #expect(cases.count > 250)
        for item in cases {
            let condition: Condition
            do {
                condition = try Condition(parsing: item.format, arguments: item.arguments)
            } catch {
                Issue.record("\(item.id): \(item.format.prefix(100)): \(error.rendered())")
                continue
            }
            let printed = condition.format
            if let canonical = item.canonical {
                #expect(printed == canonical, "\(item.id)")
            }
            do {
                let again = try Condition(parsing: printed, arguments: condition.arguments)
                #expect(again == condition, "\(item.id): \(printed.prefix(100))")
                #expect(again.format == printed, "\(item.id)")
            } catch {
                Issue.record("\(item.id): \(printed.prefix(100)): \(error.rendered())")
            }
        }
    }

    @Test func everyInvalidCaseSaysWhatAndWhere() throws {
        let cases = try Self.cases().filter { !$0.isValid }
        #expect(cases.count > 200)
        for item in cases {
            do {
                let condition = try Condition(parsing: item.format, arguments: item.arguments)
                Issue.record("\(item.id): \(item.format.prefix(100)) parses as \(condition.format)")
            } catch {
                #expect(QueryError.Code.all.contains(error.code), "\(item.id)")
                #expect(!error.message.isEmpty, "\(item.id)")
                let hasPlace = error.range.map { $0.upperBound <= item.format.utf8.count } ?? (error.code == .argument)
                #expect(hasPlace, "\(item.id): \(error.message) at \(String(describing: error.range))")
            }
        }
    }

    /// Applying fix after fix leads to a text that parses, unless the first mistake has no fix.
    @Test func everyFixOfAnInvalidCaseMendsIt() throws {
        var mended = 0
        for item in try Self.cases() where !item.isValid {
            var text = item.format
            var rounds = 0
            var error = Self.problem(text, item.arguments)
            guard error?.fix != nil else { continue }
            while let fix = error?.fix, rounds < 8 {
                guard let next = fix.applied(to: text) else {
                    Issue.record("\(item.id): the fix does not fit \(text)")
                    break
                }
                text = next
                rounds += 1
                error = Self.problem(text, item.arguments)
            }
            mended += 1
            // An argument must be passed by the caller.
            let isMended = error == nil || error?.code == .argument
            #expect(isMended, "\(item.id): \(item.format) became \(text)\n\(error?.rendered() ?? "")")
        }
        #expect(mended > 50, "\(mended) cases have a fix")
    }

    private static func problem(_ text: String, _ arguments: [QueryValue]) -> QueryError? {
        do throws(QueryError) {
            _ = try Query(parsing: text, arguments: arguments)
            return nil
        } catch {
            return error
        }
    }
}
