import PredicateQL
import QueryTree
import SpecSupport
import Testing

/// Typical find filters as queries.
@Suite("Reading Mongo filters")
struct ReaderTests {
    /// A path is assumed to hold single values unless stated otherwise.
    private static let simple: [(String, String)] = [
        ("{}", "TRUEPREDICATE"),
        (#"{"_id":{"$in":[]}}"#, "FALSEPREDICATE"),
        (#"{"age":{"$gt":21}}"#, "age > 21"),
        (#"{"age":5}"#, "age == 5"),
        (#"{"age":{"$eq":5}}"#, "age == 5"),
        (#"{"age":{"$ne":5}}"#, "age != 5"),
        (#"{"age":{"$gte":1,"$lt":5}}"#, "age >= 1 AND age < 5"),
        (#"{"age":{"$gte":1,"$lte":5}}"#, "age BETWEEN {1, 5}"),
        (#"{"age":{"$not":{"$gt":5}}}"#, "NOT age > 5"),
        (#"{"a":{"$in":[1,2]},"b":{"$nin":["x"]}}"#, #"a IN {1, 2} AND NOT b IN {"x"}"#),
        (#"{"$or":[{"a":1},{"b":{"$lte":2}}]}"#, "a == 1 OR b <= 2"),
        (#"{"$nor":[{"a":1},{"b":2}]}"#, "NOT (a == 1 OR b == 2)"),
        (#"{"$and":[{"a":1}]}"#, "a == 1"),
        (#"{"a":1,"$or":[{"b":2},{"c":3}]}"#, "a == 1 AND (b == 2 OR c == 3)"),
        (#"{"a":null}"#, "a == nil"),
        (#"{"a":{"$gte":null}}"#, "a == nil"),
        (#"{"a":{"$gt":null}}"#, "FALSEPREDICATE"),
        (#"{"a":{"$exists":false}}"#, "a == nil"),
        (#"{"a":{"$exists":true}}"#, "a != nil"),
        (#"{"a":{"$type":10}}"#, "a == nil"),
        (#"{"a":{"$exists":true},"b":null}"#, "a != nil AND b <= nil"),
        (#"{"a":{"$exists":true,"$type":"null"}}"#, "a != nil AND (a <= nil AND a != nil)"),
        (#"{"a.b":{"$gt":1}}"#, "a.b > 1"),
        // The row is not a list, so a first name is a key.
        (#"{"0":{"$gt":1}}"#, #"\u0030 > 1"#),
        (#"{"0.b":{"$gt":1}}"#, #"\u0030.b > 1"#),
        (#"{"a":{"$not":{"$type":"array"}},"a.0":1}"#, #"a.\u0030 == 1 AND a.@count == nil"#),
        (#"{"s":{"$regex":"^Jo"}}"#, #"s BEGINSWITH "Jo""#),
        (#"{"s":{"$regex":"son"}}"#, #"s CONTAINS "son""#),
        (#"{"s":{"$regex":"son","$options":"i"}}"#, #"s CONTAINS[c] "son""#),
        (#"{"s":{"$regularExpression":{"pattern":"^a\\.b","options":"i"}}}"#, #"s BEGINSWITH[c] "a.b""#),
        (#"{"s":{"$regex":"^[A-Z]+$"}}"#, #"s MATCHES "[\\s\\S]*(?:^[A-Z]+$)[\\s\\S]*""#),
        (#"{"s":{"$regex":"a.b","$options":"s"}}"#, #"s MATCHES "[\\s\\S]*(?s:a.b)[\\s\\S]*""#),
        (#"{"tags":{"$all":["a","b"]}}"#, #"ANY tags == "a" AND ANY tags == "b""#),
        (#"{"tags":{"$size":2}}"#, "tags.@count == 2"),
        (#"{"tags":"x","$nor":[{"tags":{"$size":0}}]}"#, #"ANY tags == "x" AND NOT tags.@count == 0"#),
        (
            #"{"results":{"$elemMatch":{"$gte":80,"$lt":85}}}"#,
            "SUBQUERY(results, $x, $x >= 80 AND $x < 85).@count > 0"
        ),
        (
            #"{"o":{"$elemMatch":{"p":{"$gt":5},"q":1}}}"#,
            "SUBQUERY(o, $x, $x.p > 5 AND $x.q == 1).@count > 0"
        ),
        (#"{"a":{"$date":"2024-01-01T00:00:00Z"}}"#, #"a == CAST(725760000, "NSDate")"#),
        (#"{"a":{"$type":"string"}}"#, #"a >= """#),
        (#"{"a":{"$type":"array"}}"#, "a.@count >= 0"),
        (#"{"a":{"$type":"number"}}"#, "a < 0 OR a >= 0"),
        (#"{"a":{"$type":["string","number"]}}"#, #"a >= "" OR (a < 0 OR a >= 0)"#),
        (#"{"p":{"$geoWithin":{"$centerSphere":[[10,50],0.001]}}}"#, "geoWithin(p, %@)"),
        (#"{"p":{"$within":{"$box":[[10,50],[11,51]]}}}"#, "geoWithin(p, %@)"),
        // Conditions that test nothing.
        (#"{"$comment":"why","age":5}"#, "age == 5"),
        (#"{"$comment":{"$where":"1"}}"#, "TRUEPREDICATE"),
        (#"{"$and":[{"$comment":"x"},{"a":1}]}"#, "TRUEPREDICATE AND a == 1"),
        (#"{"o":{"$elemMatch":{"p":1,"$comment":"x"}}}"#, "SUBQUERY(o, $x, $x.p == 1).@count > 0"),
        (#"{"$and":[{}]}"#, "TRUEPREDICATE"),
        (#"{"$expr":true}"#, "TRUEPREDICATE"),
        (#"{"$alwaysTrue":1}"#, "TRUEPREDICATE"),
        (#"{"$alwaysFalse":1,"a":1}"#, "FALSEPREDICATE AND a == 1"),
    ]

    /// Nothing is assumed.
    private static let exact: [(String, String)] = [
        (#"{"tags":5}"#, "ANY tags == 5"),
        (#"{"tags":{"$ne":5}}"#, "NOT ANY tags == 5"),
        (#"{"age":{"$gte":1,"$lte":5}}"#, "ANY age >= 1 AND ANY age <= 5"),
        (#"{"a":null}"#, "a == nil OR ANY a == nil"),
        (#"{"a":[1,2]}"#, "a == {1, 2} OR ANY a == {1, 2}"),
        (#"{"a":{"$eq":5,"$not":{"$type":"array"}}}"#, "a == 5"),
        (#"{"a":{"$not":{"$type":"array"}},"a.b":{"$lt":5,"$not":{"$type":"array"}}}"#, "a.b < 5"),
        (#"{"a":{"$not":{"$type":"array"}}}"#, "a.@count == nil"),
        (#"{"s":{"$regex":"son"}}"#, #"ANY s LIKE "*son*""#),
        (#"{"t":{"$elemMatch":{"$ne":5}}}"#, "t.@count >= 0 AND ANY t != 5"),
        (#"{"age":{"$gt":21}}"#, "ANY age > 21"),
        (#"{"tags":"red","name":{"$ne":"Jo"}}"#, #"ANY tags == "red" AND NOT ANY name == "Jo""#),
        (#"{"address.city":{"$in":["A","B"]}}"#, #"ANY address.city IN {"A", "B"}"#),
        // No server allows a list as `_id`.
        (#"{"_id":"x"}"#, #"_id == "x""#),
        (#"{"_id":{"$in":[1,2]},"_id.k":5}"#, "_id IN {1, 2} AND ANY _id.k == 5"),
        (#"{"a._id":1}"#, "ANY a._id == 1"),
        (
            #"{"o":{"$elemMatch":{"_id":1,"b":2}}}"#,
            "o.@count >= 0 AND SUBQUERY(o, $x, $x.@count == nil AND ANY $x._id == 1 AND ANY $x.b == 2).@count > 0"
        ),
    ]

    @Test("typical filters")
    func table() throws {
        for (rows, assumptions) in [(Self.simple, nil), (Self.exact, [Assumption]())] {
            for (json, format) in rows {
                do {
                    let query = try Query(mongo: json, assuming: assumptions)
                    #expect(query.format == format, "\(json)")
                    if assumptions == [] { #expect(try Query(mongo: json) == query, "\(json) by default") }
                } catch {
                    Issue.record("\(json): \(error)")
                }
            }
        }
    }
}
