#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

@testable import QueryTree
@testable import QueryValues

struct ExtendedJSONTests {
    private let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()

    @Test func valuesAreRead() throws {
        let table: [(text: String, value: QueryValue)] = [
            (#"{"$numberInt":"-7"}"#, -7), (#"{"$numberInt":"2147483647"}"#, 2_147_483_647),
            (#"{"$numberLong":"9223372036854775807"}"#, .int(.max)),
            (#"{"$numberLong":"-9223372036854775808"}"#, .int(.min)),
            (#"{"$numberDouble":"1"}"#, 1.0), (#"{"$numberDouble":"-0.0"}"#, .double(-0.0)),
            (#"{"$numberDouble":"1e300"}"#, 1e300),
            (#"{"$numberDouble":"NaN"}"#, .double(.nan)), (#"{"$numberDouble":"Infinity"}"#, .double(.infinity)),
            (#"{"$numberDouble":"-Infinity"}"#, .double(-.infinity)),
            (#"{"$numberDecimal":"12"}"#, 12), (#"{"$numberDecimal":"12.00"}"#, 12),
            (#"{"$numberDecimal":"1.5E+1"}"#, 15),
            (#"{"$numberDecimal":"120e-1"}"#, 12), (#"{"$numberDecimal":"-0"}"#, 0),
            (#"{"$numberDecimal":"0.1"}"#, 0.1),
            (#"{"$numberDecimal":"9223372036854775807"}"#, .int(.max)),
            (#"{"$numberDecimal":"-9223372036854775808"}"#, .int(.min)),
            (#"{"$numberDecimal":"9223372036854775808"}"#, 9223372036854775808.0),
            (#"{"$numberDecimal":"1E+19"}"#, 1e19),
            (#"{"$numberDecimal":"0.1000000000000000055511151231257827"}"#, 0.1),
            (#"{"$numberDecimal":"NaN"}"#, .double(.nan)),
            (#"{"$date":"2016-11-14T10:05:55.787Z"}"#, .date(1_479_117_955_787)), (#"{"$date":0}"#, .date(0)),
            (#"{"$date":-1.5}"#, .date(-2)),
            (#"{"$date":{"$numberLong":"-62135596800000"}}"#, .date(-62_135_596_800_000)),
            (#"{"$date":"2016-11-14"}"#, .date(1_479_081_600_000)),
            (#"{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}"#, .uuid(uuid)),
            (#"{ "\u0024uuid" : "00112233-4455-6677-8899-AABBCCDDEEFF" }"#, .uuid(uuid)),
            (#"{"$oid":"507F1f77bcf86cd799439011"}"#, "507f1f77bcf86cd799439011"),
            (#"{"$binary":{"base64":"AAEC","subType":"00"}}"#, .data([0, 1, 2])),
            (#"{"$binary":{"subType":"0","base64":""}}"#, .data([])),
            (#"{"$binary":{"base64":"/w==","subType":"80"}}"#, .data([255])),
            (#"{"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}}"#, .uuid(uuid)),
            (#"{"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"4"}}"#, .uuid(uuid)),
            (
                #"{"$circle":{"center":[-74,40.74],"radius":10000}}"#,
                .shape(.circle(longitude: -74, latitude: 40.74, radius: 10_000))
            ),
            (
                #"{"$circle":{"radius":0,"center":[180,{"$numberDouble":"-90"}]}}"#,
                .shape(.circle(longitude: 180, latitude: -90, radius: 0))
            ),
            (
                #"{"$polygon":[[0,0],[1,0],[1,1.5]]}"#,
                .shape(
                    .polygon([
                        .init(longitude: 0, latitude: 0), .init(longitude: 1, latitude: 0),
                        .init(longitude: 1, latitude: 1.5),
                    ])
                )
            ),
            (#"[{"a":{"$numberInt":"1"}},{}]"#, [.object(["a": 1]), .object([:])]),
        ]
        for (text, value) in table {
            #expect(try QueryValue(json: text, extended: true) == value, "\(text)")
            guard case .object(let plain) = try QueryValue(json: text) else { continue }
            #expect(plain.count == 1, "\(text)")
        }
    }

    @Test func otherDollarKeysAreErrors() {
        let table: [String] = [
            #"{"$numberInt":1}"#, #"{"$numberInt":"2147483648"}"#, #"{"$numberInt":"+1"}"#, #"{"$numberInt":" 1"}"#,
            #"{"$numberInt":""}"#,
            #"{"$numberLong":1}"#, #"{"$numberLong":"9223372036854775808"}"#, #"{"$numberLong":"1.0"}"#,
            #"{"$numberDouble":1.5}"#,
            #"{"$numberDouble":"nan"}"#, #"{"$numberDouble":"inf"}"#, #"{"$numberDouble":"0x1p3"}"#,
            #"{"$numberDouble":"1e999"}"#,
            #"{"$numberDouble":"1 "}"#, #"{"$numberDecimal":"1.2.3"}"#, #"{"$numberDecimal":"e5"}"#,
            #"{"$numberDecimal":"1E+6144"}"#,
            #"{"$numberDecimal":"1e"}"#, #"{"$date":"yesterday"}"#, #"{"$date":true}"#, #"{"$date":1e300}"#,
            #"{"$date":{"$numberDouble":"NaN"}}"#, #"{"$date":null}"#, #"{"$date":"2015-02-29"}"#,
            #"{"$uuid":"00112233-4455-6677-8899-aabbccddeef"}"#, #"{"$uuid":"00112233445566778899aabbccddeeff"}"#,
            #"{"$uuid":1}"#,
            #"{"$oid":"507f1f77bcf86cd79943901"}"#, #"{"$oid":"507f1f77bcf86cd79943901g"}"#, #"{"$binary":"AAEC"}"#,
            #"{"$binary":{"base64":"AAE","subType":"00"}}"#, #"{"$binary":{"base64":"A===","subType":"00"}}"#,
            #"{"$binary":{"base64":"AB==","subType":"00"}}"#,
            #"{"$binary":{"base64":"AA-_","subType":"00"}}"#, #"{"$binary":{"base64":"AAEC","subType":"04"}}"#,
            #"{"$binary":{"base64":"AAEC"}}"#,
            #"{"$binary":{"base64":"AAEC","subType":"+0"}}"#, #"{"$binary":{"base64":"AAEC","subType":"00","x":1}}"#,
            #"{"$binary":{"base64":"AAEC","subType":0}}"#,
            #"{"$circle":{"center":[181,0],"radius":1}}"#, #"{"$circle":{"center":[0,-90.1],"radius":1}}"#,
            #"{"$circle":{"center":[0,0],"radius":-1}}"#,
            #"{"$circle":{"center":[0],"radius":1}}"#, #"{"$circle":{"center":[0,0]}}"#,
            #"{"$circle":{"center":["0",0],"radius":1}}"#,
            #"{"$circle":{"center":[0,{"$numberDouble":"NaN"}],"radius":1}}"#,
            #"{"$circle":{"center":[0,0],"radius":{"$numberDouble":"Infinity"}}}"#,
            #"{"$polygon":[[0,0],[1,1]]}"#, #"{"$polygon":[[0,0],[1,1],[0,91]]}"#, #"{"$polygon":[[0,0],[1,1],2]}"#,
            #"{"$polygon":{}}"#,
            #"{"$in":[1]}"#, #"{"$":1}"#, #"{"$Date":0}"#, #"{"$numberInt":"1","$numberInt":"1"}"#,
            #"{"$date":0,"a":1}"#, #"{"$regex":"a"}"#,
        ]
        for text in table {
            let outer = "{\"documents\":[0,{\"when\":" + text + "}]}"
            let error = #expect(throws: QueryError.self, "\(text)") {
                try QueryValue(json: outer, extended: true, path: "")
            }
            #expect(error?.code == .json, "\(text)")
            #expect(error?.path == "documents[1].when", "\(text): \(error?.path ?? "")")
            #expect(error?.range?.lowerBound == 24, "\(text): \(String(describing: error?.range))")
        }
        let late = #expect(throws: QueryError.self) {
            try QueryValue(json: #"{"a":{"b":1,"$date":0}}"#, extended: true)
        }
        #expect(late?.path == "$.a")
        #expect(late?.message == "a key with `$` must be the only key of its object")
        let inner = #expect(throws: QueryError.self) {
            try QueryValue(json: #"{"a":{"$date":{"$x":0}}}"#, extended: true)
        }
        #expect(inner?.path == "$.a.$date")
    }

    @Test func otherKindsOfBSONAreRefusedByName() {
        let table: [(key: String, content: String)] = [
            ("$minKey", "1"), ("$maxKey", "1"), ("$timestamp", #"{"t":1,"i":1}"#), ("$code", #""x""#),
            ("$regularExpression", #"{"pattern":"a","options":""}"#), ("$symbol", #""x""#), ("$undefined", "true"),
            ("$dbPointer", #"{"$ref":"c","$id":1}"#), ("$scope", "{}"),
        ]
        for (key, content) in table {
            let error = #expect(throws: QueryError.self, "\(key)") {
                try QueryValue(json: #"{"a":[{"\#(key)":\#(content)}]}"#, extended: true)
            }
            #expect(error?.message.hasPrefix("`\(key)` is not supported") == true, "\(error?.message ?? "")")
            #expect(error?.path == "$.a[0]", "\(error?.path ?? "")")
        }
    }

    @Test func bothFormsOfALineReadAsOneRow() throws {
        let row: Document = [
            "i": 1, "l": .int(9_007_199_254_740_993), "m": .int(.min), "d": 2.0, "e": 0.1, "n": .double(.infinity),
            "t": .date(1_479_117_955_787), "u": .date(-62_135_596_800_000), "v": .date(.max), "g": .uuid(uuid),
            "b": .data([0, 255]), "s": "x", "z": nil, "o": .object(["k": [1, .date(0)]]),
        ]
        var lines: [UInt8] = []
        for style in [JSONStyle.relaxed, .canonical] {
            JSONWriter(style: style).write(.object(row), to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        var stream = lines[...]
        // Seven bytes at a time, so that no line arrives as a whole.
        var reader = NDJSONReader(
            ByteStream { buffer throws(QueryError) in
                let part = stream.prefix(min(7, buffer.count))
                buffer.copyBytes(from: part)
                stream = stream.dropFirst(part.count)
                return part.count
            }
        )
        var values: [QueryValue] = []
        var json = JSONReader(mode: .extended)
        while let value = try reader.next({ line, _ throws(QueryError) in try json.read(Array(line), path: "row") }) {
            values.append(value)
        }
        #expect(values == [.object(row), .object(row)])
    }

    @Test func onlyTheNamedKeysAreExtended() throws {
        var reader = JSONReader(mode: .extendedUnder(["documents", "arguments"]))
        let text =
            #"{"schema":{"$ref":"x"},"documents":[{"d":{"$date":0}}],"id":{"$date":0},"$id":1,"arguments":{"$numberInt":"1"}}"#
        let expected: QueryValue = .object([
            "schema": .object(["$ref": "x"]), "documents": [.object(["d": .date(0)])], "id": .object(["$date": 0]),
            "$id": 1, "arguments": 1,
        ])
        #expect(try reader.read(text) == expected)
        #expect(try reader.read(text) == expected)
        #expect(throws: QueryError.self) { try reader.read(#"{"documents":[{"$ref":"x"}]}"#) }
        #expect(try reader.read(#"{"schema":{"$ref":"x"}}"#) == .object(["schema": .object(["$ref": "x"])]))
    }

    /// In rows, only a known key alone in its object makes a value.
    @Test func rowsHaveKeysWithDollars() throws {
        var rows = JSONReader(mode: .extendedRows)
        for (text, expected) in [
            (#"{"$schema":"x","n":1}"#, #"{"$schema":"x","n":1}"#),
            (
                #"{"a":{"$ref":"b","$id":{"$oid":"507f1f77bcf86cd799439011"}}}"#,
                #"{"a":{"$ref":"b","$id":"507f1f77bcf86cd799439011"}}"#
            ),
            (#"{"d":{"$date":0,"x":{"$date":0}}}"#, #"{"d":{"$date":0,"x":{"$date":"1970-01-01T00:00:00.000Z"}}}"#),
            (#"{"d":{"x":1,"$date":0}}"#, #"{"d":{"x":1,"$date":0}}"#),
            (#"{"d":{"$date":0}}"#, #"{"d":{"$date":"1970-01-01T00:00:00.000Z"}}"#),
            (#"{"l":[{"$numberInt":"1"},{"$x":1}]}"#, #"{"l":[1,{"$x":1}]}"#),
        ] {
            #expect(try rows.read(text).json == expected, "\(text)")
            // A shape that is known is read like a new one.
            #expect(try rows.read(text).json == expected, "\(text)")
        }
        for text in [#"{"d":{"$date":"x"}}"#, #"{"d":{"$minKey":1}}"#, #"{"d":{"$date":0 "x":1}}"#] {
            #expect(throws: QueryError.self) { try rows.read(text) }
        }
        var batch = JSONReader(mode: .extendedUnder(["documents", "arguments"], rows: "documents"))
        let line = #"{"documents":[{"$ref":"x"}],"arguments":[{"$date":0}]}"#
        #expect(
            try batch.read(line).json
                == #"{"documents":[{"$ref":"x"}],"arguments":[{"$date":"1970-01-01T00:00:00.000Z"}]}"#
        )
        #expect(throws: QueryError.self) { try batch.read(#"{"documents":[],"arguments":[{"$ref":"x"}]}"#) }
    }

    @Test func valuesAreWritten() {
        let table: [(value: QueryValue, relaxed: String, canonical: String)] = [
            (nil, "null", "null"), (true, "true", "true"), (7, "7", #"{"$numberInt":"7"}"#),
            (-10, "-10", #"{"$numberInt":"-10"}"#),
            (.int(.min), "-9223372036854775808", #"{"$numberLong":"-9223372036854775808"}"#),
            (2.0, "2.0", #"{"$numberDouble":"2.0"}"#), (.double(-0.0), "-0.0", #"{"$numberDouble":"-0.0"}"#),
            (0.1, "0.1", #"{"$numberDouble":"0.1"}"#),
            (1e300, "1e+300", #"{"$numberDouble":"1e+300"}"#), (1e16, "1e+16", #"{"$numberDouble":"1e+16"}"#),
            (.double(.nan), #"{"$numberDouble":"NaN"}"#, #"{"$numberDouble":"NaN"}"#),
            (.double(-.infinity), #"{"$numberDouble":"-Infinity"}"#, #"{"$numberDouble":"-Infinity"}"#),
            (
                "a\"\\\n\u{0}\u{1f}\u{7f}é/", #""a\"\\\n\u0000\u001f"# + "\u{7f}é/\"",
                #""a\"\\\n\u0000\u001f"# + "\u{7f}é/\""
            ),
            (
                .date(1_479_117_955_787), #"{"$date":"2016-11-14T10:05:55.787Z"}"#,
                #"{"$date":{"$numberLong":"1479117955787"}}"#
            ),
            (
                .date(253_402_300_799_999), #"{"$date":"9999-12-31T23:59:59.999Z"}"#,
                #"{"$date":{"$numberLong":"253402300799999"}}"#
            ),
            (.date(-1), #"{"$date":{"$numberLong":"-1"}}"#, #"{"$date":{"$numberLong":"-1"}}"#),
            (
                .date(253_402_300_800_000), #"{"$date":{"$numberLong":"253402300800000"}}"#,
                #"{"$date":{"$numberLong":"253402300800000"}}"#
            ),
            (
                .uuid(uuid), #"{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}"#,
                #"{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}"#
            ),
            (
                .data([0, 1, 2, 255]), #"{"$binary":{"base64":"AAEC/w==","subType":"00"}}"#,
                #"{"$binary":{"base64":"AAEC/w==","subType":"00"}}"#
            ),
            (
                .shape(.circle(longitude: -74, latitude: 40.74, radius: 10_000)),
                #"{"$circle":{"center":[-74.0,40.74],"radius":10000.0}}"#,
                #"{"$circle":{"center":[{"$numberDouble":"-74.0"},{"$numberDouble":"40.74"}],"radius":{"$numberDouble":"10000.0"}}}"#
            ),
            (
                [1, [], .object([:]), .object(["b": 1, "a": [nil]])], #"[1,[],{},{"b":1,"a":[null]}]"#,
                #"[{"$numberInt":"1"},[],{},{"b":{"$numberInt":"1"},"a":[null]}]"#
            ),
        ]
        for (value, relaxed, canonical) in table {
            #expect(value.json == relaxed)
            #expect(value.extendedJSON(.canonical) == canonical)
        }
        let large = JSONWriter(largeIntegersAsNumberLong: true)
        #expect(
            large.text([.int(1 << 53), .int(1 << 53 + 1)]) == #"[9007199254740992,{"$numberLong":"9007199254740993"}]"#
        )
        let pretty: QueryValue = .object(["a": [1, .object(["b": .date(0)])], "c": [], "d": .data([0])])
        #expect(
            pretty.extendedJSON(isPretty: true)
                == """
                {
                  "a": [
                    1,
                    {
                      "b": {"$date": "1970-01-01T00:00:00.000Z"}
                    }
                  ],
                  "c": [],
                  "d": {"$binary": {"base64": "AA==", "subType": "00"}}
                }
                """
        )
    }

    @Test func writtenValuesReadBackEqual() throws {
        var random = SeededGenerator(seed: 7)
        var reader = JSONReader(mode: .extended)
        let writers = [
            JSONWriter(), JSONWriter(isPretty: true), JSONWriter(style: .canonical),
            JSONWriter(largeIntegersAsNumberLong: true),
            JSONWriter(style: .canonical, isPretty: true),
        ]
        for round in 0..<3_000 {
            let value = random.value(depth: round % 5)
            let text = writers[round % writers.count].text(value)
            #expect(try reader.read(text) == value, "\(text)")
        }
    }

    @Test func doublesReadBackBitForBit() throws {
        var random = SeededGenerator(seed: 11)
        var reader = JSONReader(mode: .extended)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: random.next())
            #expect(try reader.read(QueryValue.double(value).json) == .double(value))
            let short = Double(Int64(random.next() >> 40)) / 1_000
            #expect(try reader.read("\(short)") == .double(short))
        }
    }
}

/// A generator of the same numbers on every run (splitmix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func value(depth: Int) -> QueryValue {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &self) {
        case 0: .null
        case 1: .bool(.random(using: &self))
        case 2: .int(Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self))
        case 3: .double(Double(bitPattern: next()))
        case 4: .double(Double(Int64.random(in: -1_000...1_000, using: &self)) / 8)
        case 5: .date(Int64(bitPattern: next()) >> Int64.random(in: 0..<40, using: &self))
        case 6: .data((0..<Int.random(in: 0..<9, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) })
        case 7: UUID(bytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &self) }).map { .uuid($0) } ?? .null
        case 8: .string(text())
        case 9: .list((0..<Int.random(in: 0..<4, using: &self)).map { _ in value(depth: depth - 1) })
        case 10:
            .shape(
                .circle(
                    longitude: .random(in: -180...180, using: &self),
                    latitude: .random(in: -90...90, using: &self),
                    radius: .random(in: 0...9, using: &self)
                )
            )
        default:
            .object(
                Document(
                    pairs: (0..<Int.random(in: 0..<12, using: &self)).map { _ in ("k" + text(), value(depth: depth - 1))
                    }
                )
            )
        }
    }

    mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "\0", "\n", "\u{1f}", "é", "\u{301}", "😀", "\u{FFFF}", "$", " ",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<20, using: &self) {
            text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &self)])
        }
        return text
    }
}
