import QueryMeaning
import QueryMongo
import QueryTree
import QueryValues

/// The point from which results are sorted by distance.
package struct NearestPlace: Hashable, Sendable {
    /// The field with the places, by its property names.
    package var path: FieldPath
    /// Distances are from here, along the great circle.
    package var center: GeoPoint
    /// True if the condition has a `$maxDistance`.
    var isBounded: Bool
}

extension FilterReader {
    /// `{"f": {"$geoWithin": {"$centerSphere": …}}}`, `$polygon` and `$box`.
    func within(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> Condition {
        _ = try node.object("$geoWithin's operand")
        guard let member = node.members.first, node.members.count == 1 else {
            throw node.wrong("$geoWithin takes one shape")
        }
        let shape: GeoShape
        switch member.key {
        case "$centerSphere": shape = try circle(member.node)
        case "$polygon": shape = try polygon(member.node)
        case "$box": shape = try box(member.node)
        case "$geometry", "$center":
            throw member.node.unsupported(
                "a query has no such shape",
                hint: "write $centerSphere, $polygon or $box"
            )
        default:
            throw member.node.error(.unknownOperator, "unknown shape", hint: "known: $centerSphere $polygon $box")
        }
        let place = Term.value(.shape(shape), member.node.origin)
        reading.notePlaces(field.pathText)
        return .comparison(Comparison(term(field), .geoWithin, place, origin: node.origin))
    }

    /// `{"f": {"$nearSphere": [lon, lat], "$maxDistance": d}}`, or `$near` and `$nearSphere` of a GeoJSON point, whose
    /// distances are metres: the places within them; the reading has the order.
    func near(
        _ field: MongoField,
        _ operation: MongoOperator,
        _ node: MongoNode,
        in operators: MongoNode
    ) throws(QueryError) -> Condition {
        guard isConjunct, subject == nil, element == nil else {
            throw node.unsupported(
                "it sorts all results by distance, so all must meet it",
                hint: "write $geoWithin with $centerSphere"
            )
        }
        let center: GeoPoint
        let (bounds, metres): (MongoNode, Double)
        if let geometry = node.member("$geometry") {
            guard geometry.member("type")?.value == .string("Point"), let pair = geometry.member("coordinates") else {
                throw geometry.wrong("a place to be near to is a GeoJSON Point")
            }
            let known = ["$geometry", "$maxDistance", "$minDistance"]
            if let other = node.members.first(where: { !known.contains($0.key) }) {
                throw other.node.wrong("$geometry takes $maxDistance and $minDistance next to it")
            }
            (center, bounds, metres) = (try point(pair), node, 1)
        } else if operation == .near {
            throw node.unsupported(
                "of a pair, $near measures in degrees of a flat map",
                hint: "write $nearSphere, or $near with $geometry"
            )
        } else {
            (center, bounds, metres) = (try point(node), operators, reading.metresOfDistance)
        }
        let most = try distance(bounds.member("$maxDistance"), metres)
        let least = try distance(bounds.member("$minDistance"), metres)
        reading.notePlaces(field.pathText)
        try reading.noteNearest(
            NearestPlace(path: FieldPath(keys: field.path), center: center, isBounded: most != nil),
            node
        )
        func circle(_ radius: Double) -> Condition {
            let shape = GeoShape.circle(longitude: center.longitude, latitude: center.latitude, radius: radius)
            let place = Term.value(.shape(shape), node.origin)
            return .comparison(Comparison(term(field), .geoWithin, place, origin: node.origin))
        }
        let within = circle(most ?? Self.anyDistance)
        guard let least, least > 0 else { return within }
        return .and([within, .not(circle(least.nextDown))])
    }

    /// More than half way round the Earth, in metres.
    private static let anyDistance = 20_100_000.0

    private func distance(_ node: MongoNode?, _ metres: Double) throws(QueryError) -> Double? {
        guard let node else { return nil }
        guard let distance = try node.extended().value.doubleValue, distance >= 0, (distance * metres).isFinite else {
            throw node.wrong("a distance must be a number that is not negative")
        }
        return distance * metres
    }

    private func circle(_ node: MongoNode) throws(QueryError) -> GeoShape {
        let parts = try node.list("$centerSphere's operand")
        guard parts.count == 2 else { throw node.wrong("$centerSphere takes a centre and a radius") }
        let center = try point(parts[0])
        guard let radius = try parts[1].extended().value.doubleValue, radius >= 0, radius.isFinite,
            let metres = GeoShape.metres(ofRadians: radius)
        else { throw parts[1].wrong("the radius must be a number that is not negative, in radians") }
        return .circle(longitude: center.longitude, latitude: center.latitude, radius: metres)
    }

    private func polygon(_ node: MongoNode) throws(QueryError) -> GeoShape {
        let elements = try node.list("$polygon's operand")
        guard elements.count >= 3 else { throw node.wrong("a polygon has at least three corners") }
        guard elements.count <= reading.limits.listElements else { throw node.error(.limit, "too many corners") }
        var corners: [GeoPoint] = []
        for element in elements { corners.append(try point(element)) }
        return .polygon(corners)
    }

    /// Two opposite corners; flat, as a polygon is.
    private func box(_ node: MongoNode) throws(QueryError) -> GeoShape {
        let corners = try node.list("$box's operand")
        guard corners.count == 2 else { throw node.wrong("$box takes two corners") }
        let (a, b) = (try point(corners[0]), try point(corners[1]))
        return .polygon([
            a, GeoPoint(longitude: b.longitude, latitude: a.latitude), b,
            GeoPoint(longitude: a.longitude, latitude: b.latitude),
        ])
    }

    private func point(_ node: MongoNode) throws(QueryError) -> GeoPoint {
        guard let point = GeoPoint(pair: try node.extended().value) else {
            throw node.wrong("a place must be [longitude, latitude] in degrees")
        }
        return point
    }
}
