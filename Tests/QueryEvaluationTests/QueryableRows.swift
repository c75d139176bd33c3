import Foundation
import PredicateQL

// Rows with every kind of field, for the tests of the engine over lanes.

struct Order: Queryable {
    var amount: Double
    var qty: Int
    var note: String?
    var paid: Bool

    static let fields: FieldTable<Order> = ["amount": \.amount, "qty": \.qty, "note": \.note, "paid": \.paid]
}

struct Place: Queryable {
    var lat: Double
    var lon: Float
    var zip: String

    static let fields: FieldTable<Place> = ["lat": \.lat, "lon": \.lon, "zip": \.zip]
}

enum Color: String, FieldValue {
    case red, green
}

struct Sample: Queryable {
    var name: String
    var nick: String?
    var age: Int
    var small: Int8
    var short: UInt16?
    var word: Int32?
    var big: UInt64
    var wide: Int64?
    var byte: UInt8
    var score: Double
    var rate: Double?
    var weight: Float?
    var active: Bool
    var maybe: Bool?
    var born: Date
    var died: Date?
    var id: UUID
    var tags: [String]
    var marks: [Int?]
    var levels: [Double]?
    var orders: [Order]
    var place: Place
    var home: Place?
    var color: Color
    var price: Decimal

    /// A computed property, read through an accessor.
    var initials: String { String(name.prefix(2)) }
    var doubled: Int? { (0...50).contains(age) ? age * 2 : nil }

    static let fields = FieldTable<Sample>(
        [
            ("name", \.name), ("nick", \.nick), ("age", \.age), ("small", \.small), ("short", \.short),
            ("word", \.word), ("big", \.big), ("wide", \.wide), ("byte", \.byte), ("score", \.score), ("rate", \.rate),
            ("weight", \.weight), ("active", \.active), ("maybe", \.maybe), ("born", \.born), ("died", \.died),
            ("id", \.id), ("tags", \.tags), ("marks", \.marks), ("levels", \.levels), ("orders", \.orders),
            ("place", \.place), ("home", \.home), ("color", \.color), ("price", \.price), ("initials", \.initials),
            ("doubled", \.doubled),
        ],
        storedNames: ["age": "years"]
    )

    static func samples(_ count: Int) -> [Sample] {
        var random = RandomNumbers(seed: 7)
        return (0..<count).map { Sample($0, &random) }
    }
}

extension Sample {
    private static let texts = [
        "", "a", "Mar", "Maria Larson", "MARIA LARSON", "Mårta Søn", "e\u{301}", "\u{E9}", "fifteen bytes..",
        "sixteen bytes....",
        "Mason", "Marcus Johnson the second of his name", "ﬁ", "straße", "\u{212A}yoto", "Kyoto", "kyoto", "KYOTO",
        "Mary*n",
        "line\nbreak", "a\u{0}b", "日本語のとても長い文字列です",
    ]

    private init(_ index: Int, _ random: inout RandomNumbers) {
        func below(_ bound: Int) -> Int { Int(random.next(below: Int64(bound))) }
        func text() -> String { Self.texts[below(Self.texts.count)] }
        func maybe<Value>(_ value: Value) -> Value? { below(3) == 0 ? nil : value }
        let doubles = [0, -0.0, 1.5, -2.25, 41.999, 42, 1e300, -.infinity, .infinity, .nan, 0.1, 9_007_199_254_740_992]
        func double() -> Double { doubles[below(doubles.count)] }
        name = text()
        nick = maybe(text())
        age = [0, 1, 30, 42, 43, 99, -7, .max, .min, 9_007_199_254_740_993][below(10)]
        small = Int8(below(256) - 128)
        short = maybe(UInt16(below(65_536)))
        word = maybe(Int32(below(10)) - 5)
        big = [0, 5, .max, 1 << 63, 1 << 62][below(5)]
        wide = maybe(Int64(below(7)) - 3)
        byte = UInt8(below(256))
        score = double()
        rate = maybe(double())
        weight = maybe(Float(below(9)) / 2)
        active = below(2) == 0
        self.maybe = maybe(below(2) == 0)
        born = Date(timeIntervalSince1970: Double(below(4)) * 1_000.5)
        died = maybe(Date(timeIntervalSince1970: Double(below(4)) * 1_000.787))
        id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(below(3))))
        tags = (0..<below(4)).map { _ in text() }
        marks = (0..<below(4)).map { _ in maybe(below(4)) }
        levels = maybe((0..<below(4)).map { _ in double() })
        orders = (0..<below(5)).map { _ in
            Order(amount: Double(below(500)) / 2, qty: below(10), note: maybe(text()), paid: below(2) == 0)
        }
        place = Place(lat: Double(below(180) - 90), lon: Float(below(9)), zip: String(below(100)))
        home = maybe(Place(lat: Double(below(180) - 90), lon: Float(below(9)), zip: String(below(100))))
        color = below(2) == 0 ? .red : .green
        price = Decimal(below(100)) / 4
    }
}

/// A class, whose properties are read through accessors.
final class Box: Queryable {
    let label: String
    let size: Int?

    init(_ label: String, _ size: Int?) {
        self.label = label
        self.size = size
    }

    static let fields: FieldTable<Box> = ["label": \.label, "size": \.size]
}
