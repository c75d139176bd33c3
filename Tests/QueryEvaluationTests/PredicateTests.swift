import Foundation
import PredicateQL
import Testing

/// Foundation's `#Predicate` values: their text, and the same rows from both.
@Suite("Foundation predicates")
struct PredicateTests {
    enum Level: String, Codable, CaseIterable { case low, high }

    struct Home: Codable, Equatable {
        var city: String?
        var zip: String
    }

    struct Item: Encodable {
        var name: String
        var price: Double
        var tags: [String]
    }

    struct Person: Encodable {
        var name: String
        var nick: String?
        var age: Int
        var height: Int?
        var score: Double
        var isActive: Bool
        var isKnown: Bool?
        var joined: Date
        var level: Level
        var home: Home?
        var work: Home
        var tags: [String]
        var numbers: [Int]
        var items: [Item]
        var facts: [String: Int]
    }

    static var names: [AnyKeyPath: FieldPath] {
        [
            \Person.name: "name", \Person.nick: "nick", \Person.age: "age", \Person.height: "height",
            \Person.score: "score",
            \Person.isActive: "isActive", \Person.isKnown: "isKnown", \Person.joined: "joined", \Person.level: "level",
            \Person.home: "home", \Home.city: "city", \Home.zip: "zip", \Person.work.zip: "work.zip",
            \Person.tags: "tags", \Person.numbers: "numbers", \Person.items: "items", \Item.name: "name",
            \Item.price: "price", \Item.tags: "tags", \Person.facts: "facts",
        ]
    }

    /// Rows of every shape that the predicates below distinguish.
    static let people: [Person] = {
        var people: [Person] = []
        let nicks = [nil, "", "Ann", "bo"]
        let homes = [nil, Home(city: nil, zip: "1"), Home(city: "Boston", zip: "2"), Home(city: "Rome", zip: "")]
        let lists: [[Int]] = [[], [1], [3, 3, -4], [5, 1, 2, 7]]
        for index in 0..<64 {
            let numbers = lists[index % 4]
            people.append(
                Person(
                    name: ["Ann", "Bob", "bo", "Zoë"][index / 4 % 4],
                    nick: nicks[(index + index / 4) % 4],
                    age: index - 20,
                    height: index % 3 == 0 ? nil : index - 30,
                    score: Double(index) / 4 - 5,
                    isActive: index % 2 == 0,
                    isKnown: index % 3 == 0 ? nil : index % 3 == 1,
                    joined: Date(timeIntervalSince1970: Double(index) * 86_400),
                    level: Level.allCases[index / 2 % 2],
                    home: homes[(index / 2) % 4],
                    work: Home(city: nil, zip: "\(index % 5)"),
                    tags: numbers.map { "t\($0)" } + (index % 5 == 0 ? ["Ann"] : []),
                    numbers: numbers,
                    items: numbers.map { Item(name: "i\($0)", price: Double($0), tags: ["Ann", "x"]) },
                    facts: index % 2 == 0 ? [:] : ["a": index, "b.c": 1]
                )
            )
        }
        return people
    }()

    /// Compares text and rows; a predicate with the same answer for every row proves nothing, and is an issue.
    private func check(
        _ predicate: Predicate<Person>,
        _ format: String,
        throwsForSome: Bool = false,
        _ place: SourceLocation = #_sourceLocation
    ) {
        do {
            let condition = try Condition(predicate, names: Self.names)
            #expect(condition.format == format, sourceLocation: place)
            let matcher = try Matcher(Query(condition), now: 0)
            var found = 0
            for person in Self.people {
                guard let expected = try? predicate.evaluate(person) else {
                    #expect(throwsForSome, sourceLocation: place)
                    continue
                }
                let holds = try matcher.matches(Document(encoding: person))
                #expect(holds == expected, "\(person)", sourceLocation: place)
                found += holds ? 1 : 0
            }
            #expect((1..<Self.people.count).contains(found), "\(found) rows", sourceLocation: place)
        } catch {
            Issue.record(error, sourceLocation: place)
        }
    }

