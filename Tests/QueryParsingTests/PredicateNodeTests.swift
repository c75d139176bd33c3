import Foundation
import PredicateQL
import SpecSupport
import Testing

/// The conversion between NSPredicate's classes and conditions, in both directions.
@Suite("NSPredicate without Foundation's classes")
struct PredicateNodeTests {
    /// Every valid case converts there and back to an equal tree, or is rejected by name.
    @Test func everyValidCaseSurvivesOrIsRefused() throws {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/syntax.json")
        let objects = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]] ?? []
        var survived = 0
        var refused = 0
        for object in objects where object["valid"] as? Bool == true {
            let id = try #require(object["id"] as? String)
            let arguments = try JSONSerialization.data(withJSONObject: object["args"] ?? [])
            guard case .list(let values) = try QueryValue(json: [UInt8](arguments)) else { continue }
            let condition = try Condition(parsing: #require(object["format"] as? String), arguments: values)
            let node: PredicateNode
            do throws(QueryError) {
                node = try PredicateNode(condition)
            } catch {
                #expect(error.code == .unsupported, "\(id): \(error.message)")
                refused += 1
                continue
            }
            do throws(QueryError) {
                let again = try node.condition()
                // `-a` is `a * -1` there, and `SELF.a` is `a`.
                let expected = Self.plain(condition)
                let parsed = try Condition(parsing: expected.format, arguments: expected.arguments)
                #expect(again == parsed, "\(id): \(again.format) from \(condition.format)")
                survived += 1
            } catch {
                Issue.record("\(id): \(condition.format.prefix(100)): \(error.rendered())")
            }
        }
        #expect(survived > 220, "\(survived) of \(survived + refused)")
        #expect(refused > 0)
    }

    private static func plain(_ condition: Condition) -> Condition {
        condition.mapChildren(plain) { comparison in
            var copy = comparison
            copy.left = plain(comparison.left)
            copy.right = plain(comparison.right)
            return .comparison(copy)
        }
    }

    private static func plain(_ term: Term) -> Term {
        let copy = term.mapChildren(plain, plain)
        switch copy {
        case .negated(let operand, _):
            return .arithmetic(Arithmetic(first: operand, rest: [.init(.multiply, .value(-1, .none))]), .none)
        case .field(let path, _) where !path.keys.isEmpty: return .field(FieldPath(keys: path.keys), .none)
        default: return copy
        }
    }

    private static let age = ExpressionNode.keyPath("age", of: nil)
    private static let name = ExpressionNode.keyPath("name", of: .evaluatedObject)

    private func comparison(
        _ left: ExpressionNode,
        _ operation: UInt,
        _ right: ExpressionNode,
        modifier: UInt = 0,
        options: UInt = 0,
        selector: String? = nil
    ) -> PredicateNode {
        .comparison(
            ComparisonNode(
                left: left,
                right: right,
                operation: operation,
                modifier: modifier,
                options: options,
                selector: selector
            )
        )
    }

    @Test func theNumbersAreThoseOfFoundation() throws {
        let operators = [
            (0, "<"), (1, "<="), (2, ">"), (3, ">="), (4, "=="), (5, "!="), (6, "MATCHES"), (7, "LIKE"),
            (8, "BEGINSWITH"), (9, "ENDSWITH"), (10, "IN"), (99, "CONTAINS"),
        ]
        for (number, word) in operators {
            let node = comparison(Self.name, UInt(number), .constant("x"))
            #expect(try node.condition().format == "name \(word) \"x\"")
        }
        let between = comparison(Self.age, 100, .constant([1, 2]))
        #expect(try between.condition().format == "age BETWEEN {1, 2}")
        let bounds = comparison(Self.age, 100, .aggregate([.constant(1), Self.age]))
        #expect(try bounds.condition().format == "age BETWEEN {1, age}")
        let options = [(1, "c"), (2, "d"), (3, "cd"), (4, "n"), (8, "l"), (11, "cdl")]
        for (bits, letters) in options {
            let node = comparison(Self.name, 4, .constant("x"), options: UInt(bits))
            #expect(try node.condition().format == "name ==[\(letters)] \"x\"")
        }
        #expect(try comparison(Self.age, 4, .constant(1), modifier: 1).condition().format == "ALL age == 1")
        #expect(try comparison(Self.age, 4, .constant(1), modifier: 2).condition().format == "ANY age == 1")
        let parts: [PredicateNode] = [.constant(true), comparison(Self.age, 4, .constant(nil))]
        #expect(try PredicateNode.compound(1, parts).condition().format == "TRUEPREDICATE AND age == nil")
        #expect(try PredicateNode.compound(2, parts).condition().format == "TRUEPREDICATE OR age == nil")
        #expect(try PredicateNode.compound(0, [parts[1]]).condition().format == "NOT age == nil")
        #expect(try PredicateNode.compound(1, []).condition().format == "TRUEPREDICATE")
    }

    @Test func expressionsAsFoundationMakesThem() throws {
        let x = ExpressionNode.variable("x")
        let test = comparison(.keyPath("price", of: x), 2, .constant(1.5))
        let subquery = ExpressionNode.subquery(.keyPath("items", of: nil), "x", test)
        let forms: [(ExpressionNode, String)] = [
            (.evaluatedObject, "SELF"), (.keyPath("self", of: nil), "SELF"), (.keyPath("self.a", of: nil), "SELF.a"),
            (.keyPath("a.size", of: nil), "a.#size"), (.keyPath("items.@sum.price", of: nil), "items.@sum.price"),
            (.keyPath("a.@max.self", of: nil), "a.@max.#self"), (.keyPath("@count", of: nil), "@count"),
            (.keyPath("b", of: .keyPath("a.@max.n", of: nil)), "(a.@max.n).b"),
            (.keyPath("@count", of: subquery), "SUBQUERY(items, $x, $x.price > 1.5).@count"),
            (
                .function("valueForKeyPath:", of: subquery, [.constant("@count")]),
                "SUBQUERY(items, $x, $x.price > 1.5).@count"
            ),
            (.function("valueForKeyPath:", of: x, [.constant("a.b")]), "$x.a.b"),
            (.function("add:to:", of: nil, [Self.age, .constant(1)]), "age + 1"),
            (
                .function(
                    "from:subtract:",
                    of: nil,
                    [Self.age, .function("add:to:", of: nil, [Self.age, .constant(1)])]
                ),
                "age - (age + 1)"
            ),
            (.function("sqrt:", of: nil, [Self.age]), "sqrt:(age)"),
            (.function("castObject:toType:", of: nil, [Self.age, .constant("NSString")]), #"CAST(age, "NSString")"#),
            (.function("objectFrom:withIndex:", of: nil, [Self.age, .symbol("FIRST")]), "age[FIRST]"),
            (.function("objectFrom:withIndex:", of: Self.age, [.symbol("SIZE")]), "age[SIZE]"),
            (.function("objectFrom:withIndex:", of: nil, [Self.age, .constant(2)]), "age[2]"),
            (.unionSet(Self.age, .constant([1])), "age UNION {1}"),
            (.minusSet(.intersectSet(Self.age, x), .aggregate([])), "age INTERSECT $x MINUS {}"),
            (.conditional(.constant(true), Self.age, .constant(nil)), "TERNARY(TRUEPREDICATE, age, nil)"),
            (.constant(.bool(true)), "TRUE"), (.constant(.date(978_307_200_000)), #"CAST(0, "NSDate")"#),
        ]
        for (node, text) in forms {
            #expect(try comparison(node, 4, .constant(0)).condition().format == "\(text) == 0")
        }
    }

    @Test func whatIsRefusedIsNamed() {
        let refusals: [(PredicateNode, QueryError.Code, String)] = [
            (.other("NSBlockPredicate"), .unsupported, "NSBlockPredicate"),
            (comparison(Self.age, 11, Self.age, selector: "isKindOfClass:"), .selectorOperator, "isKindOfClass:"),
            (comparison(Self.age, 42, Self.age), .unsupported, "42"),
            (comparison(Self.age, 4, Self.age, modifier: 3), .unsupported, "3"),
            (comparison(Self.age, 4, Self.age, options: 16), .unsupported, "16"),
            (comparison(Self.age, 100, .constant([1, 2]), options: 1), .unsupported, "BETWEEN"),
            (comparison(.other("ANYKEY"), 4, Self.age), .unsupported, "ANYKEY"),
            (comparison(.other("block"), 4, Self.age), .unsupported, "block"),
            (comparison(.function("mgl_join:", of: nil, [Self.age]), 4, Self.age), .unknownFunction, "mgl_join:"),
            (comparison(.function("sqrt:", of: nil, []), 4, Self.age), .unknownFunction, "sqrt:"),
            (comparison(.function("alloc", of: .constant("x"), []), 4, Self.age), .functionCall, "alloc"),
            (comparison(.function("sqrt:", of: Self.age, [Self.age]), 4, Self.age), .functionCall, "sqrt:"),
            (
                comparison(.function("castObject:toType:", of: nil, [Self.age, .constant("Class")]), 4, Self.age),
                .classCast, "CAST"
            ),
            (comparison(.symbol("FIRST"), 4, Self.age), .unsupported, "FIRST"),
            (comparison(.keyPath("a.@most", of: nil), 4, Self.age), .unknownAggregate, "a.@most"),
            (comparison(.keyPath("a..b", of: nil), 4, Self.age), .argument, "a..b"),
            (comparison(Self.age, 100, .constant([1])), .syntax, "BETWEEN"),
            (.compound(0, []), .unsupported, "0"), (.compound(7, []), .unsupported, "7"),
        ]
        for (node, code, part) in refusals {
            do throws(QueryError) {
                let condition = try Query(node.condition()).checked().condition
                Issue.record("\(node) is read as \(condition.format)")
            } catch {
                #expect(error.code == code || code == .syntax, "\(node): \(error.code) \(error.message)")
                #expect(error.message.contains(part), "\(error.message)")
            }
        }
    }

    @Test func whatNSPredicateLacksIsRefused() throws {
        let refused: [(String, [QueryValue])] = [
            ("geoWithin(a, %@)", [.shape(.circle(longitude: 0, latitude: 0, radius: 1))]),
            ("a == %@", [.object(["b": 1])]), (#"a\u002eb == 1"#, []), ("$x.$y == 1", []), ("($x := 1) == 1", []),
            ("length(a) == 1", []), ("a" + String(repeating: " + a", count: 30_000) + " > 1", []),
        ]
        for (format, arguments) in refused {
            let condition = try Condition(parsing: format, arguments: arguments)
            #expect(throws: QueryError.self, "\(format.prefix(80))") { try PredicateNode(condition) }
        }
    }

    @Test func depthIsLimited() {
        for depth in [10, 100, 1_000] {
            var node = PredicateNode.constant(true)
            for _ in 0..<depth { node = .compound(0, [node]) }
            #expect(((try? node.condition()) != nil) == (depth == 10))
        }
    }

    @Test func sortDescriptors() throws {
        let keys: [(SortKey, SortNode)] = [
            (.ascending("a.b"), SortNode(key: "a.b", ascending: true)),
            (
                .descending("a", options: .caseInsensitive),
                SortNode(key: "a", ascending: false, selector: "caseInsensitiveCompare:")
            ),
        ]
        for (key, node) in keys {
            #expect(try SortNode(key) == node)
            #expect(try node.sortKey() == key)
        }
        #expect(try SortNode(key: "a", ascending: true, selector: "compare:").sortKey() == .ascending("a"))
        #expect(throws: QueryError.self) { try SortNode(key: nil, ascending: true).sortKey() }
        #expect(throws: QueryError.self) {
            try SortNode(key: "a", ascending: true, selector: "localizedStandardCompare:").sortKey()
        }
        #expect(throws: QueryError.self) { try SortNode(.ascending("a", options: .diacriticInsensitive)) }
    }
}
