import QueryValues

extension GeoPoint {
    /// The radius of the Earth in metres, used for all distances.
    package static let earthRadius = 6_371_000.0

    /// The point that a list of two numbers represents, longitude first; nil for anything else.
    ///
    /// - Parameter value: `[longitude, latitude]` in degrees, within ±180 and ±90.
    package init?(pair value: QueryValue) {
        guard case .list(let parts) = value, parts.count == 2, let longitude = parts[0].doubleValue,
            let latitude = parts[1].doubleValue
        else { return nil }
        self.init(checked: longitude, latitude)
    }

    /// The point that a value represents; nil for anything else.
    ///
    /// - Parameter value: `[longitude, latitude]`, or an object with `lat` and `lon`, or `latitude` and `longitude`.
    package init?(place value: QueryValue) {
        guard case .object(let object) = value else {
            self.init(pair: value)
            return
        }
        guard let longitude = (object["lon"] ?? object["longitude"])?.doubleValue,
            let latitude = (object["lat"] ?? object["latitude"])?.doubleValue
        else { return nil }
        self.init(checked: longitude, latitude)
    }

    private init?(checked longitude: Double, _ latitude: Double) {
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        self.init(longitude: longitude, latitude: latitude)
    }

    /// Metres along the great circle to another point.
    ///
    /// - Parameter other: the other point.
    /// - Returns: metres on a sphere of ``earthRadius``.
    package func distance(to other: GeoPoint) -> Double {
        MathLibrary.distance(self, other)
    }
}

extension GeoShape {
    /// True if the point lies in the shape or on its border.
    ///
    /// A circle is measured along the great circle. A polygon is flat in degrees: its sides are straight lines of
    /// longitude and latitude, and belong to it. It does not cross the 180th meridian.
    ///
    /// O(corners).
    ///
    /// - Parameter place: the point.
    /// - Returns: whether it lies in the shape.
    package func contains(_ place: GeoPoint) -> Bool {
        switch self {
        case .circle(let longitude, let latitude, let radius):
            GeoPoint(longitude: longitude, latitude: latitude).distance(to: place) <= radius
        case .polygon(let corners): Self.polygon(corners, contains: place)
        }
    }

    private static func polygon(_ corners: [GeoPoint], contains place: GeoPoint) -> Bool {
        guard var previous = corners.last else { return false }
        var isInside = false
        for corner in corners {
            if side(previous, corner, holds: place) { return true }
            if (corner.latitude > place.latitude) != (previous.latitude > place.latitude) {
                let share = (place.latitude - corner.latitude) / (previous.latitude - corner.latitude)
                let crossing = corner.longitude + share * (previous.longitude - corner.longitude)
                if place.longitude < crossing { isInside.toggle() }
            }
            previous = corner
        }
        return isInside
    }

    private static func side(_ a: GeoPoint, _ b: GeoPoint, holds place: GeoPoint) -> Bool {
        let cross =
            (b.longitude - a.longitude) * (place.latitude - a.latitude)
            - (b.latitude - a.latitude) * (place.longitude - a.longitude)
        return cross == 0 && min(a.longitude, b.longitude)...max(a.longitude, b.longitude) ~= place.longitude
            && min(a.latitude, b.latitude)...max(a.latitude, b.latitude) ~= place.latitude
    }
}
