import QueryValues

extension Schema: EncodedAs, Codable {
    package init(encoded text: String) throws { try self.init(jsonSchema: text) }

    /// ``jsonSchema`` as a single string, which keeps the order of the fields.
    package var encoded: String { jsonSchema.extendedJSON() }
}
