import QueryChecking
import QueryTree
import QueryValues

extension PlanBuilder {
    /// The kernel of text compared with a constant.
    func textKernel(
        _ comparison: Comparison,
        _ constant: QueryValue,
        _ target: CellTarget
    ) throws(QueryError) -> Kernel? {
        let options = comparison.options.folding
        let question = TextQuestion(options: options, target: target)
        switch (comparison.operator, constant) {
        case (.equal, .string(let text)): return question.same(text, isNegated: false)
        case (.notEqual, .string(let text)): return question.same(text, isNegated: true)
        case (.less, .string(let text)): return question.range(nil, text, takesHigh: false)
        case (.lessOrEqual, .string(let text)): return question.range(nil, text, takesHigh: true)
        case (.greater, .string(let text)): return question.range(text, nil, takesLow: false)
        case (.greaterOrEqual, .string(let text)): return question.range(text, nil, takesLow: true)
        case (.between, .list(let bounds)):
            guard bounds.count == 2, case .string(let low) = bounds[0], case .string(let high) = bounds[1] else {
                return nil
            }
            return question.range(low, high)
        case (.beginsWith, .string(let text)): return question.prefix(text)
        case (.endsWith, .string(let text)): return question.suffix(text)
        case (.contains, .string(let text)): return question.search(text)
        case (.in, .list(let constants)):
            var texts: [String] = []
            for constant in constants {
                guard case .string(let text) = constant else { return nil }
                texts.append(text)
            }
            return question.members(texts)
        case (.like, .string(let text)):
            return question.like(try LikePattern(text, options: options, at: comparison.right.origin))
        case (.matches, .string(let text)):
            // A match may fail on its limits, which is the row's error; lists of texts are read row by row.
            guard target.elements == nil else { return nil }
            let pattern = try RegexPattern(
                text,
                options: comparison.options,
                limits: limits,
                at: comparison.right.origin
            )
            return Kernel.matching(target.lane, isOptional: target.cell.isOptional, pattern)
        default: return nil
        }
    }
}

/// A test of text, to be asked of the cells of a target.
private struct TextQuestion {
    let options: StringOptions
    let target: CellTarget

    /// The kernel of a test of the text, folded first where the options say so.
    @inline(__always)
    private func kernel<Test: TextPredicate>(isNegated: Bool = false, cost: Double, _ test: Test) -> Kernel {
        let isOptional = target.cell.isOptional
        if options.isEmpty {
            return target.kernel(isNegated: isNegated, cost: cost, TextCellTest(test: test, isOptional: isOptional))
        }
        let folded = FoldedText(test: test, options: options)
        return target.kernel(
            isNegated: isNegated,
            cost: cost * 10,
            TextCellTest(test: folded, isOptional: isOptional)
        )
    }

    private func needle(_ text: String) -> Needle { Needle(Folding.folded(text, options)) }

    func same(_ text: String, isNegated: Bool) -> Kernel {
        let isOptional = target.cell.isOptional
        if !options.isEmpty {
            let test = FoldedSame(needle: FoldedNeedle(text, options))
            return target.kernel(isNegated: isNegated, cost: 4, TextCellTest(test: test, isOptional: isOptional))
        }
        let needle = Needle(text)
        if let short = SameShortText(needle, isOptional: isOptional) {
            return target.kernel(isNegated: isNegated, cost: 1.5, short)
        }
        return kernel(isNegated: isNegated, cost: 2, SameText(needle: needle))
    }

    func range(_ low: String?, _ high: String?, takesLow: Bool = true, takesHigh: Bool = true) -> Kernel {
        kernel(
            cost: 5,
            TextRange(low: low.map(needle), high: high.map(needle), takesLow: takesLow, takesHigh: takesHigh)
        )
    }

    func prefix(_ text: String) -> Kernel {
        if options.isEmpty { return kernel(cost: 2, TextPrefix(needle: Needle(text))) }
        let test = FoldedPrefix(needle: FoldedNeedle(text, options))
        return target.kernel(cost: 4, TextCellTest(test: test, isOptional: target.cell.isOptional))
    }

    func suffix(_ text: String) -> Kernel { kernel(cost: 3, TextSuffix(needle: needle(text))) }

    func search(_ text: String) -> Kernel { kernel(cost: 10, TextSearch(needle: needle(text))) }

    func members(_ texts: [String]) -> Kernel { kernel(cost: 4, TextMembers(texts.map(needle))) }

    func like(_ pattern: LikePattern) -> Kernel {
        if options.isEmpty, let (prefix, suffix) = pattern.onlyEnds {
            let ends = TextEnds(prefix: TextPrefix(needle: Needle(prefix)), suffix: TextSuffix(needle: Needle(suffix)))
            return kernel(cost: 3, ends)
        }
        // The pattern folds the text itself.
        return target.kernel(
            cost: 40,
            TextCellTest(test: TextLike(pattern: pattern), isOptional: target.cell.isOptional)
        )
    }
}

extension LikePattern {
    /// The literals of a pattern `a*b`; nil for any other.
    fileprivate var onlyEnds: (prefix: String, suffix: String)? {
        switch pieces.count {
        case 1: pieces[0] == .any ? ("", "") : nil
        case 2:
            switch (pieces[0], pieces[1]) {
            case (.literal(let prefix), .any): (prefix, "")
            case (.any, .literal(let suffix)): ("", suffix)
            default: nil
            }
        case 3:
            if case .literal(let prefix) = pieces[0], pieces[1] == .any, case .literal(let suffix) = pieces[2] {
                (prefix, suffix)
            } else {
                nil
            }
        default: nil
        }
    }
}
