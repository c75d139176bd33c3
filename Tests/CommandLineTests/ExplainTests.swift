import Foundation
import Testing

/// `pql explain` and `pql check --fix`.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct ExplainTests {
    private static let schema = """
        {"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"orders":{"type":"array",
        "items":{"type":"object","properties":{"price":{"type":"number"}}}}}}
        """

    @Test func normalizedTreeIsTheSimplest() throws {
        let outcome = try Tool.pql("explain", "NOT NOT (a >= 1 AND a <= 2 + 3)")
        #expect(outcome.output.contains("normalized:\n  (BETWEEN a {1 5})\n"), "\(outcome.output)")
        #expect(!outcome.output.contains("kinds:"), "kinds are the schema's")
    }

    @Test func kindsAreThoseOfTheSchema() throws {
        try Tool.withFile("schema.json", Self.schema) { file in
            let query = "name == 'x' AND SUBQUERY(orders, $o, $o.price > age).@count > 1"
            let outcome = try Tool.pql("explain", query, "--schema", file)
            let expected = """
                kinds:
                  AND
                    ==
                      name: text
                      "x": text
                    >
                      @count: a number
                        SUBQUERY $o: a list of an object
                          orders: a list of an object
                          >
                            .price: a number
                              $o: an object
                            age: a number
                      1: a number
                normalized:

                """
            #expect(outcome.output.contains(expected), "\(outcome.output)\(outcome.error)")
        }
    }

    @Test func dotIsAGraph() throws {
        let outcome = try Tool.pql("explain", "--dot", "NOT name ==[c] 'a\"\\\\b' OR ANY tags IN {1, TRUE}")
        let expected = """
            digraph query {
              node [fontname="monospace"];
              n0 [label="OR", shape=ellipse];
              n1 [label="NOT", shape=ellipse];
              n2 [label="==[c]", shape=ellipse];
              n3 [label="name", shape=box];
              n2 -> n3;
              n4 [label="\\"a\\\\\\"\\\\\\\\b\\"\\ntext", shape=box];
              n2 -> n4;
              n1 -> n2;
              n0 -> n1;
              n5 [label="ANY IN", shape=ellipse];
              n6 [label="tags", shape=box];
              n5 -> n6;
              n7 [label="{ }\\na list", shape=box];
              n8 [label="1\\na number", shape=box];
              n7 -> n8;
              n9 [label="TRUE\\na truth value", shape=box];
              n7 -> n9;
              n5 -> n7;
              n0 -> n5;
            }

            """
        #expect(outcome.output == expected, "\(outcome.output)\(outcome.error)")
        #expect(outcome.status == 0)
    }

    /// Graphviz reads every graph, if it is installed.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dot")))
    func graphvizReadsTheGraph() throws {
        for query in [
            "a == '\"\\\\\\n<b>{}|'", "SUBQUERY(a.b, $x, $x[0].c > -d ** 2).@max.e == TERNARY(a == 1, nil, now())",
        ] {
            let graph = try Tool.pql("explain", "--dot", query).output
            try Tool.withFile("tree.dot", graph) { file in
                let drawn = try Tool.shell("dot -Tsvg '\(file)'")
                #expect(drawn.status == 0 && drawn.output.contains("</svg>"), "\(query)\n\(drawn.error)")
            }
        }
    }

    @Test func checkPrintsTheMendedText() throws {
        let mended = [
            "name IS NULL": "name == nil", "a === 1 AND isActive": "a == 1 AND isActive == TRUE",
            "name NOT IN (\"a\", \"b\")": "NOT name IN {\"a\", \"b\"}", "age BETWEEN 1 AND 10": "age BETWEEN {1, 10}",
        ]
        for (broken, whole) in mended {
            let outcome = try Tool.pql("check", "--fix", broken)
            #expect(outcome.output == whole + "\n", "\(broken)\n\(outcome.error)")
            #expect(outcome.error.contains("^") && outcome.status == 65, "\(broken)")
        }
        let sound = try Tool.pql("check", "--fix", "a == 1")
        #expect(sound.output == "a == 1\n" && sound.status == 0 && sound.error.isEmpty)
        let hopeless = try Tool.pql("check", "--fix", "a == ")
        #expect(hopeless.output.isEmpty && hopeless.status == 65)
        try Tool.withFile("schema.json", Self.schema) { file in
            let outcome = try Tool.pql("check", "--fix", "nmae == 'x' AND agee > 1", "--schema", file)
            #expect(outcome.output == "name == 'x' AND age > 1\n", "\(outcome.error)")
        }
    }

    @Test func checkShowsEveryProblem() throws {
        try Tool.withFile("schema.json", Self.schema) { file in
            let outcome = try Tool.pql("check", "naem == 'x' AND age > 'y' AND orders.price > 1", "--schema", file)
            #expect(outcome.status == 65)
            #expect(outcome.error.components(separatedBy: "error: ").count == 4, "\(outcome.error)")
            #expect(outcome.error.contains("did you mean `name`?"), "\(outcome.error)")
        }
    }

    @Test func whatIsHardlyMeantIsAWarning() throws {
        let outcome = try Tool.pql("check", "SUBQUERY(items, $i, price > 5).@count > 0")
        #expect(outcome.status == 0)
        let expected = """
            warning: the condition never uses $i, so it keeps all elements or none
              1 | SUBQUERY(items, $i, price > 5).@count > 0
                |                     ^^^^^^^^^
            hint: a bare key belongs to the row; write $i.key for the element's

            """
        #expect(outcome.error == expected)
        // A row of a table is no text; the one of a file may be.
        for text in ["SELF IN {'a'}", "NOT SELF == 5", "SELF MATCHES 'a'", "SELF CONTAINS 'a'"] {
            let translated = try Tool.pql("translate", text, "--to", "sqlite")
            #expect(translated.error.contains("warning: SELF is the whole row, and is compared with"), "\(translated)")
            #expect(translated.error.contains("hint: write the name of a field") && translated.status == 0)
            #expect(try Tool.pql("translate", text, "--to", "format").error.isEmpty)
            #expect(try Tool.pql("check", text).error.isEmpty)
        }
        let bound = try Tool.pql("check", "name LIKE $x AND name.length > 1", "--var", "x=12")
        #expect(bound.error.components(separatedBy: "warning: ").count == 3 && bound.status == 0, "\(bound)")
    }
}
