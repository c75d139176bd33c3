import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import Testing

/// What SQL cannot express is computed by the library's own functions, with memory's answer to the last bit.
@Suite struct CalledFunctionTests {
    private static let rows: [Document] = [
        ["_id": 1, "s": "Straße", "v": [1, 2.5, 2.5, "a"], "place": [13.4, 52.5], "c": "12"],
        [
            "_id": 2, "s": "İstanbul ΑΣ", "v": [[2, 1], [1], [1, 0], .object(["a": 1])],
            "place": .object(["lat": 48.8, "lon": 2.3]),
            "c": 7,
        ],
        ["_id": 3, "s": nil, "v": [], "place": "nowhere", "c": 0.5], ["_id": 4, "v": 3, "place": [999, 0], "c": true],
        [
            "_id": 5, "s": 5, "v": [nil, .object(["b": 2, "a": 1]), .object(["a": 1, "b": 1])],
            "c": "2016-11-14T10:05:55.787Z",
        ],
    ]

    private static let queries: [(text: String, arguments: [QueryValue])] = [
        ("uppercase(s) == 'STRASSE'", []), ("lowercase(s) CONTAINS 'ας'", []), ("lowercase(s) != 'straße'", []),
        ("uppercase(s) == nil", []), ("2.5 IN mode(v)", []), ("ANY mode(v) == 'a'", []), ("mode(v) == %@", [[]]),
        ("stddev(v) > 0.7", []), ("stddev(v) == nil", []), ("v.@max == %@", [[2, 1]]),
        ("v.@min == %@", [.object(["a": 1])]),
        ("v.@max == %@", [.object(["b": 2, "a": 1])]), ("max(v) == v.@max", []), ("v.@min == v.@max", []),
        ("distanceToLocation:fromLocation:(place, %@) < 900000", [[13.4, 52.5]]),
        ("distanceToLocation:fromLocation:(place, %@) == 0", [[13.4, 52.5]]),
        ("geoWithin(place, %@)", [.shape(.circle(longitude: 13, latitude: 52, radius: 100_000))]),
        ("NOT geoWithin(place, %@)", [.shape(.circle(longitude: 2, latitude: 49, radius: 100_000))]),
        ("CAST(c, 'NSNumber') == 12", []), ("CAST(c, 'NSString') == '0.5'", []), ("CAST(c, 'NSString') == 'TRUE'", []),
        ("CAST(c, 'NSDate') == CAST('2016-11-14T10:05:55.787Z', 'NSDate')", []), ("CAST(c, 'NSDecimalNumber') > 6", []),
        ("CAST(c, 'NSNumber') + 1 == 8", []), ("CAST(s, 'NSUUID') == nil", []),
    ]

    @Test func documentsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        for (text, arguments) in Self.queries {
            let query = try Query(parsing: text, arguments: arguments)
            let found = try query.rows(in: database, from: SQLTable("docs", storage: .document()))
            #expect(found == (try query.results(in: Self.rows)), "\(text)")
        }
    }

    @Test func columnsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (_id INTEGER, s TEXT, v JSON, place JSON, c JSON)")
        for row in Self.rows {
            let values = ["_id", "s", "v", "place", "c"].map { key -> QueryValue in
                guard let value = row[key] else { return .null }
                switch key {
                case "_id": return value
                case "s": if case .string = value { return value } else { return .null }
                // A space keeps the column from converting the text to a number.
                default: return .string(" " + JSONWriter().text(value))
                }
            }
            _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
        }
        let rows = try Query().rows(in: database, from: "t")
        for (text, arguments) in Self.queries {
            let query = try Query(parsing: text, arguments: arguments)
            #expect(try query.rows(in: database, from: "t") == (try query.results(in: rows)), "\(text)")
        }
    }

    @Test func anotherStoreRefuses() throws {
        var dialect = SQLDialect.sqlite
        dialect.callFunction = nil
        dialect.overFunction = nil
        for text in ["uppercase(s) == 'A'", "stddev(v) > 1", "v.@max == {1}"] {
            let query = try Query(parsing: text)
            #expect { try query.sql(dialect, from: SQLTable("t", storage: .document())) } throws: { error in
                (error as? QueryError)?.code == .unsupported
            }
        }
        let plain = try Query(format: "v.@max > 3").sql(dialect, from: SQLTable("t", storage: .document()))
        #expect(plain.functions.isEmpty)
    }

    @Test func onlyFunctionsThatAreCalledAreListed() throws {
        for (text, functions) in [
            ("s MATCHES[c] 'a'", ["pred_match"]), ("s BEGINSWITH[c] 'a' OR TRUEPREDICATE", []),
            ("lowercase(s) == 1 OR s BEGINSWITH[c] 'a'", ["fold"]),
        ] {
            #expect(try Query(parsing: text).sql(from: "t").functions.map(\.name) == functions, "\(text)")
        }
    }
}
