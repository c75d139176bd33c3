#if PCRE2 && canImport(CPCRE2)
    import Testing

    @testable import QueryValues

    struct RegexPatternTests {
        private struct Case {
            var pattern: String
            var options: StringOptions = []
            var fits: [String] = []
            var misses: [String] = []
            var line: Int = #line
        }

        private static let cases: [Case] = [
            Case(pattern: "", fits: [""], misses: ["a", "\n"]),
            Case(pattern: "foo|foobar", fits: ["foo", "foobar"], misses: ["foob", "xfoo", "foo\n"]),
            Case(pattern: "a|ab|abc", fits: ["abc"], misses: ["abcd"]),
            Case(pattern: "a+?", fits: ["a", "aaa"], misses: ["aab"]),
            Case(pattern: "foo$", fits: ["foo"], misses: ["foo\n"]),
            Case(pattern: "a.c", fits: ["abc", "a\rc", "aéc", "a🦊c", "a\u{2028}c"], misses: ["a\nc", "ae\u{301}c"]),
            Case(pattern: "(?s)a.c", fits: ["a\nc"]),
            Case(pattern: "\\w+", fits: ["ab_9"], misses: ["é", "я"]),
            Case(pattern: "\\d+", fits: ["12"], misses: ["١٢"]),
            Case(pattern: "\\p{Lu}", fits: ["A", "É"], misses: ["a"]),
            Case(pattern: "KELVIN", options: .caseInsensitive, fits: ["kelvin", "\u{212A}elvin"]),
            Case(pattern: "ß", options: .caseInsensitive, fits: ["ẞ"], misses: ["ss"]),
            Case(pattern: "abc", misses: ["ABC"]),
            Case(pattern: "é", fits: ["é"], misses: ["e\u{301}"]),
            Case(pattern: "a\u{0}b", fits: ["a\u{0}b"], misses: ["a", "ab"]),
            Case(pattern: "a", misses: ["a\u{0}"]),
            Case(pattern: "[(?C)]+\\(\\?C\\)", fits: ["C?(?C)"]),
            Case(pattern: "\\Q(?C1)\\E", fits: ["(?C1)"]),
            Case(pattern: "(a)(?:b)\\1", fits: ["aba"], misses: ["abb"]),
            Case(pattern: "a", options: .normalized, fits: ["a"], misses: ["A"]),
        ]

        @Test func fit() throws {
            for entry in Self.cases {
                let pattern = try RegexPattern(entry.pattern, options: entry.options)
                for text in entry.fits {
                    #expect(try pattern.matches(text), "line \(entry.line): '\(text)' should fit")
                }
                for text in entry.misses {
                    #expect(try !pattern.matches(text), "line \(entry.line): '\(text)' should not fit")
                }
            }
        }

        private func code(_ pattern: String, _ options: StringOptions = []) -> QueryError.Code? {
            do {
                _ = try RegexPattern(pattern, options: options)
                return nil
            } catch {
                return error.code
            }
        }

        @Test func refused() {
            for pattern in [
                "(", "a)|(b", "[", "a{2,1}", "*", "\\", "(*UCP)a", "(*LIMIT_MATCH=1)a", "\\C", "(?C)", "a(?C1)b",
                "(?:x(?C\"text\"))", "\\x{d800}",
            ] {
                #expect(code(pattern) == .pattern, "\(pattern)")
            }
            #expect(code("a", .diacriticInsensitive) == .unsupported)
            #expect(code("a", [.caseInsensitive, .diacriticInsensitive]) == .unsupported)
            #expect(code("a", .localized) == .unsupported)
        }

        @Test func message() {
            do {
                _ = try RegexPattern("ab(c", at: Origin(1..<7, in: nil))
                Issue.record("a malformed pattern is taken")
            } catch {
                #expect(error.range == 1..<7)
                #expect(error.message.contains("byte 4"))
                #expect(error.message.contains("missing closing parenthesis"))
            }
        }

        @Test func limits() throws {
            let text = String(repeating: "a", count: 40) + "b"
            let pattern = try RegexPattern("(a+)+$")
            do {
                #expect(try !pattern.matches(text))
                Issue.record("the limit is not reached")
            } catch {
                #expect(error.code == .evaluation)
            }
            var few = Limits.default
            few.matchSteps = 10
            let strict = try RegexPattern("(a|b|c)*?d", limits: few)
            #expect(throws: QueryError.self) { try strict.matches(String(repeating: "abc", count: 100) + "dx") }
        }

        @Test func deepStack() throws {
            let text = String(repeating: "ab", count: 4_000)
            #expect(try RegexPattern("(?:(a)|(b))*").matches(text))
            #expect(try !RegexPattern("(?:(a)|(b))*c").matches(text))
        }

        @Test func concurrency() async throws {
            let pattern = try RegexPattern("[a-z]+[0-9]+")
            let answers = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<64 {
                    group.addTask {
                        (try? pattern.matches(index % 2 == 0 ? "abc\(index)" : "\(index)abc")) == (index % 2 == 0)
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(answers.count == 64)
            #expect(!answers.contains(false))
        }

        @Test func malformedText() throws {
            let pattern = try RegexPattern(".*")
            let bytes: [UInt8] = [0x61, 0xFF]
            #expect(throws: QueryError.self) {
                try bytes.withUnsafeBufferPointer { buffer throws(QueryError) in try pattern.matches(buffer) }
            }
            #expect(
                try bytes[..<1].withUnsafeBufferPointer { buffer throws(QueryError) in try pattern.matches(buffer) }
            )
        }
    }
#endif
