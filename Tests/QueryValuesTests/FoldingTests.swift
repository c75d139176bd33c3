import Foundation
import Testing

@testable import QueryTree
@testable import QueryValues

struct FoldingTests {
    private static let both: StringOptions = [.caseInsensitive, .diacriticInsensitive]

    /// The scalars of the planes that have characters; beyond are only unassigned and private ones, which do not fold.
    private static let scalars = [UInt32(0)...0x3_2FFF, 0xE_0000...0xE_0FFF].joined().compactMap(Unicode.Scalar.init)

    @Test func foldsTexts() {
        let table: [(text: String, options: StringOptions, folded: String, line: Int)] = [
            ("", .caseInsensitive, "", #line), ("\u{0}A\u{0}", Self.both, "\u{0}a\u{0}", #line),
            ("AZaz@[`{09", .caseInsensitive, "azaz@[`{09", #line), ("AZ", .diacriticInsensitive, "AZ", #line),
            ("Straße ẞ", .caseInsensitive, "straße ß", #line), ("ﬁ", Self.both, "ﬁ", #line),
            ("\u{212A}\u{17F}", .caseInsensitive, "ks", #line), ("ΑΣς", .caseInsensitive, "ασσ", #line),
            ("İı", .caseInsensitive, "İı", #line), ("İı", Self.both, "iı", #line),
            ("ᾈ", .caseInsensitive, "ᾀ", #line), ("ᾈ", Self.both, "α", #line),
            ("\u{345}", .caseInsensitive, "ι", #line), ("\u{345}", Self.both, "", #line),
            ("Ⱥ", .caseInsensitive, "ⱥ", #line), ("𐐀", .caseInsensitive, "𐐨", #line),
            ("ꭰ", .caseInsensitive, "Ꭰ", #line), ("é e\u{301} E\u{301}", .diacriticInsensitive, "e e E", #line),
            ("Åß\u{212B}", Self.both, "aßa", #line), ("øłđœ", Self.both, "øłđœ", #line),
            ("한글", Self.both, "한글", #line), ("が", .diacriticInsensitive, "か", #line),
            ("й ё", .diacriticInsensitive, "и е", #line), ("\u{9CB}", .diacriticInsensitive, "\u{9CB}", #line),
            ("é", .normalized, "é", #line), ("É", .localized, "É", #line), ("🇬🇧❤️", Self.both, "🇬🇧❤", #line),
            ("Ǆǅǆ", .caseInsensitive, "ǆǆǆ", #line), ("µ", .caseInsensitive, "μ", #line),
        ]
        for (text, options, folded, line) in table {
            let found = Folding.folded(text, options)
            #expect(found.hasSameUTF8(as: folded), "line \(line): \(found)")
        }
    }

    @Test func keepsMalformedBytes() {
        let bytes: [UInt8] = [0x41, 0xFF, 0xED, 0xA0, 0x80, 0xC0, 0x80, 0xE0, 0x80, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xC3]
        let out = bytes.withUnsafeBufferPointer { Folding.withFolded($0, Self.both) { Array($0) } }
        #expect(out == [0x61] + bytes.dropFirst())
    }

    @Test func marksFollowTheCanonicalDecomposition() {
        for scalar in Self.scalars {
            // The table is Unicode 14.0, like PCRE2's: later scalars are unchanged, and Ahom's medial ra became spacing
            // in 15.0.
            guard let age = scalar.properties.age, age.major <= 14, scalar != "\u{1171E}" else { continue }
            let decomposed = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            let bases = decomposed.filter { $0.properties.generalCategory != .nonspacingMark }
            let wanted =
                if scalar.properties.generalCategory == .nonspacingMark {
                    ""
                } else if bases.count == 1, decomposed.first == bases.first {
                    String(String.UnicodeScalarView(bases))
                } else {
                    String(scalar)
                }
            let found = Folding.folded(String(scalar), .diacriticInsensitive)
            if !found.hasSameUTF8(as: wanted) { Issue.record("U+\(String(scalar.value, radix: 16)) gives '\(found)'") }
        }
    }

    @Test func foldingTwiceIsFoldingOnce() {
        for options in [StringOptions.caseInsensitive, .diacriticInsensitive, Self.both] {
            for scalar in Self.scalars {
                guard let once = Folding.fold(scalar.value, options), once != scalar.value else { continue }
                if Folding.fold(once, options) != once { Issue.record("\(String(scalar.value, radix: 16))") }
            }
        }
    }

    @Test func equivalentsAreWhatFoldsAlike() {
        for options in [StringOptions.caseInsensitive, .diacriticInsensitive, Self.both] {
            var classes: [UInt32: [Unicode.Scalar]] = [:]
            for scalar in Self.scalars {
                guard let folded = Folding.fold(scalar.value, options), folded != scalar.value else { continue }
                classes[folded, default: []].append(scalar)
            }
            for (folded, others) in classes {
                let members = (others + [Unicode.Scalar(folded)].compactMap(\.self)).sorted()
                for scalar in members where Folding.equivalents(of: scalar, options) != members {
                    Issue.record("\(String(scalar.value, radix: 16))")
                }
            }
        }
        #expect(Folding.equivalents(of: "k", .caseInsensitive) == ["K", "k", "\u{212A}"])
        #expect(Folding.equivalents(of: "ſ", .caseInsensitive) == ["S", "s", "ſ"])
        #expect(Folding.equivalents(of: "K", []) == ["K"])
        #expect(Folding.equivalents(of: "1", Self.both) == ["1"])
        #expect(Folding.equivalents(of: "\u{301}", .diacriticInsensitive) == [])
    }

    #if PCRE2 && canImport(CPCRE2)
        /// Two scalars that fold differently differ in some bit of their folded forms, so 21 classes distinguish all of
        /// them.
        @Test func caseFoldsAsPCRE2() throws {
            let cased = Self.scalars.filter { scalar in
                Folding.equivalents(of: scalar, .caseInsensitive).count > 1
                    || (scalar.properties.changesWhenCaseMapped && (scalar.properties.age?.major ?? 99) <= 14)
            }
            #expect(cased.count > 2_800)
            let pair = try RegexPattern("(.)\\1", options: .caseInsensitive)
            for scalar in cased {
                let folded = try #require(Unicode.Scalar(Folding.fold(scalar.value, .caseInsensitive) ?? 0))
                if try !pair.matches(String(scalar) + String(folded)) { Issue.record("\(scalar) is not \(folded)") }
            }
            for bit in 0..<21 {
                let folds = { (scalar: Unicode.Scalar) in
                    (Folding.fold(scalar.value, .caseInsensitive) ?? 0) >> UInt32(bit) & 1 == 1
                }
                let inside = cased.filter(folds)
                let outside = cased.filter { !folds($0) }
                if inside.isEmpty || outside.isEmpty { continue }
                let others = try RegexPattern("[^\(Self.text(inside))]+", options: .caseInsensitive)
                #expect(try others.matches(Self.text(outside)), "bit \(bit)")
            }
            let uncased = Set(Self.scalars).subtracting(cased).filter { $0.properties.isAlphabetic }.sorted()
            let others = try RegexPattern("[^\(Self.text(cased))]+", options: .caseInsensitive)
            #expect(try others.matches(Self.text(uncased)))
        }

        private static func text(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }
    #endif

    /// Searching agrees with searching the folded scalars one by one.
    @Test func searchesAsOnFoldedScalars() {
        let parts = ["", "a", "A", "é", "e\u{301}", "\u{301}", "K", "\u{212A}", "ß", "🦊", "\r\n", "aA", "éa"]
        let texts = parts.flatMap { first in parts.map { first + $0 } }
        for options in [StringOptions(), .caseInsensitive, .diacriticInsensitive, Self.both] {
            let folded = texts.map { text in text.unicodeScalars.compactMap { Folding.fold($0.value, options) } }
            for (text, a) in zip(texts, folded) {
                for (other, b) in zip(texts, folded) {
                    let found = [
                        Folding.equal(text, other, options), Folding.precedes(text, other, options),
                        Folding.hasPrefix(text, other, options), Folding.hasSuffix(text, other, options),
                        Folding.contains(text, other, options),
                    ]
                    let wanted = [
                        a == b, a.lexicographicallyPrecedes(b), a.starts(with: b),
                        a.reversed().starts(with: b.reversed()),
                        a.indices.contains { a[$0...].starts(with: b) } || b.isEmpty,
                    ]
                    if found != wanted { Issue.record("'\(text)' and '\(other)' under [\(options.text)]: \(found)") }
                }
            }
        }
    }

    @Test func longSearchesComeToAnEnd() {
        let text = String(repeating: "a", count: 200_000)
        let half = String(repeating: "a", count: 20_000)
        for options in [StringOptions(), Self.both] {
            #expect(!Folding.contains(text, half + "b" + half, options))
            #expect(Folding.contains(text + "b" + text, half + "b" + half, options))
            #expect(Folding.contains(text + "ab", "aaab", options))
        }
    }
}
