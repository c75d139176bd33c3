#if Macros
    /// Generates the field table of a struct or final class, so that queries read it in place.
    ///
    ///     @Queryable struct City {
    ///         var name: String
    ///         var population: Int
    ///     }
    ///     let cities = [City(name: "Boston", population: 653_833), City(name: "Salem", population: 44_480)]
    ///     try Query(format: "population > 50000").results(in: cities).map(\.name)  // → ["Boston"]
    ///
    /// Every stored property becomes a field. `CodingKeys` are honoured: their raw values are the stored names, and a
    /// property that they omit is not a field. ``QueryField(storedAs:)`` adds a computed property or renames a field,
    /// ``QueryIgnored()`` omits one.
    @attached(extension, conformances: Queryable, names: named(fields))
    public macro Queryable() = #externalMacro(module: "QueryableMacros", type: "QueryableMacro")

    /// Makes a computed property a field, or gives a field another name in documents and stores.
    ///
    ///     @Queryable struct Author {
    ///         var first: String
    ///         var last: String
    ///         @QueryField(storedAs: "full_name") var fullName: String { first + " " + last }
    ///     }
    ///     try Query(format: "fullName == 'Jane Austen'").matches(Author(first: "Jane", last: "Austen"))  // → true
    ///
    /// - Parameter storedAs: the name in documents and stores; nil if it is the property's.
    @attached(peer)
    public macro QueryField(storedAs: String? = nil) =
        #externalMacro(module: "QueryableMacros", type: "QueryFieldMacro")

    /// Excludes a stored property from the fields.
    ///
    ///     @Queryable struct City {
    ///         var name: String
    ///         @QueryIgnored var cache: [String: Int] = [:]
    ///     }
    ///     City.fields.names  // → ["name"]
    @attached(peer)
    public macro QueryIgnored() = #externalMacro(module: "QueryableMacros", type: "QueryFieldMacro")
#endif
