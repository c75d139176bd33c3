import PredicateQL
import Testing

/// Valid places on the globe, at its edges and beyond.
@Suite struct GeoTests {
    @Test func edgesOfTheGlobe() throws {
        let query = try Query(
            format: "distanceToLocation:fromLocation:(h, %@) >= 0",
            arguments: [.object(["lat": 0, "lon": 0])]
        )
        let places: [(longitude: Double, latitude: Double, isPlace: Bool)] = [
            (180, 0, true), (-180, 0, true), (180.5, 0, false), (-181, 0, false), (0, 90, true), (0, -90, true),
            (0, 90.5, false), (0, -91, false), (180, 90, true),
        ]
        for (longitude, latitude, isPlace) in places {
            let row: Document = ["h": [.double(longitude), .double(latitude)]]
            let holds = try query.matches(row)
            #expect(holds == isPlace, "\(longitude), \(latitude)")
        }
    }
}
