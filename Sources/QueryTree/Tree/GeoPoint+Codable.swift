import QueryValues

extension GeoPoint: Codable {
    /// Reads a point from a list of its longitude and its latitude, as GeoJSON and Mongo write it.
    ///
    ///     struct Shop: Codable { var place: GeoPoint }
    ///     try (["place": [-71.06, 42.36]] as Document).decode(Shop.self).place.latitude  // → 42.36
    ///
    /// - Parameter decoder: a list of two numbers.
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        self.init(longitude: try parts.decode(Double.self), latitude: try parts.decode(Double.self))
    }

    /// Writes a list of the longitude and the latitude.
    ///
    ///     struct Shop: Codable { var place: GeoPoint }
    ///     let shop = Shop(place: GeoPoint(longitude: -71.06, latitude: 42.36))
    ///     try Document(encoding: shop)  // → {"place":[-71.06,42.36]}
    ///
    /// - Parameter encoder: gets a list of two numbers.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.unkeyedContainer()
        try parts.encode(longitude)
        try parts.encode(latitude)
    }
}
