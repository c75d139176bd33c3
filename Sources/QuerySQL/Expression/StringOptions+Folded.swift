import QueryValues

extension StringOptions {
    /// The text as these options compare it: what a column of folded text keeps (S14).
    ///
    ///     StringOptions([.caseInsensitive, .diacriticInsensitive]).folded("Zoé")  // → zoe
    ///
    /// O(length).
    ///
    /// - Parameter text: any text.
    /// - Returns: the folded text; the same for texts that `==` with these options holds for.
    public func folded(_ text: String) -> String {
        folding.isEmpty ? text : Folding.folded(text, folding)
    }
}
