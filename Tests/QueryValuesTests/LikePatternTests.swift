import Testing

@testable import QueryValues

struct LikePatternTests {
    private struct Case {
        var pattern: String
        var options: StringOptions = []
        var fits: [String] = []
        var misses: [String] = []
        var line: Int = #line
    }

    private static let cases: [Case] = [
        Case(pattern: "", fits: [""], misses: ["a", "\n"]),
        Case(pattern: "*", fits: ["", "a", "a\nb", "\u{0}"]),
        Case(pattern: "?", fits: ["a", "\n", "\u{0}", "é", "\u{301}", "🦊"], misses: ["", "ab", "e\u{301}", "🇬🇧"]),
        Case(pattern: "??", fits: ["ab", "e\u{301}", "🇬🇧", "\r\n"], misses: ["a", "abc", "é"]),
        Case(pattern: "a*", fits: ["a", "ab", "a\n"], misses: ["", "ba", "A"]),
        Case(pattern: "*a", fits: ["a", "ba", "aa"], misses: ["ab", "a\n"]),
        Case(pattern: "a*a", fits: ["aa", "aba"], misses: ["a", "ab"]),
        Case(pattern: "*a*b*", fits: ["ab", "xaxbx", "aab"], misses: ["ba", "a", "b"]),
        Case(pattern: "ab*bc", fits: ["abbc", "abxbc"], misses: ["abc"]),
        Case(pattern: "*?", fits: ["a", "ab", "é"], misses: [""]),
        Case(pattern: "?*?", fits: ["ab", "abc"], misses: ["a", ""]),
        Case(pattern: "*??b*", fits: ["xxb", "🦊🦊b", "bbb"], misses: ["xb", "bb", ""]),
        Case(pattern: "*a?c*", fits: ["abc", "aabc", "xa🦊cx", "aacc"], misses: ["ac", "abbc"]),
        Case(pattern: "*é?", fits: ["éa", "ééé", "é🦊"], misses: ["é", "éab", "e\u{301}a"]),
        Case(pattern: "a\\*b", fits: ["a*b"], misses: ["axb", "a\\*b"]),
        Case(pattern: "\\?\\\\\\a", fits: ["?\\a"], misses: ["x\\a"]),
        Case(pattern: "a%_[b]", fits: ["a%_[b]"], misses: ["axxb"]),
        Case(pattern: "é", fits: ["é"], misses: ["e\u{301}", "e"]),
        Case(pattern: "*aab", fits: ["aab", "aaab", "aabaab"], misses: ["aaba"]),
        Case(pattern: "*a*a*a*", fits: ["aaa", "banana"], misses: ["aa", "bab"]),
        Case(pattern: "KELVIN*", options: .caseInsensitive, fits: ["kelvin", "\u{212A}elvin x"], misses: ["celvin"]),
        Case(pattern: "ß", options: .caseInsensitive, fits: ["ẞ"], misses: ["ss", "SS"]),
        Case(pattern: "e?e", options: .diacriticInsensitive, fits: ["éxe\u{301}", "ee\u{301}\u{302}e", "\u{301}eee"]),
        Case(
            pattern: "?",
            options: .diacriticInsensitive,
            fits: ["e\u{301}", "é", "\u{301}e\u{302}"],
            misses: ["\u{301}"]
        ),
        Case(pattern: "*\u{301}*", options: .diacriticInsensitive, fits: ["", "abc"]),
        Case(
            pattern: "É*Z",
            options: [.caseInsensitive, .diacriticInsensitive],
            fits: ["ez", "E\u{301}xž"],
            misses: ["e"]
        ),
    ]

    @Test func fit() throws {
        for entry in Self.cases {
            let pattern = try LikePattern(entry.pattern, options: entry.options)
            for text in entry.fits { #expect(pattern.matches(text), "line \(entry.line): '\(text)' should fit") }
            for text in entry.misses { #expect(!pattern.matches(text), "line \(entry.line): '\(text)' should not fit") }
        }
    }

    @Test func loneBackslash() throws {
        for pattern in ["\\", "a\\", "\\\\\\"] {
            #expect(throws: QueryError.self) { try LikePattern(pattern) }
        }
        do {
            _ = try LikePattern("a\\", at: Origin(3..<5, in: SourceText("x == y")))
        } catch {
            #expect(error.code == .pattern)
            #expect(error.range == 3..<5)
        }
        #expect(try LikePattern("\\\\").matches("\\"))
    }

    @Test func pieces() throws {
        #expect(try LikePattern("").pieces == [])
        #expect(try LikePattern("a\\*b").pieces == [.literal("a*b")])
        #expect(try LikePattern("a**?b").pieces == [.literal("a"), .any, .one, .literal("b")])
        #expect(try LikePattern("*?*").pieces == [.any, .one, .any])
    }

    @Test func agreesWithPlainMatcher() throws {
        let patterns = Self.words(over: ["a", "é", "*", "?"], upTo: 5)
        let texts = Self.words(over: ["a", "é", "🦊"], upTo: 4)
        for source in patterns {
            let pattern = try LikePattern(source)
            let plain = Array(source.unicodeScalars)
            for text in texts where pattern.matches(text) != Self.plain(plain[...], Array(text.unicodeScalars)[...]) {
                Issue.record("'\(text)' LIKE '\(source)'")
            }
        }
    }

    @Test func manyStars() throws {
        let text = String(repeating: "a", count: 100_000)
        #expect(try !LikePattern(String(repeating: "a*", count: 1_000) + "b").matches(text))
        #expect(try !LikePattern(String(repeating: "*a", count: 1_000) + "b*").matches(text))
        #expect(try LikePattern(String(repeating: "*a", count: 1_000)).matches(text))
        let needle = String(repeating: "a", count: 5_000) + "b" + String(repeating: "a", count: 5_000)
        #expect(try !LikePattern("*" + needle + "*").matches(text))
    }

    private static func words(over letters: [String], upTo length: Int) -> [String] {
        var words = [""]
        var last = [""]
        for _ in 0..<length {
            last = last.flatMap { word in letters.map { word + $0 } }
            words += last
        }
        return words
    }

    private static func plain(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return plain(pattern.dropFirst(), text) || (!text.isEmpty && plain(pattern, text.dropFirst()))
        }
        guard let scalar = text.first, first == "?" || first == scalar else { return false }
        return plain(pattern.dropFirst(), text.dropFirst())
    }
}
