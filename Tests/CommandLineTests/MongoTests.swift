import Foundation
import Testing

/// Mongo filters on the command line.
@Suite("pql from-mongo, and --mongo in place of a predicate", .enabled(if: Tool.executable != nil))
struct MongoTests {
    @Test("a filter as a predicate")
    func fromMongo() throws {
        let rows: [([String], String)] = [
            ([#"{"age":{"$gt":21}}"#], "age > 21"),
            ([#"{"tags":"red"}"#], #"tags == "red""#),
            (["--exact", #"{"tags":"red"}"#], #"ANY tags == "red""#),
            ([#"{"a":{"$exists":false}}"#], "a == nil\n-- nil: absent"),
            (
                ["--find", #"{"filter":{"a":1},"sort":{"b":-1},"skip":2,"limit":3}"#],
                "a == 1\n-- sort: -b\n-- skip: 2\n-- limit: 3"
            ),
        ]
        for (arguments, output) in rows {
            let outcome = try Tool.pql(["from-mongo"] + arguments)
            #expect(outcome.output == output + "\n", "\(arguments)")
            #expect(outcome.status == 0)
        }
        let piped = try Tool.pql("from-mongo", "-", input: #"{"age":{"$gt":21}}"#)
        #expect(piped.output == "age > 21\n")
        let both = try Tool.shell(#"pql translate "age > 21 AND name LIKE 'B*'" --to mongo | pql from-mongo --find -"#)
        #expect(both.output == "age > 21 AND name LIKE \"B*\"\n")
    }

    @Test("bad filters end with 65 and show their place")
    func bad() throws {
        let outcome = try Tool.pql("from-mongo", #"{"a":{"$where":"1"}}"#)
        #expect(outcome.status == 65)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("$where is refused"))
        #expect(outcome.error.contains("^^^"))
        #expect(try Tool.pql("check", "--mongo", #"{"a":{"$bad":1}}"#).status == 65)
        #expect(try Tool.pql("check", "--mongo", #"{"a":1}"#).status == 0)
    }

    @Test("run, explain and translate take a filter")
    func inPlace() throws {
        let filter = #"{"state":"MA","population":{"$gt":200000}}"#
        let mongo = try Tool.pql("run", Tool.cities, "--mongo", filter, "--fields", "name")
        let format = try Tool.pql("run", Tool.cities, "state == 'MA' AND population > 200000", "--fields", "name")
        #expect(mongo.output == format.output)
        #expect(mongo.lines.count > 1)
        let explained = try Tool.pql("explain", "--mongo", filter)
        #expect(explained.lines.prefix(2) == ["format:", #"  state == "MA" AND population > 200000"#])
        let translated = try Tool.pql("translate", "--to", "mongo", "--mongo", filter)
        #expect(translated.output == #"{"filter":\#(filter)}"# + "\n")
        #expect(try Tool.pql("run", Tool.cities, "a == 1", "--mongo", filter).status == 64)
        #expect(try Tool.pql("run", Tool.cities).status == 64)
    }
}