    @Test func comparisons() {
        let least = 3
        check(#Predicate { $0.age > 3 }, "age > 3")
        check(#Predicate { $0.age <= least }, "age <= 3")
        check(#Predicate { $0.name == "Zoë" }, #"name == "Zoë""#)
        check(#Predicate { $0.name != "Bob" }, #"name != "Bob""#)
        check(#Predicate { $0.name < "a" }, #"name < "a""#)
        check(#Predicate { $0.isActive }, "isActive == TRUE")
        check(#Predicate { !$0.isActive }, "NOT isActive == TRUE")
        check(#Predicate { $0.isActive == false }, "isActive == FALSE")
        let day = Date(timeIntervalSince1970: 864_000)
        check(#Predicate { $0.joined >= day }, "joined >= CAST(-977443200, \"NSDate\")")
        let level = Level.high
        check(#Predicate { $0.level == level }, #"level == "high""#)
        check(#Predicate { $0.age == $0.numbers.count }, "age == numbers.@count")
        check(#Predicate { ($0.age > 3) == $0.isActive }, "TERNARY(age > 3, TRUE, FALSE) == isActive")
        check(#Predicate { ($0.age > 3) == true }, "age > 3")
        check(#Predicate { ($0.age > 3) != true }, "NOT age > 3")
    }

    @Test func chainsStayFlat() {
        check(#Predicate { $0.age > 1 && $0.score < 9 && $0.isActive }, "age > 1 AND score < 9.0 AND isActive == TRUE")
        check(
            #Predicate { $0.age > 40 || $0.isActive || $0.name == "bo" },
            #"age > 40 OR isActive == TRUE OR name == "bo""#
        )
        check(
            #Predicate { ($0.age > 40 || $0.isActive) && !($0.name == "bo") },
            #"(age > 40 OR isActive == TRUE) AND NOT name == "bo""#
        )
    }

    @Test func optionals() {
        check(#Predicate { $0.nick == nil }, "nick == nil")
        check(#Predicate { $0.nick != nil }, "nick != nil")
        check(#Predicate { $0.nick == "Ann" }, #"nick == "Ann""#)
        check(#Predicate { $0.nick != "Ann" }, #"nick != "Ann""#)
        let none: String? = nil
        check(#Predicate { $0.nick == none }, "nick == nil")
        check(#Predicate { $0.home == nil }, "home == nil")
        check(#Predicate { $0.home?.city == "Boston" }, #"home.city == "Boston""#)
        check(#Predicate { $0.home?.city != "Boston" }, #"home.city != "Boston""#)
        check(#Predicate { $0.home?.city == nil }, "home.city == nil")
        check(#Predicate { $0.height! > 3 }, "height > 3", throwsForSome: true)
        check(#Predicate { ($0.height ?? 5) > 3 }, "TERNARY(height == nil, 5, height) > 3")
        check(#Predicate { $0.isKnown ?? false }, "isKnown == TRUE")
        check(#Predicate { $0.isKnown ?? true }, "isKnown != FALSE")
        check(#Predicate { $0.isKnown == true }, "isKnown == TRUE")
        check(#Predicate { $0.isKnown ?? $0.isActive }, "isKnown == TRUE OR (isKnown == nil AND isActive == TRUE)")
        check(#Predicate { $0.nick?.contains("n") ?? false }, #"nick != nil AND nick CONTAINS "n""#)
        check(#Predicate { $0.nick?.contains("n") ?? true }, #"nick == nil OR nick CONTAINS "n""#)
        check(#Predicate { $0.nick?.contains("n") == true }, #"nick != nil AND nick CONTAINS "n""#)
        check(#Predicate { $0.nick?.contains("n") == false }, #"nick != nil AND NOT nick CONTAINS "n""#)
        check(#Predicate { $0.nick?.contains("n") != true }, #"NOT (nick != nil AND nick CONTAINS "n")"#)
        check(#Predicate { $0.nick?.contains("n") == nil }, "nick == nil")
        check(#Predicate { $0.nick.flatMap { $0 < "b" } ?? true }, #"nick == nil OR nick < "b""#)
        check(#Predicate { $0.height.flatMap { $0 + 1 } == 3 }, "height + 1 == 3")
        check(#Predicate { $0.height.flatMap { $0 + 1 } != 3 }, "height + 1 != 3")
        check(
            #Predicate { p in if let nick = p.nick { nick == p.name } else { p.age > 10 } },
            "(nick == nil AND age > 10) OR (nick != nil AND nick == name)"
        )
    }

    @Test func numbers() {
        check(#Predicate { $0.age + 2 * $0.numbers.count > 9 }, "age + 2 * numbers.@count > 9")
        check(#Predicate { $0.age - ($0.age - 4) - 1 == $0.numbers.count }, "age - (age - 4) - 1 == numbers.@count")
        check(#Predicate { $0.age / 7 == -1 }, "age / 7 == -1")
        check(#Predicate { $0.age % 3 == -1 }, "modulus:by:(age, 3) == -1")
        check(#Predicate { $0.score / 2 > 1.25 }, "score / 2.0 > 1.25")
        check(#Predicate { -$0.age > 3 }, "-age > 3")
        check(#Predicate { (1...4).contains($0.age) }, "age BETWEEN {1, 4}")
        check(#Predicate { (1..<4).contains($0.age) }, "age >= 1 AND age < 4")
        let range = 3...
        check(#Predicate { range.contains($0.age) }, "age >= 3")
        let halfOpen = 0.5..<2
        check(#Predicate { halfOpen.contains($0.score) }, "score >= 0.5 AND score < 2.0")
        check(#Predicate { ($0.age > 3 ? $0.age : 7) == 7 }, "TERNARY(age > 3, age, 7) == 7")
        check(
            #Predicate { $0.isActive ? $0.age > 3 : $0.age < 3 },
            "(isActive == TRUE AND age > 3) OR (isActive != TRUE AND age < 3)"
        )
    }

    @Test func collections() {
        check(#Predicate { $0.tags.contains("t1") }, #"tags CONTAINS "t1""#)
        check(#Predicate { [1, 3, 5].contains($0.age) }, "age IN {1, 3, 5}")
        let sizes: Set<Int> = [4]
        check(#Predicate { sizes.contains($0.age) }, "age IN {4}")
        let nicks: [String?] = [nil, "bo"]
        check(#Predicate { nicks.contains($0.nick) }, #"nick IN {nil, "bo"}"#)
        check(#Predicate { $0.tags.isEmpty }, "tags.@count == 0")
        check(#Predicate { $0.tags.first == "t5" }, #"tags[FIRST] == "t5""#)
        check(#Predicate { $0.numbers.last == nil }, "numbers[LAST] == nil")
        check(#Predicate { $0.numbers[0] == 3 }, "numbers[0] == 3", throwsForSome: true)
        check(#Predicate { $0.numbers.max() == 7 }, "numbers.@max.#self == 7")
        check(#Predicate { $0.numbers.min() == nil }, "numbers.@min.#self == nil")
        check(#Predicate { $0.numbers == [1] }, "numbers == {1}")
        check(#Predicate { $0.facts["a"] == 21 }, "facts.a == 21")
        check(#Predicate { $0.facts["b.c"] == 1 }, #"facts.b\u002ec == 1"#)
        check(#Predicate { $0.facts["a", default: 9] < 10 }, "TERNARY(facts.a == nil, 9, facts.a) < 10")
        check(#Predicate { $0.facts[$0.name] == nil && $0.isActive }, "facts[name] == nil AND isActive == TRUE")
    }

    @Test func texts() {
        check(#Predicate { $0.name.contains("o") }, #"name CONTAINS "o""#)
        check(#Predicate { $0.name.starts(with: "B") }, #"name BEGINSWITH "B""#)
        let all = "Ann, Bob"
        check(#Predicate { all.contains($0.name) }, #"name IN "Ann, Bob""#)
    }

    @Test func closures() {
        check(#Predicate { $0.items.contains { $0.price > 4 } }, "SUBQUERY(items, $x, $x.price > 4.0).@count > 0")
        check(#Predicate { $0.numbers.allSatisfy { $0 > 0 } }, "NOT SUBQUERY(numbers, $x, NOT $x > 0).@count > 0")
        check(#Predicate { $0.numbers.filter { $0 > 1 }.count == 2 }, "SUBQUERY(numbers, $x, $x > 1).@count == 2")
        check(
            #Predicate { p in p.items.contains { item in item.tags.contains { $0 == p.name } } },
            "SUBQUERY(items, $x, SUBQUERY($x.tags, $x2, $x2 == name).@count > 0).@count > 0"
        )
        check(
            #Predicate { p in p.tags.contains { tag in tag == p.name } && p.numbers.contains { $0 < p.age } },
            "SUBQUERY(tags, $x, $x == name).@count > 0 AND SUBQUERY(numbers, $x2, $x2 < age).@count > 0"
        )
    }

    @Test func namesOfSeveralSteps() throws {
        check(#Predicate { $0.work.zip == "3" }, #"work.zip == "3""#)
        let stored: [AnyKeyPath: FieldPath] = [\Person.home: "h", \Home.city: FieldPath(keys: ["c.d"])]
        let condition = try Condition(#Predicate<Person> { $0.home?.city == "x" }, names: stored)
        #expect(condition.format == #"h.c\u002ed == "x""#)
    }

    @Test func constants() throws {
        #expect(try Condition(Predicate<Person>.true, names: [:]) == .constant(true))
        #expect(try Condition(Predicate<Person>.false, names: [:]) == .constant(false))
        #expect(try Condition(#Predicate<Int> { $0 > 3 }, names: [:]).format == "SELF > 3")
    }

    @Test func whatCannotBeKeptIsRefusedByName() {
        refused(#Predicate { $0.name.count > 3 }, .unsupported, "String.count")
        let zero = 0.0
        refused(#Predicate { $0.score / zero > 3 }, .unsupported, "division")
        refused(#Predicate { $0.score / $0.score > 3 }, .unsupported, "division")
        refused(#Predicate { $0.work.city == "x" }, .unknownField, "work")
        let home: Home? = Home(city: nil, zip: "1")
        refused(#Predicate { $0.home == home }, .unsupported, "Home")
        refused(#Predicate { $0.work == $0.work }, .unknownField, "work")
        refused(#Predicate { $0.tags.starts(with: ["x"]) }, .unsupported, "starts(with:)")
        refused(#Predicate { ($0.age as Any) is Int }, .unsupported, "TypeCheck")
        refused(#Predicate { $0.numbers[0..<1].isEmpty }, .unsupported, "CollectionRangeSubscript")
        refused(#Predicate { $0.facts.isEmpty }, .unknownField, "facts")
    }

    private func refused(
        _ predicate: Predicate<Person>,
        _ code: QueryError.Code,
        _ part: String,
        _ place: SourceLocation = #_sourceLocation
    ) {
        do throws(QueryError) {
            let condition = try Condition(predicate, names: Self.names)
            Issue.record("read as \(condition.format)", sourceLocation: place)
        } catch {
            #expect(error.code == code, "\(error.message)", sourceLocation: place)
            #expect(error.message.contains(part), "\(error.message)", sourceLocation: place)
        }
    }

    /// An expression of any depth gives a condition or an error.
    @Test func depthIsLimited() throws {
        func nested(_ depth: Int) -> any StandardPredicateExpression<Bool> {
            func wrap(_ inner: some StandardPredicateExpression<Bool>) -> any StandardPredicateExpression<Bool> {
                PredicateExpressions.Negation(inner)
            }
            var expression: any StandardPredicateExpression<Bool> = PredicateExpressions.Value(true)
            for _ in 0..<depth { expression = wrap(expression) }
            return expression
        }
        for depth in [10, 60, 70, 200] {
            let expression = nested(depth)
            let predicate = open(expression)
            let condition = try? Condition(predicate, names: [:])
            #expect((condition != nil) == (depth <= 64), "\(depth)")
        }
    }

    private func open(_ expression: some StandardPredicateExpression<Bool>) -> Predicate<Int> {
        Predicate<Int> { _ in expression }
    }
}
