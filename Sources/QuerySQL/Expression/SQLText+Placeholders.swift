extension SQLText {
    /// The piece with each `?` wrapped in a call that changes nothing and hides constants from the planner's
    /// comparisons.
    func wrappingConstants(_ identifierQuote: Character) -> SQLText {
        var wrapped = self
        wrapped.text = replacingPlaceholders(identifierQuote) { _ in "ifnull(?, NULL)" }
        return wrapped
    }

    /// The text with its `?` replaced by `$1`, `$2` and so on.
    func numbered(_ identifierQuote: Character) -> String {
        replacingPlaceholders(identifierQuote) { "$" + String($0) }
    }

    /// Replaces each `?` outside of quotes; the first has the number 1.
    private func replacingPlaceholders(_ identifierQuote: Character, _ word: (Int) -> String) -> String {
        guard !bindings.isEmpty else { return text }
        let name = Array(String(identifierQuote).utf8)
        let (apostrophe, question) = (UInt8(ascii: "'"), UInt8(ascii: "?"))
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 4 * bindings.count)
        var number = 0
        var isText = false
        var isName = false
        var text = text
        text.withUTF8 { bytes in
            for (position, byte) in bytes.enumerated() {
                if byte == apostrophe, !isName {
                    isText.toggle()
                } else if byte == name.first, !isText, bytes[position...].starts(with: name) {
                    isName.toggle()
                } else if byte == question, !isText, !isName {
                    number += 1
                    result += word(number).utf8
                    continue
                }
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
