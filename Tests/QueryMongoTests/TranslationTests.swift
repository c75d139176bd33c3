import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// The translation table, row by row: a format string and its filter.
@Suite("Translation table")
struct TranslationTests {
    private static let simple: [(String, String)] = [
        ("TRUEPREDICATE", "{}"),
        ("FALSEPREDICATE", #"{"_id":{"$in":[]}}"#),
        ("a == 5", #"{"a":5}"#),
        ("5 == a", #"{"a":5}"#),
        ("5 < a", #"{"a":{"$gt":5}}"#),
        ("a != 5", #"{"a":{"$ne":5}}"#),
        ("a == nil", #"{"a":null}"#),
        ("a <= nil", #"{"a":null}"#),
        ("a < nil", #"{"_id":{"$in":[]}}"#),
        ("a == 1 AND b == 2", #"{"a":1,"b":2}"#),
        ("a > 1 AND a < 5", #"{"a":{"$gt":1,"$lt":5}}"#),
        ("a >= 1 AND (b == 2 AND a <= 5)", #"{"a":{"$gte":1,"$lte":5},"b":2}"#),
        ("a > 1 AND b == 2 AND a > 5", #"{"$and":[{"a":{"$gt":1}},{"a":{"$gt":5}}],"b":2}"#),
        ("a == 1 AND a == 1", #"{"a":1}"#),
        ("a == 1 OR a == 1", #"{"a":1}"#),
        ("a == nil OR a == ''", #"{"a":{"$in":[null,""]}}"#),
        ("a == 1 OR b == 2 OR a IN {3, 1}", #"{"$or":[{"a":{"$in":[1,3]}},{"b":2}]}"#),
        ("a != nil AND a != ''", #"{"a":{"$nin":[null,""]}}"#),
        ("a != 1 AND b == 2 AND NOT a IN {3, 1}", #"{"a":{"$nin":[1,3]},"b":2}"#),
        ("a != 1 AND a > 0 AND a != 2", #"{"a":{"$nin":[1,2],"$gt":0}}"#),
        ("a != 1 AND (b == 2 AND a != 2)", #"{"a":{"$nin":[1,2]},"b":2}"#),
        ("SELF['a'] == 1", #"{"a":1}"#),
        (
            "(a == 1 OR b == 2) AND c > 0 AND (a == 1 OR b == 2) AND (a == 3 OR b == 4)",
            #"{"$and":[{"$or":[{"a":1},{"b":2}]},{"$or":[{"a":3},{"b":4}]}],"c":{"$gt":0}}"#
        ),
        ("NOT (a > 5 OR b == 2)", #"{"a":{"$not":{"$gt":5}},"b":{"$ne":2}}"#),
        (
            #"NOT (s LIKE "x*") AND NOT (a BETWEEN {1, 2})"#,
            #"{"$nor":[{"s":{"$regex":"^x"}},{"a":{"$gte":1,"$lte":2}}]}"#
        ),
        (#"s LIKE "*x?*""#, #"{"s":{"$regex":"x[\\s\\S]"}}"#),
        ("a == 1 AND (b == 2 AND c == 3)", #"{"a":1,"b":2,"c":3}"#),
        ("a == 1 AND (b == 2 OR c == 3)", #"{"a":1,"$or":[{"b":2},{"c":3}]}"#),
        ("NOT a == 5", #"{"a":{"$ne":5}}"#),
        ("NOT a IN {1}", #"{"a":{"$nin":[1]}}"#),
        ("NOT a BETWEEN {1, 9}", #"{"$nor":[{"a":{"$gte":1,"$lte":9}}]}"#),
        ("NOT NOT a == 1", #"{"a":1}"#),
        ("a BETWEEN {1, 9}", #"{"a":{"$gte":1,"$lte":9}}"#),
        ("a BETWEEN {nil, 9}", #"{"_id":{"$in":[]}}"#),
        (#"a IN {1, nil, "x"}"#, #"{"a":{"$in":[1,null,"x"]}}"#),
        ("a IN {}", #"{"_id":{"$in":[]}}"#),
        (#"s BEGINSWITH "B.""#, #"{"s":{"$regex":"^B\\."}}"#),
        (#"s ENDSWITH "n""#, #"{"s":{"$regex":"n(?![\\s\\S])"}}"#),
        (
            #"s CONTAINS "x""#,
            #"{"s":{"$regex":"x"}}"#
        ),
        (#"s ==[c] "ann""#, #"{"s":{"$regex":"^ann(?![\\s\\S])","$options":"i"}}"#),
        (#"s ==[d] "x""#, #"{"s":{"$regex":"^\\p{Mn}*[xẋẍ]\\p{Mn}*(?![\\s\\S])"}}"#),
        (#"s LIKE "a*?""#, #"{"s":{"$regex":"^a[\\s\\S]*[\\s\\S](?![\\s\\S])"}}"#),
        (#"s MATCHES "a|b""#, #"{"s":{"$regex":"^(?:a|b)(?![\\s\\S])"}}"#),
        (#"ANY t == "x""#, #"{"t":"x"}"#),
        (#"ANY o.x > 5"#, #"{"o.x":{"$gt":5}}"#),
        (#"ANY t != "x""#, #"{"t":{"$elemMatch":{"$ne":"x"}}}"#),
        ("ALL t > 5", #"{"$nor":[{"t":{"$elemMatch":{"$not":{"$gt":5}}}}]}"#),
        ("NONE t > 5", #"{"t":{"$not":{"$gt":5}}}"#),
        ("ANY o.x != 5", #"{"o":{"$elemMatch":{"x":{"$ne":5}}}}"#),
        ("5 IN t", #"{"t":5}"#),
        ("t CONTAINS nil", #"{"t":{"$elemMatch":{"$eq":null}}}"#),
        ("t.@count == 0", #"{"t":{"$size":0}}"#),
        ("t.@count > 0", #"{"t.0":{"$exists":true}}"#),
        ("t.@count > 20", #"{"t.20":{"$exists":true}}"#),
        ("t.@count < 3", #"{"t":{"$type":"array"},"t.2":{"$exists":false}}"#),
        ("t.@count BETWEEN {1, 3}", #"{"t.0":{"$exists":true},"t.3":{"$exists":false}}"#),
        ("t.@count != 2", #"{"t":{"$not":{"$size":2}}}"#),
        ("t.@count == 1.5", #"{"_id":{"$in":[]}}"#),
        ("SUBQUERY(o, $x, $x.p > 5 AND $x.q == 1).@count > 0", #"{"o":{"$elemMatch":{"p":{"$gt":5},"q":1}}}"#),
        ("SUBQUERY(t, $x, $x > 5 AND $x < 9).@count > 0", #"{"t":{"$elemMatch":{"$gt":5,"$lt":9}}}"#),
        ("t == {1, 2}", #"{"t":{"$eq":[1,2],"$not":{"$elemMatch":{"$eq":[1,2]}}}}"#),
    ]

    private static let guarded: [(String, String)] = [
        ("a == 5", #"{"a":{"$eq":5,"$not":{"$type":"array"}}}"#),
        ("a != 5", #"{"$nor":[{"a":{"$eq":5,"$not":{"$type":"array"}}}]}"#),
        ("a.b < 5", #"{"a":{"$not":{"$type":"array"}},"a.b":{"$lt":5,"$not":{"$type":"array"}}}"#),
        ("ANY t == 5", #"{"t":5}"#),
        ("a == nil", #"{"a":{"$eq":null,"$not":{"$type":"array"}}}"#),
        ("a > 1 AND a < 5", #"{"a":{"$gt":1,"$not":{"$type":"array"},"$lt":5}}"#),
        ("t.@count > 1", #"{"t":{"$type":"array"},"$nor":[{"t":{"$size":0}},{"t":{"$size":1}}]}"#),
    ]

    private static let kinvey: [(String, String)] = [
        ("a BETWEEN {1, 9}", #"{"$and":[{"a":{"$gte":1}},{"a":{"$lte":9}}]}"#),
        (#"s ENDSWITH "n""#, #"{"s":{"$regex":"^[\\s\\S]*n(?![\\s\\S])"}}"#),
        (#"s ==[c] "an""#, #"{"s":{"$regex":"^[Aa][Nn](?![\\s\\S])"}}"#),
        ("t.@count > 0", #"{"t.0":{"$exists":true}}"#),
        ("NOT a == 5", #"{"a":{"$not":{"$eq":5}}}"#),
    ]

    @Test("every row")
    func rows() throws {
        for (rows, profile, isGuarded) in [
            (Self.simple, MongoProfile.mongoDB, false), (Self.guarded, .mongoDB, true), (Self.kinvey, .kinvey, false),
        ] {
            for (format, expected) in rows {
                let mongo = try Query(parsing: format).mongo(profile, guarded: isGuarded)
                #expect(QueryValue.object(mongo.filter).json == expected, "\(format)")
                if isGuarded { #expect(mongo.assumptions.isEmpty, "\(format)") }
            }
        }
    }

    @Test("a schema decides what would be assumed")
    func schema() throws {
        let schema = Schema([
            .field("age", .int), .field("tags", .list(.string)), .field("when", .date(.epochMilliseconds)),
            .field("kids", .list(.object(Schema([.field("age", .int, storedAs: "a")]))), storedAs: "k"),
            .field("spent", .int, isOptional: false), .field("budget", .int, isOptional: false),
        ])
        let rows: [(String, String)] = [
            ("age == 5", #"{"age":5}"#),
            (#"tags CONTAINS "x""#, #"{"tags":"x"}"#),
            (#"ALL tags == "x""#, #"{"$nor":[{"tags":{"$elemMatch":{"$ne":"x"}}}]}"#),
            ("ANY kids.age != 5", #"{"k":{"$elemMatch":{"a":{"$ne":5}}}}"#),
            ("tags == nil", #"{"tags":{"$eq":null,"$not":{"$type":"array"}}}"#),
            (#"when > "1970-01-01T00:00:01Z""#, #"{"when":{"$gt":1000}}"#),
            ("spent > budget", #"{"$expr":{"$gt":["$spent","$budget"]}}"#),
            ("spent == budget", #"{"$expr":{"$eq":["$spent","$budget"]}}"#),
            ("spent < age", #"{"$expr":{"$lt":["$spent","$age"]}}"#),
            ("spent > age", #"{"$expr":{"$and":[{"$gt":["$age",null]},{"$gt":["$spent","$age"]}]}}"#),
            ("kids.@sum.age > 9", #"{"$expr":{"$gt":[{"$sum":"$k.a"},9]}}"#),
            ("kids.@max.age > 9", #"{"$expr":{"$gt":[{"$max":"$k.a"},9]}}"#),
            ("modulus:by:(age, 2) == 0", #"{"age":{"$mod":[2,0]}}"#),
            ("modulus:by:(age, 2) != 0", #"{"age":{"$not":{"$mod":[2,0]}}}"#),
            ("tags.@count > 2", #"{"tags.2":{"$exists":true}}"#),
        ]
        for (format, expected) in rows {
            let mongo = try Query(parsing: format, schema: schema).mongo()
            #expect(QueryValue.object(mongo.filter).json == expected, "\(format)")
            #expect(mongo.assumptions.isEmpty, "\(format)")
            #expect(try Query(parsing: format, schema: schema).mongo(guarded: true) == mongo, "\(format)")
        }
    }

    @Test("assumptions are sorted and unique")
    func assumptions() throws {
        let query = try Query(format: "b == 1 AND a == 1 AND a < 9 AND ANY t != 1 AND ANY o.x != 1", order: ["z"])
        let lists: [Assumption] = [.list("o"), .list("t"), .objects("o")]
        #expect(
            try query.mongo().assumptions == lists + [.single("a"), .single("b"), .single("o.x"), .single("z")]
        )
        // The price of each item, and the price of no item.
        let both = try Query(format: "ANY items.price != 1 AND items.price == 2").mongo().assumptions
        #expect(both == [.list("items"), .objects("items"), .single("items"), .single("items.price")])
        let dated = try Query(format: "d == CAST(1000, 'NSDate')").mongo(.kinvey)
        #expect(dated.assumptions == [.date("d", .iso8601Milliseconds), .single("d")])
        // A date that is kept as text is no part of a text.
        let day = "CAST('2020-01-01', 'NSDate')"
        for text in ["d CONTAINS \(day)", "\(day) IN d"] {
            let kept = try Query(parsing: text).mongo(.kinvey).assumptions
            #expect(kept == [.date("d", .iso8601Milliseconds), .list("d")], "\(text)")
            #expect(try Query(parsing: text).mongo().assumptions == [.date("d", .native)], "\(text)")
        }
        // Mongo orders UUIDs among all bytes; what is written has a second bound for that.
        let uuid = #"{"$uuid":"00000000-0000-0000-0000-000000000001"}"#
        #expect(try MongoReading(of: #"{"u":{"$lt":\#(uuid)}}"#).assumptions == [.kind("u", .uuid)])
        let written = try Query(format: "u < CAST('00000000-0000-0000-0000-000000000001', 'NSUUID')").mongo().filter
        #expect(try MongoReading(of: QueryValue.object(written).json).assumptions.isEmpty)
    }

    @Test("nil meanings")
    func nilMeanings() throws {
        let rows: [(NilMeaning, String, String)] = [
            (.absent, "x == nil", #"{"x":{"$exists":false}}"#),
            (.null, "x == nil", #"{"x":{"$type":10}}"#),
            (.absent, "x IN {nil, 1}", #"{"$or":[{"x":{"$exists":false}},{"x":{"$in":[1]}}]}"#),
        ]
        for (meaning, format, expected) in rows {
            let filter = try Query(parsing: format, nilMeaning: meaning).mongo().filter
            #expect(QueryValue.object(filter).json == expected, "\(meaning) \(format)")
        }
    }

    @Test("dates, large ints and now")
    func values() throws {
        let query = try Query(format: "a == 9007199254740993 AND d < now()")
        #expect(
            try query.mongo(now: 0).json
                == #"{"filter":{"a":{"$numberLong":"9007199254740993"},"#
                + #""d":{"$lt":{"$date":"1970-01-01T00:00:00.000Z"}}}}"#
        )
    }
}
