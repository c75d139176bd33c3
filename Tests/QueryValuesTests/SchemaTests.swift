import QueryTree
import QueryValues
import Testing

@Suite("Schema")
struct SchemaTests {
    @Test("a table's key survives JSON Schema")
    func primaryKeys() throws {
        for key in [["uid"], ["a", "b"], []] {
            for schema in [
                Schema([.field("a", .int)], primaryKey: key), Schema([], allowsOthers: true, primaryKey: key),
            ] {
                #expect(try Schema(jsonSchema: schema.jsonSchema) == schema)
            }
        }
        for wrong in ["5", "[]", "[1]", "\"\""] {
            let error = #expect(throws: QueryError.self) {
                try Schema(jsonSchema: #"{"type":"object","x-primary-key":\#(wrong)}"#)
            }
            #expect(error?.path == "schema.x-primary-key")
        }
    }

    @Test("JSON Schema gives names, kinds and encodings")
    func reading() throws {
        let schema = try Schema(
            jsonSchema: """
                {"type":"object","required":["name"],"properties":{
                  "name":{"type":"string"},
                  "age":{"type":["integer","null"]},
                  "joined":{"type":"string","format":"date-time","x-stored-name":"j","x-date-encoding":"iso8601"},
                  "tags":{"type":"array","items":{"type":"string"}},
                  "extra":{"type":"object"},
                  "home":{"type":"object","additionalProperties":true,"properties":{"zip":{"type":"string"}}},
                  "orders":{"type":"array","x-table":"orders","x-foreign-key":"person_id",
                            "items":{"type":"object","properties":{"amount":{"type":"number"}}}}}}
                """
        )
        #expect(schema.fields.map(\.name) == ["name", "age", "joined", "tags", "extra", "home", "orders"])
        #expect(schema.field(named: "name")?.isOptional == false)
        #expect(schema.field(named: "age")?.type == .int)
        #expect(schema.field(named: "joined")?.type == .date(.iso8601))
        #expect(schema.field(named: "joined")?.storedName == "j")
        #expect(schema.field(named: "tags")?.type == .list(.string))
        #expect(schema.field(named: "extra")?.type == .object(.any))
        #expect(schema.field(named: "orders")?.relation == .init(table: "orders", foreignKey: "person_id"))
        let row = FieldType.object(schema)
        #expect(row.resolve(["orders", "amount"])?.type == .list(.double))
        #expect(row.resolve(["extra", "anything", "below"])?.type == .any)
        #expect(row.resolve(["home", "zip"])?.type == .string)
        #expect(row.resolve(["home", "other"])?.type == .any)
        #expect(row.resolve(["name", "first"]) == nil)
        #expect(row.resolve(["nobody"]) == nil)
    }

    @Test("A malformed schema is an error with its JSON path")
    func malformed() {
        let cases: [(String, String)] = [
            (#"{"type":"strin"}"#, "schema.type"),
            (#"{"type":5}"#, "schema.type"),
            (#"{"type":"object","properties":[]}"#, "schema.properties"),
            (#"{"type":"object","properties":{"a":{"$ref":"b"}}}"#, "schema.properties.a.$ref"),
            (
                #"{"type":"object","properties":{"a":{"x-date-encoding":"unix"}}}"#,
                "schema.properties.a.x-date-encoding"
            ),
            (#"{"type":"object","properties":{"a":{"x-table":"t"}}}"#, "schema.properties.a"),
            (#"{"type":"object","properties":{},"required":"a"}"#, "schema.required"),
            (#"{"type":"string"}"#, "schema"),
        ]
        for (text, path) in cases {
            do throws(QueryError) {
                _ = try Schema(jsonSchema: text)
                Issue.record("accepted \(text)")
            } catch {
                #expect(error.code == .schema, "\(text)")
                #expect(error.path == path, "\(text)")
            }
        }
    }

    @Test("Constants take the field's kind, or are rejected (S2)")
    func converting() throws {
        #expect(FieldType.bool.convert(1) == true)
        #expect(FieldType.bool.convert(0.0) == false)
        #expect(FieldType.bool.convert(2) == nil)
        #expect(FieldType.int.convert("1") == nil)
        #expect(FieldType.date(.native).convert("1970-01-01T00:00:01Z") == .date(1000))
        #expect(FieldType.date(.native).convert("soon") == nil)
        #expect(FieldType.list(.bool).convert([1, nil]) == [true, nil])
        #expect(FieldType.string.convert(nil) == QueryValue.null)
        let plain = FieldType.uuid.convert("00112233445566778899aabbccddeeff")
        #expect(plain == FieldType.uuid.convert("00112233-4455-6677-8899-AABBCCDDEEFF"))
        #expect(plain?.kind == .uuid)
        #expect(FieldType.objectID.convert("507F1F77BCF86CD799439011") == "507f1f77bcf86cd799439011")
        #expect(FieldType.objectID.convert("507F1F77BCF86CD79943901") == nil)
        #expect(FieldType.objectID.convert("507F1F77BCF86CD79943901g") == nil)
        let ids = Schema([.field("_id", .objectID), .field("friends", .list(.objectID))])
        try #expect(Schema(jsonSchema: ids.jsonSchema) == ids)
    }

    @Test("Epoch seconds survive encoding and decoding (S5)")
    func epochSeconds() {
        for milliseconds: Int64 in [0, 1, 999, 1000, 1_479_117_955_787, -1, -1001, 253_402_300_799_999] {
            let stored = DateEncoding.epochSeconds.encode(milliseconds)
            #expect(DateEncoding.epochSeconds.decode(stored) == milliseconds)
            #expect(DateEncoding.epochMilliseconds.decode(.int(milliseconds)) == milliseconds)
        }
        #expect(DateEncoding.epochSeconds.decode(.double(.infinity)) == nil)
        #expect(DateEncoding.epochSeconds.decode(.int(.max)) == nil)
        #expect(DateEncoding.iso8601.decode("not a date") == nil)
    }

    @Test("Suggestions find the intended name")
    func suggestions() {
        #expect(Suggestion.nearest(to: "populaton", among: ["state", "population"]) == "population")
        #expect(Suggestion.nearest(to: "sttae", among: ["state", "population"]) == "state")
        #expect(Suggestion.nearest(to: "zip", among: ["state", "population"]) == nil)
        #expect(Suggestion.nearest(to: "", among: ["a"]) == nil)
    }
}
