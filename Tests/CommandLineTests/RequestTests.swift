import Testing

/// Requests to services and pipelines on the command line.
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

    @Test("what a service cannot do ends with 65")
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
