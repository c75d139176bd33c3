import PredicateQL
import Testing

/// An expression must print as its comment shows; `…` in the comment matches any text.
///
/// Conditions, queries and terms print in the language, values and documents as JSON, everything else as Swift prints
/// it.
func expectShown<Value>(_ value: Value, _ text: String) {
    let texts = shownTexts(value)
    let parts = text.split(separator: "…", omittingEmptySubsequences: false).map(String.init)
    let isShown = text != "…" && texts.contains { $0 == text || parts.count > 1 && holds($0, parts) }
    #expect(isShown, "\(ExampleWorld.place): \(texts.joined(separator: " or ")) is not \(text)")
}

/// An expression must throw an error of a code.
func expectThrown<Value>(_ code: String, _ expression: () throws -> Value) {
    do {
        _ = try expression()
        Issue.record("\(ExampleWorld.place): nothing is thrown")
    } catch {
        #expect((error as? QueryError)?.code.rawValue == code, "\(ExampleWorld.place): \(error)")
    }
}

/// True if a text consists of parts with any text between them.
private func holds(_ text: String, _ parts: [String]) -> Bool {
    guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
        guard let range = rest.range(of: part) else { return false }
        rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
}

private func shownTexts(_ value: Any) -> [String] {
    if let text = ownText(value) { return [text] }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
        return [String(describing: value)] + (mirror.children.first.map { shownTexts($0.value) } ?? [])
    }
    if mirror.displayStyle == .collection {
        let elements = mirror.children.map { ownText($0.value) }
        if !elements.contains(nil) { return ["[\(elements.compactMap(\.self).joined(separator: ", "))]"] }
    }
    return [String(describing: value), String(reflecting: value)]
}

/// The library's own text for a value of one of its types.
private func ownText(_ value: Any) -> String? {
    switch value {
    case let condition as Condition: condition.format
    case let query as Query: query.format
    case let field as Field: text(of: field.queryTerm)
    case let term as Term: text(of: term)
    case let path as FieldPath: path.dotted
    case let key as SortKey:
        (key.isAscending ? "" : "-") + key.path.dotted + (key.options.isEmpty ? "" : "[\(key.options.text)]")
    case let value as QueryValue: value.json
    case let document as Document: QueryValue.object(document).json
    default: nil
    }
}

private func text(of term: Term) -> String {
    var writer = FormatWriter()
    writer.write(term)
    return writer.text
}
