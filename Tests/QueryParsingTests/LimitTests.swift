import Foundation
import PredicateQL
import Testing

@testable import QueryParsing

/// Nothing traps, nothing takes more than linear time, every tree can be used on a small stack (S26).
struct LimitTests {
    private static func nested(_ open: String, _ middle: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + middle + String(repeating: close, count: count)
    }

    /// Texts with every kind of nesting in the grammar.
    private static func texts(_ count: Int) -> [String] {
        [
            nested("(", "a == 1", ")", count), nested("(", "a", ")", count) + " == 1",
            nested("NOT ", "a == 1", "", count),
            "a == " + nested("-", "a", "", count), "a == " + nested("{", "1", "}", count),
            nested("a[", "0", "]", count) + " == 1", "a" + nested("[0]", "", "", count) + " == 1",
            nested("sqrt(", "a", ")", count) + " == 1", nested("SUBQUERY(a, $x, ", "a == 1", ").@count == 1", count),
            nested("TERNARY(", "a == 1", ", 1, 2) == 1", count), nested("CAST(", "a", ", 'NSNumber')", count) + " == 1",
            "a" + nested(" & 1", "", "", count) + " == 1", nested("2 ** -", "a", "", count) + " == 1",
            nested("(a + b * c ** ", "2", ")", count) + " == 1",
            "1 IN " + nested("(a UNION b UNION ", "c", ")", count),
            nested("(b | c ^ d & e << f + g * h ** ", "2", ")", count) + " == 1",
            nested("(a == 1 AND (b == 2 OR ", "c == 3", "))", count / 2),
            nested("a == 1 AND NOT (b == 1 OR ", "c == 1", ")", count),
            nested("$v := ", "1", "", count) + " == 1", "1 IN a.x" + nested(".@unionOfObjects.x", "", "", count),
            nested("(", "a", ".b)[0]", count) + " == 1", nested("a == 1 AND (", "b == 1", ")", count),
            nested("add:to:(1, ", "a", ")", count) + " == 1", nested("add:to:(", "a", ", 1)", count) + " == 1",
            nested("TERNARY(a == 1 AND NOT (b == 1 OR c == ", "1", "), 1 + 2 * -3, 4)", count) + " == 1",
            "a == b - " + nested("-", "7", "", count), "a == " + nested("-", "0.5", "", count),
            "a == " + nested("-", "9223372036854775808", "", count), "a == " + nested("{", "-1", "}", count),
            nested("sqrt(", "-1", ")", count) + " == 1", nested("2 ** -", "1", "", count) + " == 1",
            "a == " + nested("{", "CAST(-5, 'NSDate')", "}", count),
        ]
    }

