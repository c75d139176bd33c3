import PredicateQL

/// People from a fixed seed: names in several scripts, tags, an address, orders, a nickname that may be null or absent.
struct People {
    private var state: UInt64 = 20_261_120

    static func documents(_ count: Int) -> [Document] { documents(count) { $0 } }

    /// The results of a closure for each person's document, which is not kept.
    static func documents<Row>(_ count: Int, as make: (Document) -> Row) -> [Row] {
        var people = People()
        return (0..<count).map { make(people.document($0)) }
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    private mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
    private mutating func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
    private mutating func pick(_ words: [String]) -> String { words[below(words.count)] }

    private static let first = words(
        "James Mary Robert Maria Marcus Martin Marta Marco Marina Anders Ingrid Olga Ivan Pedro Lucia José Zoë Björn Åsa"
    )
    private static let last = words(
        "Smith Johnson Williams Brown Jones Garcia Miller Davis Wilson Anderson Jackson Eriksson Jonsson Larson Masons Müller"
    )
    private static let other = ["Мария Иванова", "Ελένη Σοφία", "山田 太郎", "김 민수", "محمد علي", "Ana 👩‍👩‍👧 Lima", "Zed 🇳🇴 Ek"]
    private static let cities = words(
        "Kyoto Lagos Oslo Lima Quito Cairo Delhi Paris Berlin Madrid Zürich København Łódź Reykjavík Malmö Montréal Ashford"
    )
    private static let tags = words("red green blue vip new trial staff beta gold silver eu us apac mobile web push")

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    private mutating func document(_ index: Int) -> Document {
        let name = below(100) < 88 ? pick(Self.first) + " " + pick(Self.last) : pick(Self.other)
        var row: Document = [
            "_id": .int(Int64(index)), "name": .string(name), "age": .int(Int64(below(100))),
            "score": .double(rounded(unit() * 100, 1_000)), "active": .bool(below(10) < 7),
            "city": .string(pick(Self.cities)),
        ]
        switch below(10) {
        case 0..<4: row["nickname"] = .string(name.lowercased())
        case 4..<7: row["nickname"] = .null
        default: break
        }
        row["tags"] = .list((0..<below(6)).map { _ in .string(pick(Self.tags)) })
        let place: Document = [
            "lat": .double(rounded(unit() * 180 - 90, 100_000)), "lon": .double(rounded(unit() * 360 - 180, 100_000)),
        ]
        row["address"] = .object(["zip": .string(String(10_000 + below(90_000))), "geo": .object(place)])
        row["orders"] = .list(
            (0..<below(5)).map { _ in
                .object([
                    "amount": .double(rounded(unit() * unit() * unit() * 1_000, 100)),
                    "qty": .int(Int64(1 + below(19))),
                ])
            }
        )
        return row
    }
}
