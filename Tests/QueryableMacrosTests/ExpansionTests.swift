#if Macros
    import QueryableMacros
    import SwiftSyntaxMacroExpansion
    import SwiftSyntaxMacros
    import SwiftSyntaxMacrosGenericTestSupport
    import Testing

    /// The code that `@Queryable` writes, and its diagnostics with their properties.
    @Suite struct ExpansionTests {
        private static let macros: [String: MacroSpec] = [
            "Queryable": MacroSpec(type: QueryableMacro.self, conformances: ["Queryable"]),
            "QueryField": MacroSpec(type: QueryFieldMacro.self),
            "QueryIgnored": MacroSpec(type: QueryFieldMacro.self),
        ]

        private func check(
            _ source: String,
            _ expanded: String,
            _ diagnostics: [DiagnosticSpec] = [],
            fixed: String? = nil,
            line: Int = #line
        ) {
            assertMacroExpansion(
                source,
                expandedSource: expanded,
                diagnostics: diagnostics,
                macroSpecs: Self.macros,
                applyFixIts: fixed == nil ? nil : ["make the class final"],
                fixedSource: fixed,
                failureHandler: { failure in
                    Issue.record(
                        Comment(rawValue: failure.message),
                        sourceLocation: SourceLocation(
                            fileID: #fileID,
                            filePath: #filePath,
                            line: line,
                            column: 1
                        )
                    )
                }
            )
        }

        @Test func storedPropertiesBecomeFields() {
            check(
                """
                @Queryable public struct City {
                    public let name: String
                    var population = 0, area: Double?
                    private var code: Int { didSet { print(code) } }
                    static var count = 0
                    var density: Double { 1 }
                    func go() {}
                }
                """,
                """
                public struct City {
                    public let name: String
                    var population = 0, area: Double?
                    private var code: Int { didSet { print(code) } }
                    static var count = 0
                    var density: Double { 1 }
                    func go() {}
                }

                extension City: Queryable {
                    public static let fields: FieldTable<City> = [
                        .field("name", \\City.name),
                        .field("population", \\City.population),
                        .field("area", \\City.area),
                        .field("code", \\City.code),
                    ]
                }
                """
            )
        }

        @Test func codingKeysAreRead() {
            check(
                """
                @Queryable struct Book {
                    var title: String
                    var day: Int
                    var `class`: Int
                    var hidden: Int
                    enum CodingKeys: String, CodingKey {
                        case title, day = "publish_date"
                        case `class`
                    }
                }
                """,
                """
                struct Book {
                    var title: String
                    var day: Int
                    var `class`: Int
                    var hidden: Int
                    enum CodingKeys: String, CodingKey {
                        case title, day = "publish_date"
                        case `class`
                    }
                }

                extension Book: Queryable {
                    static let fields: FieldTable<Book> = [
                        .field("title", \\Book.title),
                        .field("day", \\Book.day, storedAs: "publish_date"),
                        .field("class", \\Book.`class`),
                    ]
                }
                """
            )
        }

        @Test func marksAddNameAndLeaveOut() {
            check(
                """
                @Queryable struct Person {
                    var first: String
                    @QueryIgnored var cache: [String: Int] = [:]
                    @QueryField(storedAs: "full_name") var full: String { first }
                    @QueryField(storedAs: "yrs") var age: Int
                }
                """,
                """
                struct Person {
                    var first: String
                    var cache: [String: Int] = [:]
                    var full: String { first }
                    var age: Int
                }

                extension Person: Queryable {
                    static let fields: FieldTable<Person> = [
                        .field("first", \\Person.first),
                        .field("full", \\Person.full, storedAs: "full_name"),
                        .field("age", \\Person.age, storedAs: "yrs"),
                    ]
                }
                """
            )
        }

        @Test func genericsAreAskedEachTime() {
            check(
                """
                @Queryable struct Box<Value: FieldValue> {
                    var value: Value
                }
                """,
                """
                struct Box<Value: FieldValue> {
                    var value: Value
                }

                extension Box: Queryable {
                    static var fields: FieldTable<Self> {
                        [
                            .field("value", \\Box.value),
                        ]
                    }
                }
                """
            )
        }

        @Test func mistakesStandAtTheirProperty() {
            let kinds = [
                ("() -> Void", "a function"), ("[String: Int]", "a dictionary"), ("(Int, Int)", "a tuple"),
                ("any Error", "an existential"), ("Int.Type", "a type"), ("[(Int) -> Int]?", "a function"),
            ]
            for (type, kind) in kinds {
                check(
                    "@Queryable struct A {\n    var ok: Int\n    var bad: \(type)\n}",
                    "struct A {\n    var ok: Int\n    var bad: \(type)\n}",
                    [
                        DiagnosticSpec(
                            message: "bad is \(kind), which cannot be a field; mark it @QueryIgnored",
                            line: 3,
                            column: 14
                        )
                    ]
                )
            }
            check(
                "@Queryable struct A {\n    lazy var a = 1\n}",
                "struct A {\n    lazy var a = 1\n}",
                [
                    DiagnosticSpec(
                        message: "a lazy property cannot be read without changing its row; mark it @QueryIgnored",
                        line: 2,
                        column: 14
                    )
                ]
            )
            check(
                "@Queryable struct A {\n    let (a, b) = (1, 2)\n}",
                "struct A {\n    let (a, b) = (1, 2)\n}",
                [
                    DiagnosticSpec(
                        message:
                            "a property bound by a pattern has no name of its own; declare each one separately",
                        line: 2,
                        column: 9
                    )
                ]
            )
            check(
                "@Queryable struct A {\n    var a: Int\n    #if DEBUG\n    var b: Int\n    #endif\n}",
                "struct A {\n    var a: Int\n    #if DEBUG\n    var b: Int\n    #endif\n}",
                [
                    DiagnosticSpec(
                        message: "@Queryable cannot see which properties #if keeps; write `static let fields` by hand",
                        line: 3,
                        column: 5
                    )
                ]
            )
        }

        @Test func typesThatAreNoRows() {
            check(
                "@Queryable enum A {\n    case b\n}",
                "enum A {\n    case b\n}",
                [
                    DiagnosticSpec(
                        message:
                            "@Queryable applies to a struct or a final class, whose stored properties become fields",
                        line: 1,
                        column: 1
                    )
                ]
            )
            check(
                "@Queryable struct A {}",
                "struct A {}",
                [
                    DiagnosticSpec(message: "the type has no stored properties to make fields from", line: 1, column: 1)
                ]
            )
            check(
                "@Queryable public class A {\n    var a = 1\n}",
                "public class A {\n    var a = 1\n}",
                [
                    DiagnosticSpec(
                        message:
                            "@Queryable requires a final class: a subclass would have fields that the table does not know",
                        line: 1,
                        column: 25,
                        fixIts: [FixItSpec(message: "make the class final")]
                    )
                ],
                fixed: "@Queryable public final class A {\n    var a = 1\n}"
            )
        }
    }
#endif