    /// Runs on a thread with a small stack.
    private static func onSmallStack(KiB: Int = 512, _ work: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            work()
            done.signal()
        }
        thread.stackSize = KiB << 10
        thread.start()
        done.wait()
    }

    @Test func everyDepthGivesATreeOrAnError() {
        Self.onSmallStack {
            for count in [1, 2, 20, 31, 32, 40, 62, 63, 64, 65, 66, 100, 128, 129, 20_000] {
                for text in Self.texts(count) {
                    var printed: String?
                    do throws(QueryError) {
                        let condition = try Condition(parsing: text, [], .default)
                        printed = condition.format
                        let again = try Condition(parsing: condition.format, [], .default)
                        #expect(again == condition, "\(text.prefix(60)) × \(count)")
                        #expect(again.hashValue == condition.hashValue)
                        #expect(again.format == printed)
                    } catch {
                        #expect(error.code == .limit && count > 2, "\(text.prefix(60)) × \(count): \(error.message)")
                        #expect(printed == nil, "\(text.prefix(60)) × \(count) is printed as no query")
                    }
                }
            }
        }
    }

    /// Trees in JSON may be as high as the parser's, and their reader and writer use no call stack.
    @Test func everyDepthSurvivesAsJSON() {
        Self.onSmallStack {
            for count in [1, 31, 62, 63, 64] {
                for text in Self.texts(count) {
                    guard let condition = try? Condition(parsing: text, [], .default) else { continue }
                    do throws(QueryError) {
                        let tree = try condition.jsonTree
                        let again = try JSONTreeReader(.default).root(tree, at: "$")
                        #expect(again == condition, "\(text.prefix(60)) × \(count)")
                    } catch {
                        #expect(error.code == .limit && text.contains(":="), "\(text.prefix(60)) × \(count)")
                    }
                }
            }
            for count in [60, 64, 65, 207, 208, 209, 400, 20_000] {
                let nots = Self.nested(#"{"not":"#, "true", "}", count)
                #expect(((try? Condition(jsonTree: nots)) != nil) == (count <= 64), "\(count)")
                // AND with one part needs no parentheses.
                let ands = Self.nested(#"{"and":["#, "true", "]}", count)
                #expect(((try? Condition(jsonTree: ands)) != nil) == (count <= 208), "\(count)")
            }
        }
    }

    @Test func everyDepthSurvivesAsNodes() {
        Self.onSmallStack(KiB: 4096) {
            for text in Self.texts(64) {
                guard let condition = try? Condition(parsing: text, [], .default) else { continue }
                // There a minus is a product, whose parentheses may nest too deep.
                guard let node = try? PredicateNode(condition) else { continue }
                do throws(QueryError) {
                    _ = try node.condition()
                } catch {
                    #expect(error.code == .limit, "\(text.prefix(60)): \(error.message)")
                }
            }
        }
    }

    @Test func sixtyFourLevelsAreAllowed() throws {
        for (open, middle, close) in [("(", "a == 1", ")"), ("NOT ", "a == 1", "")] {
            #expect(throws: Never.self) { _ = try Condition(parsing: Self.nested(open, middle, close, 64)) }
            #expect(throws: QueryError.self) { _ = try Condition(parsing: Self.nested(open, middle, close, 65)) }
        }
        for (open, close) in [("-", ""), ("{", "}"), ("sqrt(", ")"), ("x[", "]")] {
            #expect(throws: Never.self) { _ = try Condition(parsing: "a == " + Self.nested(open, "b", close, 64)) }
            #expect(throws: QueryError.self) { _ = try Condition(parsing: "a == " + Self.nested(open, "b", close, 65)) }
        }
    }

    /// A minus and a cast count as levels of the text that represents an argument.
    @Test func argumentsAreAsDeepAsTheirTexts() throws {
        let arguments: [QueryValue] = [
            7, -7, -0.5, .double(-0.0), .double(-.infinity), .date(-1), .date(978_307_200_000), .uuid(UUID()),
            [[["x"]], .date(-1)], [-7, [[7]]], [[-7]],
        ]
        for argument in arguments {
            var accepted = 0
            for count in 58...64 {
                let text = "a == " + Self.nested("{", "%@", "}", count)
                guard let condition = try? Condition(parsing: text, arguments: [argument]) else { continue }
                accepted = count
                let format = condition.format
                let again = try? Condition(parsing: format, arguments: format.contains("%@") ? [argument] : [])
                #expect(again == condition, "\(argument) in \(count)")
            }
            #expect(accepted >= 60, "\(argument)")
        }
    }

    @Test func flatThingsCostNoNesting() throws {
        let count = 20_000
        let joined = { (part: String, separator: String) in
            Array(repeating: part, count: count).joined(separator: separator)
        }
        let texts = [
            joined("a == 1", " AND "), joined("a == 1", " OR "), joined("1", " + ") + " == 1",
            joined("a", " * ") + " == 1",
            "a IN {" + joined("1", ", ") + "}", joined("a == 1 OR b == 2", " AND "), "a == '" + joined("x", "") + "'",
            joined("2", " ** ") + " == 1",
        ]
        for text in texts {
            let condition = try Condition(parsing: text)
            #expect(try Condition(parsing: condition.format) == condition)
        }
        #expect(throws: QueryError.self) { _ = try Condition(parsing: joined("a", ".") + " == 1") }
        #expect(throws: QueryError.self) {
            _ = try Condition(parsing: String(repeating: " ", count: 1 << 20) + "a == 1")
        }
    }

    /// The checker determines a term's type once; doing it twice per level would take exponential time.
    @Test func nestedConditionalsOfOneTypeAreChecked() throws {
        let depth = Limits.default.nesting - 2
        for (value, other) in [("count(l)", "0"), ("'a'", "'b'"), ("l[SIZE]", "1"), ("{1}", "{2}")] {
            let format =
                String(repeating: "TERNARY(a == 1, ", count: depth) + value
                + String(repeating: ", \(other))", count: depth) + " != nil"
            #expect(try Query(parsing: format).matches(["a": 2]))
        }
    }

    @Test func repeatedJunkIsAnErrorInLinearTime() {
        for junk in [
            "'", "\"", "a:", "\\", "%", "$", "@", "#", "[", "]", "{", "a ", "1 ", "(a,", "a NOT ", "a BETWEEN 1 AND ",
            "a[", "“", ". ", "=", "SUBQUERY(", "a % ",
            "a%!b---c/-d^e+f", "a % (", "a BETWEEN 1 AND (", "a % b BETWEEN 1 AND ",
        ] {
            let text = String(repeating: junk, count: 20_000)
            #expect(throws: QueryError.self, "\(junk)") { _ = try Condition(parsing: text) }
        }
    }
}
