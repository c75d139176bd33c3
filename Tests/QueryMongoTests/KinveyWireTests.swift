import Foundation
import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// The wire cases of `Tests/Data/kinvey.json`: the SDK's correct requests, or the intended ones.
@Suite("Kinvey wire cases")
struct KinveyWireTests {
    private struct Wire {
        var what: String
        var input: String
        var sent: QueryValue?
        var want: String?
    }

    private static func cases() throws -> [Wire] {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/kinvey.json")
        guard case .object(let file) = try QueryValue(json: String(contentsOf: url, encoding: .utf8)),
            case .list(let cases)? = file["wire"]
        else { return [] }
        return cases.compactMap { value in
            guard case .object(let object) = value, case .string(let what)? = object["what"] else { return nil }
            var wire = Wire(what: what, input: "", sent: object["sent"], want: nil)
            if case .string(let input)? = object["input"] { wire.input = input }
            if case .string(let want)? = object["want"] { wire.want = want }
            return wire
        }
    }

    private static let event = Schema([
        .field("publishDate", .date(.iso8601), storedAs: "date"), .field("name", .string),
        .field("entityId", .string, storedAs: "_id"),
    ])

    /// The request of each case, by its input.
    private static func requests() throws -> [String: RESTRequest] {
        let order = try Query(format: "lastName == 'Barros'", order: [.descending("age")], skip: 2, limit: 5)
        return try [
            "sort ascending(age), descending(name)": Query(order: [.ascending("age"), .descending("name")]).rest(),
            "sort descending(name), ascending(age)": Query(order: [.descending("name"), .ascending("age")]).rest(),
            "sort ascending(publishDate)": Query(order: [.ascending("publishDate")], schema: event).rest(),
            "order of parameters predicate, sort, skip 2, limit 5": order.rest(),
            "skip and limit skip 100, limit 300": Query(skip: 100, limit: 300).rest(),
            "fields {name, address}": Query(fields: ["name", "address"]).rest(),
            "no predicate find": Query().rest(),
            "no predicate remove": Query().rest(.kinvey, .removalOfAll),
            "plus sign language == 'C++'": Query(format: "language == 'C++'").rest(),
            "plus and ampersand name == 'R&D C++'": Query(format: "name == 'R&D C++'").rest(),
            "delta set since date d": Query(format: "a == 1").rest(.kinvey, .changes(since: 0)),
            "count query": Query(format: "a == 1", order: ["a"], skip: 1, limit: 2).rest(.kinvey, .count),
            "group count by name ": group(.count), "group sum age ": group(.sum("age"), "age > 18"),
            "group avg age ": group(.average("age")), "group min age ": group(.min("age")),
            "group max age ": group(.max("age")),
        ]
    }

    private static func group(_ reducer: Reducer, _ format: String = "TRUEPREDICATE") throws -> RESTRequest {
        try Query(parsing: format).grouped(by: "name", computing: [reducer]).rest()
    }

    @Test("every case holds")
    func wire() throws {
        let requests = try Self.requests()
        let cases = try Self.cases()
        #expect(cases.count == requests.count)
        for wire in cases {
            let name = wire.what + " " + wire.input
            guard let request = requests[name] else {
                Issue.record("\(name) has no request")
                continue
            }
            try check(wire, request, name)
        }
    }

    private func check(_ wire: Wire, _ request: RESTRequest, _ name: String) throws {
        let plain = request.items.map { $0.name + "=" + $0.value }.joined(separator: "&")
        if case .object(let sent)? = wire.sent {
            guard let body = request.body, case .object(let initial)? = body["initial"] else {
                Issue.record("\(name) has no body")
                return
            }
            #expect(body["key"] == .object(["name": true]), "\(name)")
            #expect(body["condition"] == sent["condition"], "\(name)")
            #expect(!initial.values.contains { if case .string = $0 { true } else { false } }, "\(name)")
            return
        }
        guard case .string(let sent)? = wire.sent else { return }
        switch wire.what {
        case "sort": #expect(plain == wanted(wire) ?? sent, "\(name)")
        case "fields": #expect(plain == "fields=name,address")
        case "no predicate" where wire.input == "find": #expect(request.items.isEmpty)
        case "plus sign": #expect(request.query == sent)
        // The SDK's request breaks at the ampersand.
        case "plus and ampersand": #expect(request.query == "query=%7B%22name%22:%22R%26D%20C%2B%2B%22%7D")
        case "delta set":
            #expect(request.url(of: "c") == "c/_deltaset?since=1970-01-01T00:00:00.000Z&query=%7B%22a%22:1%7D")
        case "count":
            #expect(request.path == "_count")
            #expect(plain == #"query={"a":1}&sort={"a":1,"_id":1}&skip=1&limit=2"#)
        case "order of parameters":
            // A page's order ends in `_id`.
            #expect(plain == sent.replacing(#""age":-1}"#, with: #""age":-1,"_id":-1}"#))
        default: #expect(plain == sent, "\(name)")
        }
    }

