import Testing

/// Service requests and pipelines on the command line.
@Suite("pql translate --to rest, group and pipeline", .enabled(if: Tool.executable != nil))
struct RequestTests {
    @Test("one line each")
    func lines() throws {
        let rows: [([String], String)] = [
            (
                ["lastName == 'Barros'", "--sort=-age", "--skip", "2", "--limit", "5", "--fields", "name,age"],
                "query=%7B%22lastName%22:%22Barros%22%7D&sort=%7B%22age%22:-1,%22_id%22:-1%7D&fields=name,age&skip=2&limit=5"
            ),
            (["language == 'C++'"], "query=%7B%22language%22:%22C%2B%2B%22%7D"),
            (["TRUEPREDICATE"], ""),
        ]
        for (arguments, line) in rows {
            let outcome = try Tool.pql(["translate"] + arguments + ["--to", "rest"])
            #expect(outcome.output == line + "\n", "\(arguments)")
        }
        let rest = ["--having", "count > 1", "--sort=-count", "--skip", "1", "--limit", "2"]
        for target in ["group", "rest"] {
            let groups = try Tool.pql(["translate", "TRUEPREDICATE", "--group-by", "state", "--to", target] + rest)
            let note = "on the groups of the answer: having count > 1; sort -count; skip 1; limit 2\n"
            #expect(groups.status == 0 && groups.error.contains("left for the caller, " + note), "\(groups)")
        }
        let group = try Tool.pql("translate", "age > 18", "--group-by", "state", "--to", "group")
        let body =
            #"{"key":{"state":true},"initial":{"count":0},"reduce":"function(doc,out){out[\"count\"]++;}","#
            + #""condition":{"age":{"$gt":18}}}"#
        #expect(group.output == body + "\n")
        let grouped = try Tool.pql("translate", "age > 18", "--group-by", "state", "--to", "rest")
        #expect(grouped.output == group.output)
        let pipeline = try Tool.pql("translate", "a > 1", "--sort", "b", "--limit", "3", "--to", "pipeline")
        #expect(
            pipeline.output == #"{"pipeline":[{"$match":{"a":{"$gt":1}}},{"$sort":{"b":1,"_id":1}},{"$limit":3}]}"#
                + "\n"
        )
        let groups = try Tool.pql("translate", "a > 1", "--group-by", "b", "--to", "pipeline")
        #expect(groups.output.hasPrefix(#"{"pipeline":[{"$match":{"a":{"$gt":1}}},{"$group":"#))
    }

    @Test("counts, changes, removals and pages")
    func actions() throws {
        let query = "query=%7B%22age%22:%7B%22$gt%22:21%7D%7D"
        let rows: [([String], String)] = [
            (["age > 21", "--action", "count"], "GET _count?" + query),
            (
                ["age > 21", "--action", "changes", "--since", "2024-01-01"],
                "GET _deltaset?since=2024-01-01T00:00:00.000Z&" + query
            ),
            (["age > 21", "--action", "removal"], "DELETE ?" + query),
            (["TRUEPREDICATE", "--action", "removalOfAll"], "DELETE ?query=%7B%7D"), (["age > 21"], query),
            (
                ["age > 21", "--pages", "--limit", "15000"],
                "\(query)&sort=%7B%22_id%22:1%7D&skip=0&limit=10000\n"
                    + "\(query)&sort=%7B%22_id%22:1%7D&skip=10000&limit=5000"
            ),
        ]
        for (arguments, line) in rows {
            let outcome = try Tool.pql(["translate", "--to", "rest"] + arguments)
            #expect(outcome.output == line + "\n" && outcome.status == 0, "\(arguments): \(outcome.error)")
        }
        let refused: [([String], Int32)] = [
            (["TRUEPREDICATE", "--action", "removal"], 65), (["age > 21", "--action", "removalOfAll"], 65),
            (["age > 21", "--action", "removal", "--limit", "1"], 65), (["age > 21", "--action", "changes"], 64),
            (["age > 21", "--action", "changes", "--since", "now"], 65), (["age > 21", "--pages"], 64),
            (["age > 21", "--action", "count", "--group-by", "a"], 65),
        ]
        for (arguments, status) in refused {
            #expect(try Tool.pql(["translate", "--to", "rest"] + arguments).status == status, "\(arguments)")
        }
    }

    @Test("what the service does not support is left to memory")
    func halves() throws {
        let format = "age > 21 AND uppercase(name) == 'JO'"
        let outcome = try Tool.pql("translate", format, "--limit", "5", "--to", "mongo", "--split")
        let lines = [
            #"{"filter":{"age":{"$gt":21}}}"#, #"-- in memory: uppercase:(name) == "JO""#, "-- in memory: limit: 5",
        ]
        #expect(outcome.lines == lines)
        #expect(try Tool.pql("translate", "a == 1", "--to", "rest", "--split").lines.count == 1)
        #expect(try Tool.pql("translate", "a == b", "--to", "rest", "--split", "--action", "removal").status == 65)
        #expect(try Tool.pql("translate", "a == b", "--to", "sqlite", "--split").status == 64)
    }

    @Test("what a service does not support exits with 65")
    func refusals() throws {
        let rows = [
            ["a == b", "--to", "rest"], ["a == 1", "--to", "rest", "--limit", "10001"], ["a == 1", "--to", "group"],
            ["a == 1", "--to", "group", "--group-by", "b", "--profile", "mongoDB"],
            ["a == 1", "--to", "pipeline", "--profile", "kinvey"],
            ["a == b", "--to", "mongo", "--profile", "findOnly"],
        ]
        for arguments in rows { #expect(try Tool.pql(["translate"] + arguments).status == 65, "\(arguments)") }
        #expect(try Tool.pql("translate", "a == b", "--to", "rest", "--profile", "mongoDB").status == 0)
        let warned = try Tool.pql("translate", "_id == '123456789012'", "--to", "rest")
        #expect(warned.status == 0 && warned.error.hasPrefix("warning: "))
    }
}
