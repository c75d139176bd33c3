import QueryMeaning
import QueryTree
import QueryValues

extension PlanBuilder {
    /// The kernel that tests texts; texts compared with a date are read row by row (S5).
    func textKernel(_ question: Question, _ target: CellTarget) throws(QueryError) -> Kernel? {
        let texts = TextQuestion(options: question.options.folding, target: target)
        switch question.test {
        case .equal(.string(let text)): return texts.same(text, isNegated: question.isNegated)
        case .ordered(let rule, .string(let text)):
            return rule.wanted == .ascending
                ? texts.range(nil, text, takesHigh: rule.allowsEqual)
                : texts.range(text, nil, takesLow: rule.allowsEqual)
        case .between(.string(let low), .string(let high)): return texts.range(low, high)
        case .part(.prefix, let text): return texts.prefix(text)
        case .part(.suffix, let text): return texts.suffix(text)
        case .part(.middle, let text): return texts.search(text)
        case .members(let values, nil):
            let members = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return members.count == values.count ? texts.members(members) : nil
        case .like(let pattern): return texts.like(pattern)
        case .matches(let text):
            // A match may fail on its limits, which is the row's error; lists of texts are read row by row.
            guard target.elements == nil else { return nil }
            let pattern = try RegexPattern(text, options: question.options, limits: limits, at: question.origin)
            return Kernel.matching(target.lane, isOptional: target.cell.isOptional, pattern)
        default: return nil
        }
    }
}

/// A test of text, for the cells of a target.
private struct TextQuestion {
    let options: StringOptions
    let target: CellTarget

    /// The kernel of a test of the text, which is folded first if the options require it.
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
        switch pattern.relation {
        case .whole(let text)?: return same(text, isNegated: false)
        case .prefix(let text)?: return prefix(text)
        case .suffix(let text)?: return suffix(text)
        case .part(let text)?: return search(text)
        case .ends(let head, let tail)?:
            return kernel(
                cost: 3,
                TextEnds(prefix: TextPrefix(needle: needle(head)), suffix: TextSuffix(needle: needle(tail)))
            )
        case .anything?, nil:
            // The pattern folds the text itself.
            let test = TextLike(pattern: pattern)
            return target.kernel(cost: 40, TextCellTest(test: test, isOptional: target.cell.isOptional))
        }
    }
}