    private func wanted(_ wire: Wire) -> String? { wire.want?.split(separator: " ").first.map(String.init) }

    @Test("places in a circle or polygon: the filter and memory agree")
    func places() throws {
        let shapes: [GeoShape] = [
            .circle(longitude: -71.06, latitude: 42.36, radius: 150_000),
            .circle(longitude: 179.9, latitude: 0, radius: 50_000),
            .circle(longitude: 0, latitude: 89.9, radius: 20_000),
            .polygon([
                GeoPoint(longitude: 0, latitude: 0), GeoPoint(longitude: 10, latitude: 0),
                GeoPoint(longitude: 0, latitude: 10),
            ]),
        ]
        var found = 0
        for shape in shapes {
            let query = try Query(format: "geoWithin(_geoloc, %@)", arguments: [.shape(shape)])
            let filter = try query.mongo(.kinvey).filter
            #expect(try Query(format: "_geoloc == %@", arguments: [.shape(shape)]).mongo(.kinvey).filter == filter)
            let read = try Query(mongo: QueryValue.object(filter).json)
            for (longitude, latitude) in [
                (-71.0, 42.3), (-73.0, 42.0), (-69.5, 42.3), (-179.8, 0.1), (179.5, 0), (0, 89.99), (180, 89.95),
                (1, 1),
                (5, 5), (6, 6), (0, 3), (-1, -1), (9, 1),
            ] {
                let row: Document = ["_geoloc": [.double(longitude), .double(latitude)]]
                let isInside = try query.matches(row)
                found += isInside ? 1 : 0
                #expect(try read.matches(row) == isInside, "\(row)")
                #expect(inside(shape, longitude, latitude) == isInside, "\(shape) \(longitude) \(latitude)")
            }
        }
        #expect(found > 8)
    }

    @Test("a box is the polygon of its corners, whichever way they face")
    func boxes() throws {
        for corners in ["[[-72,41],[-70,43]]", "[[-70,43],[-72,41]]", "[[-72,43],[-70,41]]"] {
            let query = try Query(mongo: #"{"p":{"$geoWithin":{"$box":\#(corners)}}}"#)
            let places = [(-71.0, 42.0), (-72, 41), (-70, 43), (-70, 42), (-73, 42), (-71, 43.1), (-69.9, 41)]
            let found = try places.map { try query.matches(["p": [.double($0.0), .double($0.1)]]) }
            #expect(found == [true, true, true, true, false, false, false], "\(corners)")
            #expect(try Query(mongo: query.mongo()).condition == query.condition)
        }
        let flat = try Query(mongo: #"{"p":{"$geoWithin":{"$box":[[1,2],[1,2]]}}}"#)
        #expect(try flat.matches(["p": [1, 2]]) && !flat.matches(["p": [1, 2.5]]))
    }

    /// The law of cosines for circles; the sides of the triangle.
    private func inside(_ shape: GeoShape, _ longitude: Double, _ latitude: Double) -> Bool {
        switch shape {
        case .polygon: return longitude >= 0 && latitude >= 0 && longitude + latitude <= 10
        case .circle(let x, let y, let radius):
            let degree = Double.pi / 180
            let cosine =
                sin(y * degree) * sin(latitude * degree)
                + cos(y * degree) * cos(latitude * degree) * cos((longitude - x) * degree)
            return acos(min(1, cosine)) * 6_371_000 <= radius
        }
    }
}
