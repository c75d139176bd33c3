import QueryValues

extension SQLDialect {
    /// The statements that create the functions of the dialect's statements; run them once per database.
    ///
    /// For PostgreSQL and DuckDB these are ``foldFunction``, which folds by the same table as memory does (S14) and may
    /// be used in an index: `CREATE INDEX ON people (pql_fold('cd', name) COLLATE "C")`, ``uppercaseFunction`` and
    /// ``lowercaseFunction``. SQLite's functions are registered on each connection instead, so there are none for it.
    /// O(folding table), about 70 KB of SQL.
    ///
    ///     SQLDialect.postgresql.functionDefinitions.map { $0.prefix(36) }[0]  // → CREATE OR REPLACE FUNCTION pql_fold(
    ///     SQLDialect.sqlite.functionDefinitions  // → []
    public var functionDefinitions: [String] {
        guard let forms = forms?.folding else { return [] }
        return [
            foldFunction.map { forms.start(of: $0, forms.optionsParameter) + Self.folding(forms) },
            uppercaseFunction.map { Self.casing($0, forms, forms.upper, \.uppercaseMapping) },
            lowercaseFunction.map { Self.casing($0, forms, forms.lower, \.lowercaseMapping) },
        ].compactMap { $0 }
    }

    private static func folding(_ forms: SQLForms.FoldForms) -> String {
        let ordinary = choice(c: forms.lower, d: forms.stripped, both: forms.both)
        let all = choice(
            c: translation(.caseInsensitive),
            d: translation(.diacriticInsensitive),
            both: translation([.caseInsensitive, .diacriticInsensitive])
        )
        return "CASE WHEN \(forms.isOrdinary) THEN \(ordinary) ELSE \(all) END" + forms.tail
    }

    private static func choice(c: String, d: String, both: String) -> String {
        "CASE options WHEN 'c' THEN \(c) WHEN 'd' THEN \(d) ELSE \(both) END"
    }

    private static func translation(_ options: StringOptions) -> String {
        let (from, to) = Folding.translation(options)
        return "translate(value, \(literal(from)), \(literal(to)))"
    }

    /// A function that changes a text's case scalar by scalar, by Unicode's mappings, whatever comes before or after.
    private static func casing(
        _ name: String,
        _ forms: SQLForms.FoldForms,
        _ ascii: String,
        _ mapping: KeyPath<Unicode.Scalar.Properties, String>
    ) -> String {
        var (from, to) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        var text = "value"
        // No letter beyond has two cases.
        for scalar in (0x41...0x1FFFF).lazy.compactMap({ Unicode.Scalar(UInt32($0)) }) {
            let mapped = scalar.properties[keyPath: mapping].unicodeScalars
            if mapped.count > 1 {
                text = "replace(\(text), \(literal(String(scalar))), \(literal(String(mapped))))"
            } else if let other = mapped.first, other != scalar {
                from.append(scalar)
                to.append(other)
            }
        }
        let all = "translate(\(text), \(literal(String(from))), \(literal(String(to))))"
        return forms.start(of: name)
            + "CASE WHEN \(forms.isASCII) THEN \(ascii) ELSE \(all) END" + forms.tail
    }

    private static func literal(_ text: String) -> String { "'" + text.replacingScalar("'", with: "''") + "'" }
}

extension SQLForms.FoldForms {
    /// The definition of a function up to its body.
    fileprivate func start(of name: String, _ firstParameter: String = "") -> String {
        head + name + "(" + firstParameter + valueParameter + ")" + afterParameters
    }
}

extension StringOptions {
    /// The folded text that these options compare: the content of a folded column.
    ///
    ///     StringOptions([.caseInsensitive, .diacriticInsensitive]).folded("Zoé")  // → zoe
    ///
    /// O(length). See S14.
    ///
    /// - Parameter text: any text.
    /// - Returns: the folded text; equal for texts that are equal under `==` with these options.
    public func folded(_ text: String) -> String { folding.isEmpty ? text : Folding.folded(text, folding) }
}
