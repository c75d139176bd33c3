import Testing

@testable import QueryValues

struct JSONReaderTests {
    @Test func validTexts() throws {
        let table: [(text: String, value: QueryValue)] = [
            ("null", nil), (" true ", true), ("\t\r\nfalse\n", false), ("0", 0), ("-0", 0), ("7", 7), ("-12", -12),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("1000000000000000000", .int(1_000_000_000_000_000_000)),
            ("0.0", 0.0), ("-0.0", .double(-0.0)), ("-0e1", .double(-0.0)), ("1.0", 1.0), ("1e0", 1.0), ("1E+2", 100.0),
            ("1e-2", 0.01), ("0.1", 0.1), ("123.456", 123.456),
            ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
            ("4.9e-324", .double(.leastNonzeroMagnitude)), ("1e-400", 0.0),
            ("2.2250738585072014e-308", .double(.leastNormalMagnitude)),
            ("9007199254740993.0", 9007199254740992.0), ("0.000000000000000000000000000001", 1e-30),
            ("123456789012345678901234567890.0", 1.2345678901234568e29), ("1e23", 1e23), ("8.5e22", 8.5e22),
            (#""""#, ""), (#""a""#, "a"), (#""é😀""#, "é😀"), (#""\u00e9\ud83d\ude00""#, "é😀"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (#""\u0000""#, "\0"), (#""\uFFFF\u2028""#, "\u{FFFF}\u{2028}"), ("\"\u{7f}\"", "\u{7f}"),
            (#""0123456789abcdef\n0123456789é""#, "0123456789abcdef\n0123456789é"),
            ("[]", []), ("[ ]", []), ("[1, [2],{}]", [1, [2], .object([:])]), ("{}", .object([:])),
            ("{ }", .object([:])),
            (#"{"a":1,"b":[true]}"#, .object(["a": 1, "b": [true]])),
            (#"{"b" : 1 , "a" : 2}"#, .object(["b": 1, "a": 2])),
            (#"{"":{"":null}}"#, .object(["": .object(["": nil])])), (#"{"$date":0}"#, .object(["$date": 0])),
            (#"{"\u0061":1,"b":2}"#, .object(["a": 1, "b": 2])),
            ("{\"é\":1,\"e\u{301}\":2}", .object(["é": 1, "e\u{301}": 2])),
        ]
        for (text, value) in table {
            let read = try QueryValue(json: text)
            #expect(read == value, "\(text)")
            #expect(try QueryValue(json: Array(text.utf8)) == value, "\(text)")
        }
    }

    @Test func invalidTexts() {
        let table: [(text: String, range: Range<Int>, message: String)] = [
            ("", 0..<0, "expected a value, found the end of the text"), ("  ", 2..<2, "expected a value"),
            ("nul", 0..<1, "expected a value"), ("nulll", 4..<5, "expected the end"), ("True", 0..<1, "found `T`"),
            ("'a'", 0..<1, "single quote"), ("NaN", 0..<1, "a value"), ("+1", 0..<1, "a value"),
            (".5", 0..<1, "a value"),
            ("01", 1..<2, "leading zero"), ("-01", 2..<3, "leading zero"), ("-", 1..<1, "a digit after `-`"),
            ("--1", 1..<2, "a digit"),
            ("1.", 2..<2, "after the point"), ("1.e3", 2..<3, "after the point"), ("1e", 2..<2, "exponent"),
            ("1e+", 3..<3, "exponent"),
            ("0x10", 1..<2, "the end"), ("1_000", 1..<2, "the end"), ("1 2", 2..<3, "the end"),
            ("9223372036854775808", 0..<19, "64 bits"), ("-9223372036854775809", 0..<20, "64 bits"),
            ("100000000000000000000", 0..<21, "64 bits"), ("18446744073709551617", 0..<20, "64 bits"),
            ("1e309", 0..<5, "too large for a double"), ("-1e999999999999", 0..<15, "too large for a double"),
            (#""abc"#, 0..<4, "not closed"), (#""abc\"#, 4..<5, "backslash"), (#""\x""#, 1..<3, "backslash"),
            (#""\u12g4""#, 1..<5, "four hex"),
            (#""\ud83d""#, 1..<7, "surrogate"), (#""\ude00""#, 1..<7, "surrogate"),
            (#""\ud83d\u0041""#, 1..<13, "surrogate"), (#""\ud83dx""#, 1..<7, "surrogate"),
            ("\"a\nb\"", 2..<3, "control character"), ("\"a\0b\"", 2..<3, "control character"),
            ("\"0123456789\u{1}\"", 11..<12, "control"), ("\"a\u{1F}b\"", 2..<3, "control"),
            ("\"0123456\u{1F}\"", 8..<9, "control"),
            ("[", 1..<1, "a value"), ("[1", 2..<2, "a comma or `]`"), ("[1,]", 3..<4, "a value"),
            ("[,1]", 1..<2, "a value"), ("[1 2]", 3..<4, "a comma"),
            ("]", 0..<1, "a value"), ("[1}", 2..<3, "a comma"), ("{", 1..<1, "a key"), ("{a:1}", 1..<2, "a key"),
            ("{1:1}", 1..<2, "a key"),
            (#"{"a"}"#, 4..<5, "`:`"), (#"{"a":}"#, 5..<6, "a value"), (#"{"a":1"#, 6..<6, "a comma or `}`"),
            (#"{"a":1,}"#, 7..<8, "a key"),
            (#"{"a":1;"b":2}"#, 6..<7, "a comma"), (#"{"a":1,"a":2}"#, 7..<10, "duplicate key"),
            (#"{"a":1,"\u0061":2}"#, 7..<15, "duplicate key"), ("// c\n1", 0..<1, "a value"),
            ("\u{FEFF}1", 0..<1, "a value"), ("1\u{A0}", 1..<2, "the end"),
        ]
        for (text, range, message) in table {
            let error = #expect(throws: QueryError.self, "\(text)") { try QueryValue(json: text) }
            #expect(error?.code == .json, "\(text)")
            #expect(error?.range == range, "\(text): \(String(describing: error?.range))")
            #expect(error?.message.contains(message) == true, "\(text): \(error?.message ?? "")")
            #expect(error?.source == text, "\(text)")
        }
    }

    @Test func invalidUTF8() {
        let table: [(bytes: [UInt8], at: Int)] = [
            ([0x22, 0x80, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xC0, 0xAF, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xC3, 0xA9, 0xFF, 0x22], 3), ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1),
            ([0x22, 0xE2, 0x82, 0x22], 1),
            ([0x22, 0x5C, 0x6E, 0xFF, 0x22], 3),
        ]
        for (bytes, at) in table {
            let error = #expect(throws: QueryError.self) { try QueryValue(json: bytes) }
            #expect(error?.range == at..<(at + 1), "\(bytes)")
            #expect(error?.message == "the text is not valid UTF-8", "\(bytes)")
        }
    }

    @Test func errorsNameTheirPlace() {
        let table: [(text: String, prefix: String?, path: String)] = [
            ("{\"a\":[1,2,x]}", nil, "$.a[2]"),
            ("{\"address\":{\"zip\":01}}", "documents[3]", "documents[3].address.zip"),
            ("{\"documents\":[{},{\"a b\":?}]}", "", "documents[1][\"a b\"]"), ("x", "", "$"), ("x", nil, "$"),
            ("x", "having", "having"),
            ("{\"\":?}", nil, "$[\"\"]"), ("[[[?]]]", "a", "a[0][0][0]"), ("{\"a\":{\"k\":1,\"k\":2}}", nil, "$.a.k"),
            ("{\"ä\":?}", nil, "$.ä"),
        ]
        for (text, prefix, path) in table {
            let error = #expect(throws: QueryError.self, "\(text)") { try QueryValue(json: text, path: prefix) }
            #expect(error?.path == path, "\(text)")
        }
    }

    @Test func depthIsBounded() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[{\"a\":", count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
        }
        #expect(throws: Never.self) { try QueryValue(json: nested(200)) }
        let error = #expect(throws: QueryError.self) { try QueryValue(json: nested(202)) }
        #expect(error?.code == .json)
        #expect(error?.message == "JSON is nested deeper than 200 levels")
        #expect(throws: QueryError.self) { try QueryValue(json: String(repeating: "[", count: 1_000_000)) }
        var limits = Limits.default
        limits.jsonDepth = 2
        #expect(throws: Never.self) { try QueryValue(json: nested(2), limits: limits) }
        #expect(throws: QueryError.self) { try QueryValue(json: nested(4), limits: limits) }
        // The reader and the writer keep their own stacks, so depth never uses the call stack.
        limits.jsonDepth = 10_000
        #expect(try QueryValue(json: nested(10_000), limits: limits).json == nested(10_000))
    }

    @Test func rowsShareShapes() throws {
        var reader = JSONReader()
        func shape(_ text: String) throws -> Shape? {
            if case .object(let object) = try reader.read(text) { object.shape } else { nil }
        }
        let first = try shape(#"{"a":1,"b":{"c":1}}"#)
        #expect(try shape(#"{"a":2 , "b":null}"#) === first)
        #expect(try shape(#"{"a":2}"#) !== first)
        #expect(try shape(#"{"b":2,"a":1}"#) !== first)
        #expect(try shape(#"{"a":0,"b":0}"#) === first)
        #expect(try shape("{}") === Shape.empty)
        #expect(throws: QueryError.self) { try shape(#"{"a":0,"b":0,"a":1}"#) }
        #expect(try shape(#"{"a":0,"b":0}"#) === first)
    }

    @Test func objectsUsedAsMapsStayLinearAndCorrect() throws {
        var reader = JSONReader()
        for round in 0..<3 {
            let keys = (0..<20_000).map { "key\($0 &* (round + 1))" }
            let text = "{" + keys.map { "\"\($0)\":{\"\($0)x\":1}" }.joined(separator: ",") + "}"
            guard case .object(let object) = try reader.read(text) else {
                Issue.record("no object")
                return
            }
            #expect(object.keys == keys)
            #expect(object[keys[19_999]] == .object([keys[19_999] + "x": 1]))
            let twice = "{" + (keys + [keys[7]]).map { "\"\($0)\":1" }.joined(separator: ",") + "}"
            let error = #expect(throws: QueryError.self) { try reader.read(twice) }
            #expect(error?.message == "the object has a duplicate key")
        }
    }

    @Test func everyCutOfAValidTextIsAnError() throws {
        let text = Array(#"{"a":[1.5e3,"é\u00e9",true,null],"b":{"c":-12}}"#.utf8)
        #expect(throws: Never.self) { try QueryValue(json: text) }
        for count in text.indices {
            #expect(throws: QueryError.self, "\(count)") { try QueryValue(json: Array(text.prefix(count))) }
        }
        for at in text.indices {
            for byte in [0, 0x22, 0x5B, 0x7D, 0xFF] as [UInt8] {
                var broken = text
                broken[at] = byte
                // Either a value or an error inside the text; nothing traps.
                do { _ = try QueryValue(json: broken) } catch {
                    #expect(error.range.map { $0.upperBound <= broken.count } == true)
                }
            }
        }
    }
}
