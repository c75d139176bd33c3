import QueryTree
import QueryValues

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif canImport(ucrt)
    import ucrt
#elseif canImport(Darwin)
    import Darwin
#endif

/// The functions of the system's math library, for S17; the only file that imports it for numbers.
enum MathLibrary {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func exponential(_ value: Double) -> Double { exp(value) }
    static func logarithm(_ value: Double) -> Double { log(value) }
    static func commonLogarithm(_ value: Double) -> Double { log10(value) }

    /// Metres along the great circle on a sphere of 6,371,000 m, by the haversine formula.
    static func distance(_ a: GeoPoint, _ b: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let (latitudeA, latitudeB) = (a.latitude * radians, b.latitude * radians)
        let latitudes = sin((latitudeB - latitudeA) / 2)
        let longitudes = sin((b.longitude - a.longitude) * radians / 2)
        let square = latitudes * latitudes + cos(latitudeA) * cos(latitudeB) * longitudes * longitudes
        // Rounding may push the square for opposite points above 1, outside the domain of the arc sine.
        return 2 * GeoPoint.earthRadius * asin(min(1, square.squareRoot()))
    }
}

extension ArithmeticOperator {
    static func power(_ base: QueryValue, _ exponent: QueryValue) -> QueryValue {
        guard let base = base.doubleValue, let exponent = exponent.doubleValue else { return .null }
        return .double(MathLibrary.power(base, exponent))
    }
}
