import QueryValues

extension StringOptions {
    /// The folded text that these options compare: the content of a folded column.
    ///
    ///     StringOptions([.caseInsensitive, .diacriticInsensitive]).folded("Zoé")  // → zoe
    ///
    /// O(length). See S14.
    ///
    /// - Parameter text: any text.
    /// - Returns: the folded text; equal for texts that are equal under `==` with these options.
    public func folded(_ text: String) -> String {
        folding.isEmpty ? text : Folding.folded(text, folding)
    }
}
