import Foundation
import PredicateQL
import SpecSupport
import Testing

@Suite("The tree as JSON")
struct JSONTreeTests {
    /// Every valid case of the language converts to JSON text and back to an equal tree.
    @Test func everyValidCaseSurvives() throws {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/syntax.json")
        let objects = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]] ?? []
        var count = 0
        for object in objects where object["valid"] as? Bool == true {
            let id = try #require(object["id"] as? String)
            let arguments = try JSONSerialization.data(withJSONObject: object["args"] ?? [])
            guard case .list(let values) = try QueryValue(json: [UInt8](arguments)) else { continue }
            let condition = try Condition(parsing: #require(object["format"] as? String), arguments: values)
            do throws(QueryError) {
                let tree = try condition.jsonTree
                let text = tree.json
                let again = try Condition(jsonTree: text)
                #expect(again == condition, "\(id): \(text.prefix(300))")
                #expect(try Condition(jsonTree: tree) == condition, "\(id)")
                #expect(try again.jsonTree.json == text, "\(id)")
            } catch {
                Issue.record("\(id): \(condition.format.prefix(100)): \(error.rendered())")
            }
            count += 1
        }
        #expect(count > 250)
    }

    @Test func theFormIsStable() throws {
        let forms: [(String, [QueryValue], String)] = [
            ("TRUEPREDICATE", [], "true"),
            (
                "age > 21 AND NOT name BEGINSWITH[dc] 'jo'", [],
                """
                {"and":[{"compare":">","left":{"field":["age"]},"right":{"value":21}},{"not":{"compare":"BEGINSWITH",\
                "options":"cd","left":{"field":["name"]},"right":{"value":"jo"}}}]}
                """
            ),
            (
                "SELF.a IN {1, 2.0} OR ANY b == $x", [],
                """
                {"or":[{"compare":"IN","left":{"field":["a"],"self":true},"right":{"value":[1,2.0]}},{"compare":"==",\
                "quantifier":"ANY","left":{"field":["b"]},"right":{"variable":"x"}}]}
                """
            ),
            (
                "SUBQUERY(items, $i, $i.price > a + 1 - 2).@sum.price BETWEEN {least, 9}", [],
                """
                {"compare":"BETWEEN","left":{"aggregate":"@sum","of":{"subquery":{"field":["items"]},"as":"i","where":\
                {"compare":">","left":{"path":["price"],"of":{"variable":"i"}},"right":{"arithmetic":[{"field":["a"]},\
                "+",{"value":1},"-",{"value":2}]}}},"over":["price"]},"right":{"list":[{"field":["least"]},{"value":9}]}}
                """
            ),
            (
                "TERNARY(a == %@, sqrt(b), -c) == CAST(d[FIRST], 'NSNumber')", [.date(0)],
                """
                {"compare":"==","left":{"if":{"compare":"==","left":{"field":["a"]},"right":{"value":\
                {"$date":"1970-01-01T00:00:00.000Z"}}},"then":{"call":"sqrt:","arguments":[{"field":["b"]}]},"else":\
                {"negate":{"field":["c"]}}},"right":{"cast":{"index":"FIRST","of":{"field":["d"]}},"to":"NSNumber"}}
                """
            ),
        ]
        for (format, arguments, json) in forms {
            #expect(try Condition(parsing: format, arguments: arguments).jsonTree.json == json)
        }
    }

    @Test func queriesAndGroupsKeepTheirParts() throws {
        let query = try Query(
            format: "age > %@",
            arguments: [.double(.nan)],
            order: [
                .descending("age", options: .caseInsensitive), SortKey(FieldPath(keys: ["a.b"], startsAtSelf: true)),
            ],
            skip: 1,
            limit: 0,
            fields: ["age", "home.zip"],
            nilMeaning: .absent
        )
        #expect(try Query(jsonTree: query.jsonTree.json) == query)
        #expect(try Query().jsonTree.json == #"{"where":true}"#)
        let groups = query.grouped(by: "age", computing: [.count, .average("age").as("mean")], having: .constant(true))
        #expect(try Grouping(jsonTree: groups.jsonTree.json) == groups)
        let keys = [
            try GroupKey(format: "TERNARY(age > %@, 'old', name)", Double.infinity, as: "kind"),
            GroupKey(.field("home.zip", .none), as: "zip"), "name",
        ]
        let computed = Grouping(query, by: keys, computing: [.count])
        #expect(try Grouping(jsonTree: computed.jsonTree.json) == computed)
        let encoded = try JSONEncoder().encode(computed)
        let again = try JSONDecoder().decode(Grouping.self, from: encoded)
        #expect(again.keys == computed.keys)
        #expect(again.query.condition == query.condition)
        #expect(again.reducers == computed.reducers && again.having == nil)
        let unnamed = #"{"where":true,"group":{"by":[{"of":{"negate":{"field":["a"]}}}],"compute":[]}}"#
        #expect(try Grouping(jsonTree: unnamed).keys.map(\.description) == ["-a"])
        let mistakes = [
            #"{"of":1,"as":"x"}"#, #"{"of":{"field":["a"]},"as":1}"#, #"{"of":{"field":["a"]},"self":true}"#,
        ]
        for mistake in mistakes {
            let text = #"{"where":true,"group":{"by":["# + mistake + #"],"compute":[]}}"#
            #expect(#expect(throws: QueryError.self) { try Grouping(jsonTree: text) }?.code == .json)
        }
        let custom = query.grouped(computing: [.custom("n", initial: 0) { value, _ in value }])
        #expect(throws: QueryError.self) { try custom.jsonTree }
        let unsayable = Condition.comparison(Comparison(.field("a", .none), .equal, .value(.object(["$a": 1]), .none)))
        #expect(throws: QueryError.self) { try unsayable.jsonTree }
    }

    @Test func theSchemaIsCheckedAsTheParserDoes() throws {
        let schema = Schema([.field("age", .int), .field("joined", .date(.iso8601))])
        let text = "joined > '2020-01-01T00:00:00Z'"
        let parsed = try Query(parsing: text, arguments: [], schema: schema)
        #expect(try Query(jsonTree: Query(parsing: text, arguments: []).jsonTree.json, schema: schema) == parsed)
        #expect(try Query(jsonTree: parsed.jsonTree.json, schema: schema) == parsed)
        let error = Self.error(in: #"{"compare":"==","left":{"field":["agee"]},"right":{"value":1}}"#, schema)
        #expect(error?.code == .unknownField)
        #expect(error?.source == "agee == 1")
    }

    @Test func mistakesNameTheirJSONPath() {
        let field = #"{"field":["a"]}"#
        let mistakes: [(String, String)] = [
            ("1", "$"), ("null", "$"), ("[]", "$"), ("{}", "$"),
            (#"{"and":true}"#, "$.and"), (#"{"and":[true,5]}"#, "$.and[1]"),
            (#"{"and":[],"or":[]}"#, "$"), (#"{"not":true,"not":false}"#, "$.not"),
            (#"{"compare":"==","left":\#(field)}"#, "$"),
            (#"{"compare":"=~","left":\#(field),"right":\#(field)}"#, "$.compare"),
            (#"{"compare":"==","left":1,"right":\#(field)}"#, "$.left"),
            (#"{"compare":"==","left":\#(field),"right":{"value":{"$x":1}}}"#, "$.right.value"),
            (#"{"compare":"==","left":\#(field),"right":{"value":1,"kind":2}}"#, "$.right"),
            (#"{"compare":"==","options":"cc","left":\#(field),"right":\#(field)}"#, "$.options"),
            (#"{"compare":"BETWEEN","options":"c","left":\#(field),"right":\#(field)}"#, "$.options"),
            (#"{"compare":"==","quantifier":"MOST","left":\#(field),"right":\#(field)}"#, "$.quantifier"),
            (#"{"compare":"==","left":{"field":["a",""]},"right":\#(field)}"#, "$.left.field[1]"),
            (#"{"compare":"==","left":{"field":"a"},"right":\#(field)}"#, "$.left.field"),
            (#"{"compare":"==","left":{"field":["a"],"self":1},"right":\#(field)}"#, "$.left.self"),
            (#"{"compare":"==","left":{"call":"sqr","arguments":[]},"right":\#(field)}"#, "$.left.call"),
            (#"{"compare":"==","left":{"call":"add:to:","arguments":[]},"right":\#(field)}"#, "$.left.call"),
            (#"{"compare":"==","left":{"call":"sqrt","arguments":[]},"right":\#(field)}"#, "$.left.arguments"),
            (#"{"compare":"==","left":{"arithmetic":[\#(field)]},"right":\#(field)}"#, "$.left.arithmetic"),
            (
                #"{"compare":"==","left":{"arithmetic":[\#(field),"+",\#(field),"*",\#(field)]},"right":\#(field)}"#,
                "$.left.arithmetic[3]"
            ),
            (#"{"compare":"==","left":{"index":"THIRD","of":\#(field)},"right":\#(field)}"#, "$.left.index"),
            (
                #"{"compare":"==","left":{"aggregate":"@count","of":\#(field),"over":["a"]},"right":\#(field)}"#,
                "$.left.over"
            ),
            (#"{"compare":"==","left":{"cast":\#(field),"to":"NSURL"},"right":\#(field)}"#, "$.left.to"),
            (#"{"compare":"==","left":{"variable":""},"right":\#(field)}"#, "$.left.variable"),
        ]
        for (text, path) in mistakes {
            let error = Self.error(in: text)
            #expect(error?.path == path, "\(text): \(error?.message ?? "accepted")")
            #expect(error?.code == .json, "\(text)")
        }
        let queries: [(String, String)] = [
            ("{}", "$"), (#"{"where":true,"rows":1}"#, "$"), (#"{"where":true,"skip":-1}"#, "$.skip"),
            (#"{"where":true,"limit":1.5}"#, "$.limit"), (#"{"where":true,"nil":"gone"}"#, "$.nil"),
            (#"{"where":true,"order":[{"field":["a"],"descending":1}]}"#, "$.order[0].descending"),
            (#"{"where":true,"fields":[["a"]]}"#, "$.fields[0]"), (#"{"where":{"not":1}}"#, "$.where.not"),
        ]
        for (text, path) in queries {
            do throws(QueryError) {
                _ = try Query(jsonTree: text)
                Issue.record("accepted \(text)")
            } catch {
                #expect(error.path == path, "\(text): \(error.message)")
            }
        }
    }

    @Test func depthAndSizeAreLimited() {
        for depth in [100, 500, 20_000] {
            let nots = String(repeating: #"{"not":"#, count: depth) + "true" + String(repeating: "}", count: depth)
            let error = Self.error(in: nots)
            #expect(error != nil, "\(depth)")
            let lists = String(repeating: #"{"list":["#, count: depth) + String(repeating: "]}", count: depth)
            #expect(Self.error(in: #"{"compare":"==","left":\#(lists),"right":{"value":1}}"#) != nil, "\(depth)")
        }
        var limits = Limits.default
        limits.textBytes = 4
        #expect(
            Self.error(in: #"{"and":[true,true,true,true,true,true,true,true,true]}"#, limits: limits)?.code == .limit
        )
    }

    /// Trees that no parser would produce are still read as their canonical text.
    @Test func treesAreReadAsTheirCanonicalText() throws {
        let nested =
            #"{"compare":">","left":{"arithmetic":[{"arithmetic":[{"field":["a"]},"+",{"value":1}]},"+",{"value":2}]},"right":{"list":[{"value":1}]}}"#
        #expect(try Condition(jsonTree: nested) == Condition(format: "a + 1 + 2 > {1}"))
        #expect(try Condition(jsonTree: #"{"and":[{"and":[]}]}"#).format == "TRUEPREDICATE")
    }

    /// Any JSON gives a tree or an error; a tree that was read survives writing and reading.
    @Test func damagedTreesAreErrorsOrTrees() throws {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/syntax.json")
        let objects = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]] ?? []
        var random = SentenceGenerator(try EBNF.query(), seed: 7)
        var nodes: [QueryValue] = [1, nil, "x", [], .object([:]), true, "==", -1, ["a"]]
        var trees: [QueryValue] = []
        for object in objects where object["valid"] as? Bool == true {
            guard let format = object["format"] as? String, let condition = try? Condition(parsing: format) else {
                continue
            }
            trees.append(try condition.jsonTree)
        }
        for tree in trees { Self.collect(tree, into: &nodes) }
        var read = 0
        for _ in 0..<3_000 {
            guard let tree = trees.randomElement(using: &random), let part = nodes.randomElement(using: &random) else {
                break
            }
            let damaged = Self.replacing(tree, with: part, &random)
            guard let condition = try? Condition(jsonTree: damaged) else { continue }
            read += 1
            #expect(try Condition(jsonTree: condition.jsonTree) == condition, "\(damaged.json)")
        }
        #expect(read > 100)
    }

    private static func collect(_ value: QueryValue, into nodes: inout [QueryValue]) {
        nodes.append(value)
        switch value {
        case .object(let members): for member in members.values { collect(member, into: &nodes) }
        case .list(let elements): for element in elements { collect(element, into: &nodes) }
        default: break
        }
    }

    /// The value with one part replaced, removed or duplicated.
    private static func replacing(
        _ value: QueryValue,
        with part: QueryValue,
        _ random: inout SentenceGenerator
    ) -> QueryValue {
        switch value {
        case .object(var members):
            guard let key = members.keys.randomElement(using: &random), let member = members[key] else { return part }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: members[key] = part
            case 1: members[key] = .none
            case 2: members["more"] = part
            default: members[key] = replacing(member, with: part, &random)
            }
            return .object(members)
        case .list(var elements):
            guard let index = elements.indices.randomElement(using: &random) else { return [part] }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: elements[index] = part
            case 1: elements.append(part)
            default: elements[index] = replacing(elements[index], with: part, &random)
            }
            return .list(elements)
        default: return part
        }
    }

    private static func error(in text: String, _ schema: Schema? = nil, limits: Limits = .default) -> QueryError? {
        do throws(QueryError) {
            _ = try Condition(jsonTree: text, schema: schema, limits: limits)
            return nil
        } catch {
            return error
        }
    }
}
