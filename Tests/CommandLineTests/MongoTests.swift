import Foundation
import Testing

/// Mongo filters on the command line.
@Suite("pql from-mongo, and --mongo in place of a predicate", .enabled(if: Tool.executable != nil))
struct MongoTests {
    @Test("a filter as a predicate")
    func fromMongo() throws {
        let rows: [([String], String)] = [
            ([#"{"age":{"$gt":21}}"#], "ANY age > 21"),
            ([#"{"tags":"red"}"#], #"ANY tags == "red""#),
            (["--assume", #"{"tags":"red"}"#], #"tags == "red""#),
            ([#"{"a":{"$exists":false}}"#], "a == nil\n-- nil: absent"),
            ([#"{"a":{"$type":["string","null"]}}"#], #"ANY a >= "" OR (a == nil OR ANY a <= nil)"# + "\n-- nil: null"),
            (
                ["--find", #"{"filter":{"a":1},"sort":{"b":-1},"skip":2,"limit":3}"#],
                "ANY a == 1\n-- sort: -b\n-- skip: 2\n-- limit: 3"
            ),
        ]
        for (arguments, output) in rows {
            let outcome = try Tool.pql(["from-mongo"] + arguments)
            #expect(outcome.output == output + "\n", "\(arguments)")
            #expect(outcome.status == 0)
            #expect(outcome.error == (arguments[0] == "--assume" ? "assumes: {\"single\":\"tags\"}\n" : ""))
        }
        let piped = try Tool.pql("from-mongo", "-", input: #"{"age":{"$gt":21}}"#)
        #expect(piped.output == "ANY age > 21\n")
        let both = try Tool.shell(
            #"pql translate "age > 21 AND name LIKE 'B*'" --to mongo | pql from-mongo --assume --find -"#
        )
        #expect(both.output == "age > 21 AND name BEGINSWITH \"B\"\n")
    }

    @Test("bad filters exit with 65 and show their path")
    func bad() throws {
        let outcome = try Tool.pql("from-mongo", #"{"a":{"$where":"1"}}"#)
        #expect(outcome.status == 65)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("$where is not supported"))
        #expect(outcome.error.contains("^^^"))
        #expect(!outcome.error.contains("--assume"))
        let ofNull = try Tool.pql("from-mongo", "--nil", "nullOrAbsent", #"{"a":{"$type":10}}"#)
        #expect(ofNull.error.contains("(pql: --nil null)"), "\(ofNull.error)")
        for command in [["from-mongo"], ["check", "--mongo"]] {
            let single = try Tool.pql(command + [#"{"tags":{"$elemMatch":{"a":{"$ne":1}}}}"#])
            #expect(single.error.contains("; --assume reads it, and lists what it assumes"), "\(single.error)")
        }
        #expect(try Tool.pql("check", "--mongo", #"{"a":{"$bad":1}}"#).status == 65)
        #expect(try Tool.pql("check", "--mongo", #"{"a":1}"#).status == 0)
    }

    @Test("what only Mongo's shell reads is shown in JSON")
    func shellText() throws {
        let rows: [(filter: String, hint: String)] = [
            (#"{_id: ObjectId("507f1f77bcf86cd799439011")}"#, #"in JSON: {"_id":{"$oid":"507f1f77bcf86cd799439011"}}"#),
            (#"{"d":{"$gt":ISODate("2024-01-01T00:00:00Z")}}"#, #"{"d":{"$gt":{"$date":"2024-01-01T00:00:00Z"}}}; as"#),
            (#"{d:{$gt:new Date('2024-01-01')}}"#, #"in JSON: {"d":{"$gt":{"$date":"2024-01-01"}}}"#),
            ("{n: NumberLong(5)}", #"in JSON: {"n":5}; as a query: ANY n == 5"#),
            (#"{name:/^jo\d/i}"#, #"in JSON: {"name":{"$regex":"^jo\\d","$options":"i"}}"#),
            ("{a: undefined, b: True}", "as a query: (a == nil OR ANY a == nil) AND ANY b == TRUE"),
            ("db.users.find({a:1}).limit(5)", "write the filter alone"),
            ("db.users.find({a:1})", #"write the filter alone; keys and texts take double quotes: {"a":1}; as a"#),
            (#"[{"$match":{"a":1}},{"$limit":2}]"#, #"write its condition: {"a":1}"#), ("{a: 1}", "keys and texts"),
        ]
        for (filter, hint) in rows {
            let outcome = try Tool.pql("from-mongo", filter)
            #expect(outcome.status == 65 && outcome.error.contains(hint), "\(outcome)")
        }
        let stage = try Tool.pql("from-mongo", #"{"$match":{"a":1}}"#)
        #expect(stage.error.contains("$match is not supported: it is a stage of a pipeline"), "\(stage)")
    }

    @Test(
        "every kind of bad filter ends with 65 and its JSON path, as filter, as find query and in place of a predicate"
    )
    func badPaths() throws {
        let deep = String(repeating: #"{"$and":["#, count: 10_000) + "{}" + String(repeating: "]}", count: 10_000)
        let rows: [(filter: String, path: String)] = [
            ("[1]", "$"), ("", "$"), (#"{"a":1,"a":2}"#, "$.a"), (#"{"a":{"$gt":1,"$gt":2}}"#, "$.a.$gt"),
            (#"{"a":{"$eq":{"$gt":""}}}"#, "$.a.$eq"), (#"{"a":{"$in":[1,{"$gt":1}]}}"#, "$.a.$in[1]"),
            (#"{"a":9223372036854775808}"#, "$.a"), (#"{"a":{"$lt":-1e999}}"#, "$.a.$lt"),
            (#"{"a":{"$numberInt":"2147483648"}}"#, "$.a"), (#"{"a":{"$minKey":1}}"#, "$.a.$minKey"),
            (#"{"$where":"1"}"#, "$.$where"), (deep, "$.$and[0]"),
        ]
        for (filter, path) in rows {
            let asked = filter.utf8.count > 100_000 ? ["from-mongo", "-"] : ["from-mongo", filter]
            let outcome = try Tool.pql(asked, input: filter)
            #expect(outcome.status == 65 && outcome.output.isEmpty, "\(filter.prefix(60))")
            #expect(outcome.error.contains("\nat: " + path), "\(filter.prefix(60)): \(outcome.error.suffix(300))")
            if filter.utf8.count > 100_000 { continue }
            let run = try Tool.pql("run", Tool.cities, "--mongo", filter)
            #expect(run.status == 65 && run.output.isEmpty && run.error == outcome.error, "\(filter)")
            let find = try Tool.pql("from-mongo", "--find", #"{"filter":\#(filter.isEmpty ? "5" : filter)}"#)
            #expect(find.status == 65 && find.output.isEmpty && find.error.contains("\nat: "), "\(filter)")
        }
        let bytes = try Tool.shell(#"printf '{"a":"\377"}' | pql from-mongo -"#)
        #expect(bytes.status == 65 && bytes.error.contains("UTF-8"))
        let argument = try Tool.shell(#"pql from-mongo "$(printf '{"a":"\377"}')""#)
        #expect(argument.status == 65 && argument.error.contains("argument 2 is not UTF-8 text"))
    }

    @Test("canonical numbers are read wherever a number may occur")
    func canonical() throws {
        let arguments = ["age > 21 AND t.@count == 2 AND n == nil", "--nil", "null", "--sort=-age", "--limit", "2"]
        let written = try Tool.pql(["translate"] + arguments + ["--to", "mongo", "--canonical"])
        #expect(written.output.contains(#"{"$size":{"$numberInt":"2"}}"#), "\(written.output)")
        let read = try Tool.pql("from-mongo", "--find", written.output)
        let plain = try Tool.pql(
            "from-mongo",
            "--find",
            Tool.pql(["translate"] + arguments + ["--to", "mongo"]).output
        )
        #expect(read.output == plain.output && read.status == 0, "\(read.output)\(read.error)")
        #expect(plain.lines.contains("-- limit: 2"))
    }

    @Test("run, explain and translate take a filter")
    func inPlace() throws {
        let filter = #"{"state":"MA","population":{"$gt":200000}}"#
        let mongo = try Tool.pql("run", Tool.cities, "--mongo", filter, "--fields", "name")
        let format = try Tool.pql("run", Tool.cities, "state == 'MA' AND population > 200000", "--fields", "name")
        #expect(mongo.output == format.output)
        #expect(mongo.lines.count > 1)
        #expect(mongo.error.isEmpty)
        let assumed = try Tool.pql("run", Tool.cities, "--mongo", filter, "--assume", "--fields", "name")
        #expect(assumed.output == mongo.output)
        #expect(assumed.error == #"assumes: {"single":"population"} {"single":"state"}"# + "\n")
        #expect(try Tool.pql("run", Tool.cities, "a == 1", "--assume").status == 64)
        let explained = try Tool.pql("explain", "--mongo", filter)
        #expect(explained.lines.prefix(2) == ["format:", #"  ANY state == "MA" AND ANY population > 200000"#])
        let translated = try Tool.pql("translate", "--to", "mongo", "--mongo", filter)
        #expect(translated.output == #"{"filter":\#(filter)}"# + "\n")
        #expect(try Tool.pql("run", Tool.cities, "a == 1", "--mongo", filter).status == 64)
        #expect(try Tool.pql("run", Tool.cities, "--count").output == "3407\n")
    }

    @Test("a filter looks into lists, as on the server, unless fields are assumed to be single")
    func lists() throws {
        let rows = #"{"tags":["red","blue"]}"# + "\n" + #"{"tags":"red"}"# + "\n" + #"{"tags":["green"]}"# + "\n"
        let exact = try Tool.pql("run", "-", "--mongo", #"{"tags":"red"}"#, "--output", "ndjson", input: rows)
        #expect(exact.lines == [#"{"tags":["red","blue"]}"#, #"{"tags":"red"}"#])
        let short = try Tool.pql(
            "run",
            "-",
            "--mongo",
            #"{"tags":"red"}"#,
            "--assume",
            "--output",
            "ndjson",
            input: rows
        )
        #expect(short.lines == [#"{"tags":"red"}"#])
        #expect(short.error == #"assumes: {"single":"tags"}"# + "\n")
    }

    @Test("an ObjectId given for a value is one in Mongo, where only a schema declares it")
    func objectIDs() throws {
        let id = #"{"$oid":"507F1f77bcf86cd799439011"}"#
        let queries = [
            ["_id == %@", "--arg", id], ["_id IN %@", "--arg", "[1,\(id)]"], ["_id == $id", "--var", "id=\(id)"],
            ["a == b OR _id == %@", "--arg", id], ["SELF == %@", "--arg", #"{"a":\#(id)}"#],
            ["ANY refs == %@", "--arg", id], ["TERNARY(a > 1, _id, b) == %@", "--arg", id],
        ]
        for query in queries {
            for to in ["mongo", "pipeline"] {
                let told = try Tool.pql(["translate"] + query + ["--to", to])
                #expect(told.status == 65 && told.output.isEmpty, "\(query) \(told)")
                #expect(told.error.contains("ObjectId") || query[0].hasPrefix("SELF"), "\(told.error)")
            }
            let split = try Tool.pql(["translate"] + query + ["--to", "mongo", "--split"])
            #expect(split.lines.first == #"{"filter":{}}"# && split.lines.count > 1, "\(split)")
            #expect(try Tool.pql(["translate"] + query + ["--to", "format"]).status == 0)
        }
        let rest = ["translate"] + queries[0] + ["--to", "rest", "--profile", "mongoDB"]
        #expect(try Tool.pql(rest).status == 65)
        #expect(try Tool.pql(["translate"] + queries[0] + ["--to", "rest"]).status == 0)
        let schema = #"{"type":"object","properties":{"_id":{"type":"string","format":"objectid"}}}"#
        try Tool.withFile("ids.json", schema) { path in
            let known = try Tool.pql(["translate"] + queries[0] + ["--to", "mongo", "--schema", path])
            #expect(known.output == #"{"filter":{"_id":{"$eq":{"$oid":"507f1f77bcf86cd799439011"}}}}"# + "\n")
        }
        let rows = #"{"_id":\#(id)}"#
        #expect(try Tool.pql(["run", "-"] + queries[0] + ["--count"], input: rows).output == "1\n")
    }

    @Test("a whole query is no filter, and the message shows the filter")
    func wholeQueries() throws {
        let translated = try Tool.pql("translate", "tags == 'red'", "--sort", "tags", "--to", "mongo").lines[0]
        let told = try Tool.pql("run", "-", "--mongo", translated, input: "{}")
        #expect(told.status != 0 && told.error.contains(#"--mongo '{"tags":"red"}'"#), "\(told) \(translated)")
    }
}
