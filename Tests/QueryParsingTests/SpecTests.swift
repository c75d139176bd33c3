import SpecSupport
import Testing

/// The columns `tree`, `format`, `error`, `fix`, `hint` and `told` of `Tests/Spec`.
@Suite struct SpecTests {
    @Test func treesAndCanonicalText() throws {
        let failures = try SpecRunner.syntaxFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func errors() throws {
        let failures = try SpecRunner.errorFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func fixesLeadToQueries() throws {
        let failures = try SpecRunner.fixFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func whatIsTold() throws {
        let failures = try SpecRunner.toldFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func readerRefusesWhatIsNotInTheFormat() {
        for text in ["query", "nonsense: 1", "query: a == 1", "query: a == 1\nquery: b == 1\nfinds: -", "    x"] {
            #expect(throws: SpecFile.Malformed.self, "\(text)") { try SpecFile.cases(of: text, file: "x.spec") }
        }
    }

    @Test func readerKeepsLinesAndContext() throws {
        let text =
            "row a: {\"x\": 1}\n\n# note\nquery: x == 1\nfinds: a\n\nrow b: {}\n\nquery: x == nil\nresults:\n    {}\n"
        let cases = try SpecFile.cases(of: text, file: "x.spec")
        #expect(cases.map(\.place) == ["x.spec:4", "x.spec:9"])
        #expect(cases.map { $0.rows.map(\.label) } == [["a"], ["b"]])
        #expect(cases[1]["results"] == "{}")
    }
}
