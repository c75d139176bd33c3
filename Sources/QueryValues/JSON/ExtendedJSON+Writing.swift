#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The keys come from `ExtendedKind`, so that reader and writer cannot drift apart.
extension JSONWriter {
    /// The dates that relaxed Extended JSON writes as text: the years 1970 to 9999.
    private static let textDates: ClosedRange<Int64> = 0...253_402_300_799_999
    /// From here on a double cannot represent every int.
    private static let exactInDouble: UInt64 = 1 << 53

    func write(int value: Int64, to out: inout [UInt8]) {
        switch style {
        case .canonical:
            wrap(Int32(exactly: value) == nil ? .long : .int, to: &out) { Self.digits(value, to: &$0) }
        case .relaxed where largeIntegersAsNumberLong && value.magnitude > Self.exactInDouble:
            wrap(.long, to: &out) { Self.digits(value, to: &$0) }
        case .relaxed:
            Self.digits(value, to: &out)
        }
    }

    private static func digits(_ value: Int64, to out: inout [UInt8]) {
        guard value.magnitude >= 10 else {
            if value < 0 { out.append(UInt8(ascii: "-")) }
            out.append(UInt8(ascii: "0") + UInt8(value.magnitude))
            return
        }
        out.append(contentsOf: String(value).utf8)
    }

    /// The shortest text that reads back as the same double; Swift's always contains a `.` or an `e`.
    func write(double value: Double, to out: inout [UInt8]) {
        guard value.isFinite else {
            let name: StaticString = value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
            return wrap(.double, to: &out) { Self.write(name, to: &$0) }
        }
        switch style {
        case .canonical: wrap(.double, to: &out) { $0.append(contentsOf: value.description.utf8) }
        case .relaxed: out.append(contentsOf: value.description.utf8)
        }
    }

    func write(date value: Int64, to out: inout [UInt8]) {
        guard style == .canonical || !Self.textDates.contains(value) else {
            return wrap(.date, to: &out) {
                DateText.append(value, separator: UInt8(ascii: "T"), zone: true, to: &$0)
            }
        }
        open(.date, to: &out)
        wrap(.long, to: &out) { Self.digits(value, to: &$0) }
        out.append(UInt8(ascii: "}"))
    }

    func write(uuid value: UUID, to out: inout [UInt8]) {
        wrap(.uuid, to: &out) { $0.append(contentsOf: value.uuidString.lowercased().utf8) }
    }

    func write(data value: [UInt8], to out: inout [UInt8]) {
        open(.binary, to: &out)
        Self.write(isPretty ? "{\"base64\": \"" : "{\"base64\":\"", to: &out)
        Base64.encode(value, to: &out)
        Self.write(isPretty ? "\", \"subType\": \"00\"}}" : "\",\"subType\":\"00\"}}", to: &out)
    }

    /// Writes `{"$kind":"…"}`.
    private func wrap(_ kind: ExtendedKind, to out: inout [UInt8], _ content: (inout [UInt8]) -> Void) {
        open(kind, to: &out)
        out.append(UInt8(ascii: "\""))
        content(&out)
        out.append(UInt8(ascii: "\""))
        out.append(UInt8(ascii: "}"))
    }

    private func open(_ kind: ExtendedKind, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "{"))
        Self.write(string: kind.rawValue, to: &out)
        out.append(UInt8(ascii: ":"))
        if isPretty { out.append(UInt8(ascii: " ")) }
    }
}

extension GeoShape {
    /// The object that represents the shape.
    var extended: QueryValue {
        switch self {
        case .circle(let longitude, let latitude, let radius):
            let content: Document = [
                "center": .list([.double(longitude), .double(latitude)]), "radius": .double(radius),
            ]
            return .object(Document(pairs: [(ExtendedKind.circle.rawValue, .object(content))]))
        case .polygon(let corners):
            let points = corners.map { QueryValue.list([.double($0.longitude), .double($0.latitude)]) }
            return .object(Document(pairs: [(ExtendedKind.polygon.rawValue, .list(points))]))
        }
    }
}
