import Foundation
import PredicateQL
import PredicateQLSQLite
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// Entities through the service as a function.
@Suite struct EntityTests {
    /// A parameter that nobody reads is refused, also where one entity is meant.
    @Test func unknownParametersOfOneEntityAreRefused() async throws {
        let harness = try ServiceHarness()
        let body = #"{"n":{"m":1,"k":2},"s":"x"}"#
        for (method, path) in [("PUT", "Book/a"), ("GET", "Book/a"), ("POST", "Book"), ("DELETE", "Book/a")] {
            for item in ["foo=1", "query={}", "fields=n&foo=1", "limit=1"] {
                let answer = await harness.send(method, path + "?" + item, method.first == "P" ? body : nil)
                #expect(answer.status == 400 && answer.body.contains("unknown parameter"), "\(method) \(answer.body)")
            }
            if method == "PUT" { #expect(await harness.send(method, path, body).status == 201) }
        }
        #expect(await harness.send("PUT", "Book/a?fields=n", body).status == 400)
        let part = await harness.send("GET", "Book/a?fields=n.m,none")
        #expect(part.status == 200 && part.body.hasPrefix(#"{"_id":"a","n":{"m":1},"_acl":"#), "\(part.body)")
        let tag = await harness.send("GET", "Book/a").headers["ETag"]
        #expect(part.headers["ETag"] == tag)
        #expect(await harness.send("GET", "Book/a?fields=-n").status == 400)
        #expect(await harness.send("GET", "Book/a?fields=n&fields=s").status == 400)
    }

    /// Who looks for an email address is not answered with whom the name finds.
    @Test func unknownMembersOfRequestsForUsersAreRefused() async throws {
        let harness = try ServiceHarness()
        let app = ServiceHarness.basic("s")
        let ann = #"{"username":"ann","password":"p"}"#
        #expect(await harness.send("POST", "/user/kid", ann, as: app).status == 201)
        for (path, known) in [
            ("/user/kid/_lookup", #"{"username":"ann""#), ("/rpc/kid/check-username-exists", #"{"username":"ann""#),
            ("/user/kid/login", String(ann.dropLast())),
        ] {
            for member in ["email", "_socialIdentity", "userName"] {
                let answer = await harness.send("POST", path, known + #","\#(member)":"x"}"#, as: app)
                #expect(answer.status == 400 && answer.body.contains("unknown member \(member)"), "\(answer.body)")
                #expect(answer.body.contains("FeatureUnavailable") == (member == "_socialIdentity"), "\(answer.body)")
            }
            #expect(await harness.send("POST", path, known + "}", as: app).status == 200, "\(path)")
        }
    }

    /// Nobody signs up by another site's account; the owner moves users in with what they had.
    @Test func accountsOfOtherSitesAreUnavailable() async throws {
        let harness = try ServiceHarness()
        let social = #"{"_socialIdentity":{"x":{"access_token":"t"}}}"#
        let refused = await harness.send("POST", "/user/kid", social, as: ServiceHarness.basic("s"))
        #expect(refused.status == 400 && refused.body.contains("FeatureUnavailable"), "\(refused.body)")
        #expect(await harness.send("POST", "/user/kid", social, as: ServiceHarness.basic("m")).status == 201)
    }

    /// A failed condition says which, and how a tag is written.
    @Test func conditionsOnVersionsTellWhyTheyFail() async throws {
        let harness = try ServiceHarness()
        #expect(await harness.send("PUT", "Book/a", "{}").status == 201)
        let tag = await harness.send("GET", "Book/a").headers["ETag"] ?? ""
        for (id, header, reason) in [
            ("a", "x", "in quotes, without W/"), ("a", "W/" + tag, "in quotes, without W/"), ("a", "", "in quotes"),
            ("a", "\"x\"", "holds what is no ETag of an entity: that is its _kmd.lmt"),
            ("a", "\"1970-01-01T00:00:00.000Z\"", "no version that If-Match names"), ("b", tag, "no version"),
            ("b", "*", "there is none"),
        ] {
            let answer = await harness.send("PUT", "Book/" + id, "{}", ["If-Match": header])
            #expect(answer.status == 412 && answer.body.contains(reason), "\(header): \(answer.body)")
        }
        // Several headers are one list, in which * is not.
        let old = "\"1970-01-01T00:00:00.000Z\""
        for (others, status) in [([old, old], 412), ([old, tag], 200), (["*", old], 400), ([old, "*"], 400)] {
            var request = WireRequest("PUT", "/appdata/\(ServiceHarness.key)/Book/a", body: Array("{}".utf8))
            request.headers = [("Authorization", ServiceHarness.basic("m")), ("Content-Type", "application/json")]
            for other in others { request.headers.append("If-Match", other) }
            #expect(await harness.service.answer(request).status == status, "\(others)")
        }
    }

    /// Of groups only the circle of a distance counts; no hint names what a request cannot give.
    @Test func groupsOfACircleAndHintsOfRequests() async throws {
        let harness = try ServiceHarness()
        let rows = #"[{"g":[2.35,48.85]},{"g":[2.36,48.85]},{"g":[13.4,52.5]}]"#
        #expect(await harness.send("POST", "Book", rows).status == 201)
        let script = #""initial":{"count":0},"reduce":"function(doc,out){out.count++}""#
        for rest in [#""reducers":[{"op":"count"}]"#, script] {
            for (near, answer) in [
                (#""$nearSphere":[2.35,48.85],"$maxDistance":5"#, #"[{"count":2}]"#),
                (
                    #""$near":{"$geometry":{"type":"Point","coordinates":[2.35,48.85]},"$maxDistance":10}"#,
                    #"[{"count":1}]"#
                ), (#""$nearSphere":[2.35,48.85]"#, "add $maxDistance"),
            ] {
                let body = #"{"key":{},\#(rest),"condition":{"g":{\#(near)}}}"#
                let found = await harness.send("POST", "Book/_group", body)
                #expect(found.body.contains(answer), "\(found.body)")
            }
        }
        for (method, path, body, said) in [
            ("GET", "Book?format=n>1%20SORT(n%20DESC)%20LIMIT(5)", nil, "give sort=-n, give limit=5"),
            ("GET", "Book?format=n>1%20DISTINCT(n)", nil, "ask _group with these keys"),
            (
                "POST", "Book/_find", #"{"query":{"_id":{"$oid":"507f1f77bcf86cd799439011"}}}"#,
                "the 24 digits as a text"
            ),
            ("POST", "Book/_find", #"{"query":{"$expr":{"$gt":["$a","$b"]}}}"#, "as format, in place of query: a > b"),
        ] as [(String, String, String?, String)] {
            let answer = await harness.send(method, path, body)
            #expect(answer.status == 400 && answer.body.contains(said), "\(answer.body)")
            for text in ["pql:", "declare", "schema"] { #expect(!answer.body.contains(text), "\(answer.body)") }
        }
    }

    /// The service gives what a script would leave, also of numbers that the groups do not reach.
    @Test func groupsOfScriptsHaveTheirFields() async throws {
        let harness = try ServiceHarness()
        #expect(await harness.send("POST", "Book", #"[{"s":"a.b","n":1},{"s":"a.b","n":3},{"s":"c"}]"#).status == 201)
        for (initial, statement, answers) in [
            (#"{"min":2}"#, "out.min=Math.min(out.min,doc.n)", [#"{"s":"a.b","min":1}"#, #"{"s":"c","min":2}"#]),
            (#"{"m":-9007199254740991}"#, "out.m=Math.max(out.m,doc.n)", [#"{"s":"a.b","m":3}"#, "-9007199254740991"]),
            (
                #"{"count":0,"average":0}"#,
                "out.average=(out.average*out.count+doc.n)/(out.count+1);out.count+=1;return out",
                [#"{"s":"a.b","count":2,"average":2.0}"#]
            ),
        ] {
            let body = #"{"key":{"s":true},"initial":\#(initial),"reduce":"function(doc,out){\#(statement);}"}"#
            let answer = await harness.send("POST", "Book/_group", body)
            #expect(answer.status == 200, "\(answer.body)")
            for group in answers { #expect(answer.body.contains(group), "\(answer.body)") }
        }
        let other = #"{"key":{},"initial":{"n":0},"reduce":"function(doc,out){out.n+=2;}"}"#
        #expect(await harness.send("POST", "Book/_group", other).body.contains("FeatureUnavailable"))
    }

    /// Messages say what a request can do: it has no arguments, and no number is too large for a limit.
    @Test func messagesSayWhatARequestCanDo() async throws {
        let harness = try ServiceHarness { $0.limits.entitiesPerAnswer = 2 }
        #expect(await harness.send("POST", "Book", #"[{"n":1},{"n":2},{"n":3}]"#).status == 201)
        for (method, path, body, said) in [
            ("GET", "Book?format=n>%25@", nil, "write the value in the text"),
            ("GET", "Book?format=n>$x", nil, "gives variables no values"),
            ("GET", "Book/_count?format=n>$x", nil, "gives variables no values"),
            (
                "POST", "Book/_find",
                #"{"pql":{"where":{"compare":"<","left":{"field":["n"]},"right":{"variable":"x"}}}}"#, "gives variables"
            ),
            ("POST", "Book/_find", #"{"sort":["n"]}"#, #"{\"year\":-1,\"title\":1}"#),
            ("POST", "Book/_group", #"{"key":5,"reducers":[]}"#, #"[\"year\"]"#),
            ("POST", "Book/_group", #"{"key":["n"],"reducers":[]}"#, "more than 2 groups"),
            ("POST", "Book", #"{"_acl":{"groups":{"r":["g"]}}}"#, "_acl.groups must be empty"),
            ("POST", "Book/_group", #"{"key":["s"],"reducers":[{"op":"count"}],"sort":{"m":1}}"#, "at: sort"),
            ("POST", "Book/_group", #"{"key":["s"],"reducers":[{"op":"count"}],"sort":"-m"}"#, "at: sort"),
            ("POST", "Book/_group", #"{"key":["s"],"reducers":[{"op":"first","field":"n"}]}"#, "at: reducers[0]"),
            (
                "POST", "Book/_group", #"{"key":[],"reducers":[{"op":"count"}],"having":"m > 1"}"#,
                "a group has no field m"
            ),
            ("POST", "Book/_group", #"{"key":["month(n)"],"reducers":[]}"#, #"{\"of\":{\"call\":\"month:\""#),
            ("GET", "Book?query={\"items.0.sku\":1}", nil, "as items[0].sku"),
            ("POST", "Book/_group", #"{"key":[],"reducers":[{"op":"count"}],"condition":{"a.0.b":1}}"#, "as a[0].b"),
            ("GET", "Book?query={\"a\":{\"$elemMatch\":{\"b\":{\"$ne\":1}}}}", nil, "ANY items.n > 1"),
            ("GET", "Book?sort=n%20desc", nil, #"{\"n desc\":1}"#),
            ("GET", "Book?sort=-n:desc", nil, #"{\"n:desc\":1}"#),
            ("GET", "Book?sort=%2Bn", nil, #"{\"+n\":1}"#), ("GET", "Book?sort=n,desc", nil, #"{\"desc\":1}"#),
            ("GET", "Book?sort=,", nil, "a name in sort is empty"), ("GET", "Book?sort=n,", nil, "is empty"),
            ("PUT", "Book/a%7Fb", "{}", "the id is not allowed: it takes 1 to 256 bytes"),
            ("POST", "Book", #"{"_id":"a\u007Fb"}"#, "the _id is not allowed: it takes 1 to 256 bytes"),
            ("POST", "Book", "", "the body is empty"),
            ("GET", "Book?skip=99999999999999999999", nil, "skip"), ("GET", "Book?limit=-1", nil, "not negative"),
        ] as [(String, String, String?, String)] {
            let answer = await harness.send(method, path, body)
            #expect(answer.status == 400 && answer.body.contains(said), "\(path) \(answer.body)")
            #expect(!answer.body.contains("pql:"), "\(answer.body)")
            #expect(!answer.body.contains("schema"), "\(answer.body)")
        }
        for limit in ["9223372036854775807", "9223372036854775808", "99999999999999999999"] {
            let answer = await harness.send("GET", "Book?limit=" + limit)
            #expect(answer.status == 200 && answer.headers["X-PQL-Truncated"] == "2", "\(answer.body)")
        }
    }

    /// What a query with the time finds changes without a write: no tag names it, and no delta tells it.
    @Test func answersThatChangeWithTheTimeHaveNoTag() async throws {
        let harness = try ServiceHarness { $0.deltas = .all }
        let tree =
            #"{"pql":{"where":{"compare":"<","left":{"field":["d"]},"right":{"call":"now","arguments":[]}}}}"#
        // None yet, an empty delta from the first tick, and one with a change.
        for isThere in [false, true] {
            for query in ["format=d<now()", "format=n=1 OR NOT d>=now()"] {
                let delta = await harness.send("GET", "Book/_deltaset?since=1970-01-01T00:00:00.000Z&" + query)
                #expect(delta.status == 400 && delta.body.contains("ParameterValueOutOfRange"), "\(query)")
            }
            let steady = await harness.send("GET", "Book/_deltaset?since=1970-01-01T00:00:00.000Z&format=n<1")
            #expect(steady.status == 200)
            if !isThere { _ = await harness.send("PUT", "Book/a", #"{"n":0,"d":"2020-07-16T16:16:40.000Z"}"#) }
        }
        for path in ["Book?format=d<now()", "Book?format=d<now()&limit=1", "Book/_count?format=d<now()"] {
            let early = await harness.send("GET", path)
            #expect(early.status == 200 && early.headers["ETag"] == nil, "\(path)")
            for tag in ["*", "\"x\""] {
                let again = await harness.send("GET", path, nil, ["If-None-Match": tag])
                #expect(again.status == 200 && again.headers["ETag"] == nil, "\(path)")
            }
        }
        for path in ["Book/_find", "Book/_count"] {
            let answer = await harness.send("POST", path, tree, ["If-None-Match": "*"])
            #expect(answer.status == 200 && answer.headers["ETag"] == nil, "\(path) \(answer.body)")
        }
        let tag = try #require(await harness.send("GET", "Book?format=n<1").headers["ETag"])
        #expect(await harness.send("GET", "Book?format=n<1", nil, ["If-None-Match": tag]).status == 304)
        #expect(await harness.send("GET", "Book?format=n<1", nil, ["If-None-Match": "*, \(tag)"]).status == 400)
    }

    @Test func anEntityIsAddedReadReplacedAndRemoved() async throws {
        let harness = try ServiceHarness()
        let made = await harness.send("POST", "Book", #"{"title":"Emma","pages":474}"#)
        #expect(made.status == 201)
        guard case .object(let book)? = made.json, case .string(let id)? = book["_id"] else {
            Issue.record("no entity: \(made.body)")
            return
        }
        #expect(id.utf8.count == 26)
        #expect(made.headers["Location"] == "/appdata/kid/Book/\(id)")
        let read = await harness.send("GET", "Book/\(id)")
        #expect(read.status == 200)
        #expect(read.body == made.body)
        #expect(read.headers["X-Kinvey-Request-Start"] == "2020-07-16T16:16:37.597Z")
        #expect(read.headers["ETag"] == "\"2020-07-16T16:16:37.597Z\"")
        let replaced = await harness.send("PUT", "Book/\(id)", #"{"title":"Persuasion"}"#)
        #expect(replaced.status == 200)
        #expect(replaced.body.contains(#""ect":"2020-07-16T16:16:37.597Z","lmt":"2020-07-16T16:16:37.598Z""#))
        #expect(await harness.send("DELETE", "Book/\(id)").body == #"{"count":1}"#)
        #expect(await harness.send("GET", "Book/\(id)").status == 404)
        #expect(await harness.send("DELETE", "Book/\(id)").status == 404)
    }

    @Test func severalEntitiesAreAddedEachForItself() async throws {
        let harness = try ServiceHarness()
        let all = await harness.send("POST", "Book", #"[{"_id":"a"},{"_id":"b"}]"#)
        #expect(all.status == 201)
        let some = await harness.send("POST", "Book", #"[{"_id":"b","n":2},{"_id":"c"},7]"#)
        #expect(some.status == 207)
        guard case .object(let body)? = some.json, case .list(let entities)? = body["entities"],
            case .list(let errors)? = body["errors"]
        else {
            Issue.record("\(some.body)")
            return
        }
        #expect(entities.map(\.isNull) == [true, false, true])
        #expect(errors.count == 2)
        #expect(some.body.contains("An entity with that _id already exists in this collection"))
        #expect(await harness.send("POST", "Book", "[]").body.contains("Request body cannot be an empty array"))
    }

    /// What is not obeyed is refused: conditions that name no entity, other keys of `_acl`, orders and fields of other
    /// forms.
    @Test func nothingIsPassedOver() async throws {
        let harness = try ServiceHarness()
        #expect(await harness.send("POST", "Book", #"[{"_id":"a","v":1},{"_id":"b","v":2}]"#).status == 201)
        let stale = ["If-Match": "\"2013-06-21T12:51:38.000Z\""]
        let (owner, find) = (ServiceHarness.basic("m"), #"Book?query={"v":1}"#)
        #expect(await harness.send("DELETE", find, as: owner, stale).status == 400)
        #expect(await harness.send("POST", "Book", #"{"_id":"c"}"#, as: owner, stale).status == 400)
        #expect(await harness.send("POST", "Book", #"[{"_id":"c"}]"#, as: owner, stale).status == 400)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":2}"#)
        #expect(await harness.send("GET", "/rpc/kid/check-username-exists").status == 405)
        let nowhere = await harness.send("DELETE", "/base/appdata/kid/Book/b")
        #expect(nowhere.status == 404 && nowhere.body.contains("PathNotFound"))
        for (method, path) in [
            ("POST", "/rpc/kid/custom/f"), ("GET", "/roles/kid"), ("GET", "/roles/kid/r/membership"),
            ("GET", "/user/kid/u/roles"), ("PUT", "/user/kid/u/roles/r"), ("POST", "/user/kid/u/_restore"),
        ] {
            #expect(await harness.send(method, path, "{}").body.contains("FeatureUnavailable"), "\(path)")
        }
        #expect(await harness.send("GET", "/user/kid/u/rules").status == 404)
        for header in ["X-HTTP-Method-Override", "x-http-method", "X-Method-Override"] {
            let refused = await harness.send("POST", "Book", #"{"_id":"c"}"#, as: owner, [header: "GET"])
            #expect(refused.status == 400 && refused.body.contains("send the method itself"), "\(refused.body)")
        }
        for access in [#"{"Gr":false}"#, #"{"groups":{"r":["g"]}}"#, #"{"gr":"yes"}"#, #"{"r":"bob"}"#] {
            let refused = await harness.send("POST", "Book", #"{"_acl":\#(access)}"#)
            #expect(refused.status == 400 && refused.body.contains("_acl"), "\(refused.body)")
        }
        for part in [#"sort=[["v",-1]]"#, "sort=v[c]", #"fields=["v"]"#, #"fields={"v":1}"#, "fields=-v"] {
            #expect(await harness.send("GET", "Book?" + part).status == 400, "\(part)")
        }
    }

    /// What the worst row could cost does not refuse what real rows answer at once.
    @Test func listsAreLookedForInLists() async throws {
        let harness = try ServiceHarness()
        _ = await harness.send(
            "POST",
            "Book",
            #"{"nums":[1,2],"nick":"a","tags":["A"],"items":[{"qty":2,"tags":["A"]}]}"#
        )
        for format in [
            "ANY items.qty IN nums", "ALL items.qty IN nums", "ANY tags CONTAINS[cd] nick", "ANY tags IN {'A', 'B'}",
            "SUBQUERY(items, $i, ANY $i.tags IN tags).@count > 0",
            "SUBQUERY(items, $i, SUBQUERY($i.tags, $t, $t == 'A').@count > 0).@count > 0",
        ] {
            let found = await harness.send("POST", "Book/_find", #"{"format":"\#(format)"}"#)
            #expect(found.status == 200 && found.body.contains("qty"), "\(format) \(found.body)")
        }
    }

    /// SQLite's functions would end such a text there, and find it by its beginning.
    @Test func textsWithNulAreRefused() async throws {
        let harness = try ServiceHarness()
        for body in [#"{"v":"a\u0000b"}"#, #"{"a\u0000b":1}"#, #"{"l":[{"x":"\\\u0000"}]}"#] {
            let refused = await harness.send("POST", "Book", body)
            #expect(refused.status == 400 && refused.body.contains("NUL"), "\(body) \(refused.body)")
        }
        #expect(await harness.send("POST", "Book", #"{"v":"\\u0000 \\"}"#).status == 201)
    }

    /// `pql run` reads them as values, and filters would take them for objects.
    @Test func valuesOfExtendedJSONAreRefused() async throws {
        let harness = try ServiceHarness()
        let id = "507f1f77bcf86cd799439011"
        for (value, advice) in [
            (#"{"$date":"2020-01-01T00:00:00Z"}"#, "d[0].x: an entity is plain JSON"),
            (#"{"$date":0}"#, "ISO 8601 text"),
            (#"{"$numberLong":"5"}"#, "write the number"), (#"{"$oid":"\#(id)"}"#, "write the text"),
            (#"{"$binary":{"base64":"","subType":"00"}}"#, "base64 text"), (#"{"$minKey":1}"#, "no such value"),
        ] {
            let refused = await harness.send("PUT", "Book/a", #"{"d":[{"x":\#(value)}]}"#)
            #expect(refused.status == 400 && refused.body.contains(advice), "\(refused.body)")
            let user = await harness.send("POST", "/user/kid", #"{"x":\#(value)}"#)
            #expect(user.status == 400, "\(user.body)")
        }
        let kept =
            #"{"_geoloc":[-71.1,42.4],"a":"ISODate(\"2020-01-01T00:00:00.000Z\")","b":{"$date":1,"c":2},"d":{"$x":1}}"#
        #expect(await harness.send("PUT", "Book/a", kept).status == 201)
    }

    /// What HTTP says about a body is obeyed or refused, and about a path told.
    @Test func headersAreObeyed() async throws {
        let harness = try ServiceHarness()
        let owner = ServiceHarness.basic("m")
        for type in [
            #"application/json; charset="UTF-8""#, "Application/JSON;odata=verbose", "application/json;\tcharset=utf-8",
        ] {
            #expect(
                await harness.send("POST", "Book", "{}", as: owner, ["Content-Type": type]).status == 201,
                "\(type)"
            )
        }
        for coding in ["gzip", "br", "deflate"] {
            let refused = await harness.send("POST", "Book", "{}", as: owner, ["Content-Encoding": coding])
            #expect(refused.status == 415 && refused.body.contains("Content-Encoding \(coding)"), "\(refused.body)")
        }
        #expect(await harness.send("POST", "Book", "{}", as: owner, ["Content-Encoding": "identity"]).status == 201)
        let marked = await harness.send("POST", "Book", "\u{FEFF}{}")
        #expect(marked.status == 400 && marked.body.contains("byte order mark"), "\(marked.body)")
        let method = await harness.send("PATCH", "Book/a", "{}")
        #expect(method.status == 405 && method.headers["Allow"] == "GET, PUT, DELETE, HEAD, OPTIONS")
        #expect(await harness.send("OPTIONS", "Book/a").headers["Allow"] == method.headers["Allow"])
        let unknown = await harness.send("GET", "Book/_count?limit=1")
        #expect(unknown.body.contains("unknown parameter limit; what is taken here: query, format"), "\(unknown.body)")
        let none = await harness.send("PUT", "Book/a?limit=1", "{}")
        #expect(none.body.contains("unknown parameter limit; no parameter is taken here"), "\(none.body)")
        #expect(await harness.send("GET", "Book").headers["Vary"] == nil)
        let open = try ServiceHarness { $0.origins = ["https://a.example"] }
        #expect(await open.send("GET", "Book").headers["Vary"] == "Origin")
        let asked = await open.send("OPTIONS", "Book", nil, ["Origin": "https://a.example"])
        let allowed = asked.headers["Access-Control-Allow-Headers"] ?? ""
        for name in ["X-Kinvey-Custom-Request-Properties", "X-Kinvey-Device-Information", "X-Kinvey-Device-Info"] {
            #expect(allowed.components(separatedBy: ", ").contains(name), "\(allowed)")
        }
    }

    /// A request that was asked before is answered from what is stored now, for who asks now.
    @Test func aRepeatedRequestIsAnsweredAnew() async throws {
        let harness = try ServiceHarness { $0.rights = .private }
        let users = [await harness.signUp("Ann").session, await harness.signUp("Bob").session]
        let find = #"Book?query={"tags":"red"}&sort=n&fields=n"#
        func found(_ user: String) async -> [QueryValue] {
            guard case .list(let entities)? = await harness.send("GET", find, as: user).json else { return [.null] }
            return entities.compactMap { if case .object(let entity) = $0 { entity["n"] } else { nil } }
        }
        #expect(await found(users[0]).isEmpty)
        for (number, user) in [(1, users[0]), (2, users[1])] {
            #expect(await harness.send("POST", "Book", #"{"n":\#(number),"tags":"red"}"#, as: user).status == 201)
        }
        for _ in 0..<2 {
            #expect(await found(users[0]) == [1])
            #expect(await found(users[1]) == [2])
        }
        // From now on, tags may be a list.
        #expect(await harness.send("POST", "Book", #"{"n":3,"tags":["blue","red"]}"#, as: users[0]).status == 201)
        #expect(await found(users[0]) == [1, 3])
        #expect(await found(users[1]) == [2])
        for number in 0..<1_000 { _ = await harness.send("GET", "Book?limit=\(number)") }
        #expect((129...256).contains(harness.service.finds.count))
        #expect(await found(users[0]) == [1, 3])
    }

    /// A slow query that is asked often gets its index, once, and uses it.
    @Test func indexesAreMadeForSlowQueries() async throws {
        let harness = try ServiceHarness { configuration in
            configuration.makesIndexes = true
            configuration.slowQuery = .zero
        }
        let made = (0..<50).map { #"{"_id":"\#($0)","n":\#($0 % 7)}"# }.joined(separator: ",")
        #expect(await harness.send("POST", "Book", "[\(made)]").status == 201)
        #expect(try await indexes(harness).isEmpty)
        let find = #"Book?query={"n":{"$gte":5}}&sort=n&limit=3"#
        let first = await harness.send("GET", find)
        #expect(first.status == 200)
        for _ in 0..<6 { _ = await harness.send("GET", find) }
        #expect(try await indexes(harness).isEmpty)
        _ = await harness.send("GET", find)
        let expected = [#"CREATE INDEX "e1_n__id" ON "e1" (json_extract("doc", '$.n'), "id")"#]
        #expect(try await indexes(harness) == expected)
        #expect(await harness.send("GET", find).body == first.body)
        // One caller alone makes none, however often it asks.
        var users: [String] = []
        for name in ["ann", "bob", "cem"] { users.append(await harness.signUp(name).session) }
        let other = #"Book?query={"m":1}"#
        for _ in 0..<20 { _ = await harness.send("GET", other, as: users[0]) }
        #expect(try await indexes(harness) == expected)
        for user in users { _ = await harness.send("GET", other, as: user) }
        #expect(try await indexes(harness).count == 2)
        // The key has an index.
        #expect(await harness.send("GET", #"Book?query={"_id":{"$gt":"10"}}&sort=_id&limit=3"#).status == 200)
        #expect(try await indexes(harness).count == 2)
    }

    /// An automatic index that no request uses for a week goes, and comes back where it is asked for again.
    @Test func indexesThatNobodyUsesGo() async throws {
        let harness = try ServiceHarness { configuration in
            configuration.makesIndexes = true
            configuration.slowQuery = .zero
            configuration.indexes = ["Book": ["kept"]]
        }
        #expect(await harness.send("POST", "Book", #"[{"n":1,"m":1},{"n":2,"m":2}]"#).status == 201)
        let (used, unused) = (#"Book?query={"n":2}"#, #"Book?query={"m":2}"#)
        for _ in 0..<8 { for find in [used, unused] { _ = await harness.send("GET", find) } }
        let all = try await indexes(harness)
        #expect(all.count == 3)
        let day: Int64 = 86_400_000
        harness.time.advance(6 * day)
        #expect(await !harness.service.tidy())
        #expect(try await indexes(harness) == all)
        // Later requests than those are not known any more, but for the one that goes on.
        harness.time.advance(2 * day)
        for number in 0..<300 {
            _ = await harness.send("GET", "Book?limit=\(number)")
            if number % 50 == 0 { _ = await harness.send("GET", used) }
        }
        #expect(await !harness.service.tidy())
        let left = try await indexes(harness)
        #expect(left == all.filter { !$0.contains("$.m") } && left.count == 2)
        for _ in 0..<8 { _ = await harness.send("GET", unused) }
        #expect(try await indexes(harness).count == 3)
        // One that the owner names from now on stays, used or not.
        #expect(
            await harness.send("PUT", "/admin/\(ServiceHarness.key)", #"{"indexes":{"Book":["kept","m"]}}"#).status
                == 200
        )
        harness.time.advance(30 * day)
        for number in 0..<300 { _ = await harness.send("GET", "Book?limit=\(number)") }
        #expect(await !harness.service.tidy())
        #expect(try await indexes(harness).filter { $0.contains("$.m") || $0.contains("$.kept") }.count == 2)
    }

    /// A text of SQLite with the names of indexes as they would be without a digest.
    private func plain(_ text: String) -> String { text.replacing(#/e1\.[0-9a-f]+_/#, with: "e1_") }

    /// The indexes of the first collection but those that all have, without their digests.
    private func indexes(_ harness: ServiceHarness, _ column: String = "sql") async throws -> [String] {
        try await wholeIndexes(harness, column).map(plain)
    }

    private func wholeIndexes(_ harness: ServiceHarness, _ column: String = "name") async throws -> [String] {
        try await harness.service.storage.read(for: "a") { (connection) throws(ServiceFault) in
            var found: [String] = []
            try connection.faults { () throws(QueryError) in
                try connection.forEach(
                    "SELECT \(column) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'e1' AND sql IS NOT NULL "
                        + "AND name NOT LIKE 'e1%_kmd%'"
                ) { row in
                    found.append(row.string(at: 0) ?? "")
                    return true
                }
            }
            return found
        }
    }

    /// A path to compare serves a range and its order, too.
    @Test func indexesAreDeclared() async throws {
        let harness = try ServiceHarness { $0.indexes = ["Book": ["n", "author,-year"]] }
        #expect(await harness.send("POST", "Book", #"{"n":1}"#).status == 201)
        let found = try await indexes(harness)
        #expect(found.first == #"CREATE INDEX "e1_n" ON "e1" (json_extract("doc", '$.n'))"#)
        #expect(found.count == 2 && found.last?.hasPrefix(#"CREATE INDEX "e1_author_year_rank"#) == true, "\(found)")
        let plan = try await plan(Query(format: "n >= 5", order: ["-n"], limit: 20), harness)
        // Only rows of one number are sorted.
        #expect(plan.first.map(plain) == "SEARCH e1 USING INDEX e1_n (<expr>>? AND <expr><?)")
        #expect(plan.count == 2 && plan.last?.hasSuffix("OF ORDER BY") == true, "\(plan)")
    }

    /// The indexes are those that the settings name: others go with the change, with a start, and with an import.
    @Test func indexesThatSettingsRemoveGo() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        func names(_ harness: ServiceHarness) async throws -> [String] {
            try await indexes(harness, "name")
        }
        var harness = try ServiceHarness(path: path) { configuration in
            configuration.indexes = ["Book": ["n", "m"]]
            configuration.rights = .private
            configuration.makesIndexes = true
            configuration.slowQuery = .zero
        }
        #expect(await harness.send("POST", "Book", #"{"n":1}"#).status == 201)
        // One that was made by itself, one of the owner, one of another form, and two as an earlier version named them.
        for _ in 0..<8 { _ = await harness.send("GET", #"Book?query={"k":1}"#) }
        let made = try #require(try await wholeIndexes(harness).first { $0.hasSuffix("_m") })
        try await harness.service.storage.change { (group) throws(QueryError) in
            try group.connection.database.execute(
                """
                CREATE INDEX own ON e1 (tick); DROP INDEX "\(made)"; CREATE INDEX "\(made)" ON e1 (tick);
                CREATE INDEX "e1_n" ON "e1" (json_extract("doc", '$.n'));
                CREATE INDEX "e1_z" ON "e1" (json_extract("doc", '$.z')); INSERT INTO autoIndex VALUES
                ('e1_z', 1, 'CREATE INDEX IF NOT EXISTS "e1_z" ON "e1" (json_extract("doc", ''$.z''))', 1);
                """
            )
        }
        let others = ["e1_k", "own"]
        let all = ["e1__acl_creator", "e1_k", "e1_m", "e1_n", "e1_n", "e1_z", "own"]
        #expect(try await names(harness).sorted() == all)
        func put(_ body: String) async -> Int {
            await harness.send("PUT", "/admin/\(ServiceHarness.key)?loosen=true", body).status
        }
        #expect(await put(#"{"indexes":{"Book":["m","k"]},"rights":"shared"}"#) == 200)
        #expect(try await names(harness).sorted() == ["e1_k", "e1_m", "own"])
        #expect(try await indexes(harness).contains(#"CREATE INDEX "e1_m" ON "e1" (json_extract("doc", '$.m'))"#))
        // A change that is refused drops nothing, and what was dropped is made again.
        #expect(await put(#"{"indexes":{"Book":["a,a"]}}"#) == 400)
        #expect(await put(#"{"indexes":{"Book":["n"]}}"#) == 200)
        #expect(try await names(harness).sorted() == ["e1_k", "e1_n", "own"])
        #expect(await put(#"{"indexes":{"Book":null}}"#) == 200)
        #expect(try await names(harness).sorted() == others)
        harness.service.close()
        for fields in [["n"], []] {
            harness = try ServiceHarness(path: path) { $0.indexes = fields.isEmpty ? [:] : ["Book": fields] }
            #expect(try await names(harness).sorted() == (others + fields.map { "e1_" + $0 }).sorted())
            harness.service.close()
        }
    }

    /// Paths whose names agree in SQL have an index each; what else has the name of one is said in words.
    @Test func indexesOfOneNameAreAllMade() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let keys = ["a.b", "a_b", "a,b", "a", "A", "a_desc", "c,-a"]
        let harness = try ServiceHarness(path: path) { $0.indexes = ["Book": keys] }
        #expect(await harness.send("POST", "Book", #"{"a":1}"#).status == 201)
        #expect(Set(try await indexes(harness)).count == keys.count)
        let name = try #require(try await wholeIndexes(harness).last { $0.hasSuffix("_a") })
        func put(_ body: String) async -> ServiceHarness.Answer {
            await harness.send("PUT", "/admin/\(ServiceHarness.key)", body)
        }
        #expect(await put(#"{"indexes":{"Book":["a_b"]}}"#).status == 200)
        try await harness.service.storage.change { (group) throws(QueryError) in
            try group.connection.database.execute("CREATE TABLE \"\(name)\" (x)")
        }
        let refused = await put(#"{"indexes":{"Book":["a"]},"historyDays":20}"#)
        let reason = "has a name that only indexes of the collection Book have"
        #expect(refused.status == 500 && refused.body.contains(reason), "\(refused.body)")
        #expect(harness.service.configuration.historyDays == 15)
        #expect(await harness.send("POST", "Book", #"{"a":2}"#).status == 201)
        harness.service.close()
        let error = #expect(throws: QueryError.self) { try ServiceHarness(path: path) { _ in } }
        #expect(error?.message.contains(reason) == true && error?.hint != nil, "\(error?.message ?? "")")
    }

    /// The newest of a collection are read from an index of every collection, and so are those since a time.
    @Test(arguments: ["lmt", "ect"]) func timesHaveAnIndex(_ time: String) async throws {
        let harness = try ServiceHarness()
        for id in ["a", "b", "c"] { #expect(await harness.send("POST", "Book", #"{"_id":"\#(id)"}"#).status == 201) }
        let order = SortKey(FieldPath(keys: ["_kmd", time]), ascending: false)
        for condition in [.constant(true), Field(order.path) > "2024"] as [Condition] {
            let plan = try await plan(Query(condition, order: [order], limit: 20), harness)
            #expect(
                plan.count == 1 && plan.first.map(plain)?.contains("USING INDEX e1__kmd_\(time)__id") == true,
                "\(plan)"
            )
        }
        let newest = await harness.send("GET", #"Book?sort={"_kmd.\#(time)":-1}&limit=1"#)
        #expect(newest.body.hasPrefix(#"[{"_id":"c""#), "\(newest.body)")
    }

    /// How the database reads what a query finds.
    private func plan(_ query: Query, _ harness: ServiceHarness) async throws -> [String] {
        try await harness.service.storage.read(for: "a") { (connection) throws(ServiceFault) in
            try connection.faults { () throws(QueryError) in
                let statement = try query.sql(.sqlite, from: SQLTable("e1", storage: .entities))
                return try connection.database.queryPlan(statement.sql, statement.bindings)
            }
        }
    }

    /// `$nearSphere` asks for entities from the nearest on; a distance to a pair is in miles, to a GeoJSON point in metres.
    @Test func placesAreFoundFromTheNearestOn() async throws {
        let harness = try ServiceHarness()
        let places = [
            ("boston", "[-71.0589,42.3601]"), ("cambridge", "[-71.1097,42.3736]"), ("dover", "[-70.8737,43.1979]"),
            ("york", "[-74.006,40.7128]"), ("nowhere", "null"),
        ]
        for (name, place) in places {
            _ = await harness.send("POST", "City", #"{"_id":"\#(name)","n":\#(name.count),"_geoloc":\#(place)}"#)
        }
        func found(_ filter: String, _ rest: String = "") async -> [String] {
            let answer = await harness.send("GET", "City?query=" + filter + rest)
            guard case .list(let entities)? = answer.json else { return [answer.body] }
            return entities.compactMap { entity in
                if case .object(let entity) = entity, case .string(let id)? = entity["_id"] { id } else { nil }
            }
        }
        let here = "[-71.11,42.37]"
        let point = #"{"type":"Point","coordinates":\#(here)}"#
        let all = ["cambridge", "boston", "dover", "york"]
        #expect(await found(#"{"_geoloc":{"$nearSphere":\#(here)}}"#) == all)
        #expect(await found(#"{"_geoloc":{"$nearSphere":\#(here)}}"#, "&skip=1&limit=2") == ["boston", "dover"])
        #expect(
            await found(#"{"_geoloc":{"$nearSphere":\#(here)}}"#, "&sort=n") == [
                "york", "dover", "boston", "cambridge",
            ]
        )
        #expect(await found(#"{"_geoloc":{"$nearSphere":\#(here),"$maxDistance":10}}"#) == ["cambridge", "boston"])
        #expect(await found(#"{"_geoloc":{"$near":{"$geometry":\#(point),"$maxDistance":1000}}}"#) == ["cambridge"])
        let far = #"{"$and":[{"n":{"$gt":4}},{"_geoloc":{"$nearSphere":{"$geometry":\#(point),"$minDistance":1000}}}]}"#
        #expect(await found(far) == ["boston", "dover"])
        let near = #"{"_geoloc":{"$nearSphere":\#(here),"$maxDistance":100}}"#
        #expect(await harness.send("GET", "City/_count?query=" + near).body == #"{"count":3}"#)
        #expect(await harness.send("DELETE", "City?query=" + near).body == #"{"count":3}"#)
        for refused in [
            #"{"$or":[{"n":1},{"_geoloc":{"$nearSphere":[0,0]}}]}"#, #"{"_geoloc":{"$near":[0,0]}}"#,
            #"{"_geoloc":{"$nearSphere":[0,91]}}"#, #"{"_geoloc":{"$maxDistance":1}}"#,
            #"{"_geoloc":{"$nearSphere":[0,0],"$maxDistance":-1}}"#,
            #"{"a":{"$nearSphere":[0,0]},"b":{"$nearSphere":[0,0]}}"#,
        ] {
            #expect(await harness.send("GET", "City?query=" + refused).status == 400, "\(refused)")
        }
    }

    /// A condition in the library's own language stands in a URL as a filter does, and a session is one of Bearer, too.
    @Test func urlsTakeConditions() async throws {
        let harness = try ServiceHarness()
        let user = await harness.signUp("ann").session
        let bearer = "Bearer " + user.dropFirst("Kinvey ".count)
        #expect(await harness.send("POST", "Book", #"[{"n":1},{"n":2},{"n":3}]"#, as: bearer).status == 201)
        #expect(await harness.send("GET", "Book/_count?format=n >= 2", as: bearer).body == #"{"count":2}"#)
        #expect(await harness.send("DELETE", "Book?format=n == 3", as: bearer).body == #"{"count":1}"#)
        let both = await harness.send("GET", "Book?format=n >= 2&query={}", as: bearer)
        #expect(both.status == 400 && both.body.contains("exclude each other"))
        #expect(await harness.send("GET", "Book?format=n >>> 2").status == 400)
        #expect(await harness.send("GET", "Book?formatt=n >= 2").body.contains("did you mean format?"))
    }

    /// The master secret says who made an entity, and when; nobody else does.
    @Test func theOwnerMovesDataInOverTheWire() async throws {
        let harness = try ServiceHarness { $0.deltas = .all }
        let (old, late) = ("2013-06-21T12:51:37.817Z", "2014-06-21T12:51:37.817Z")
        let user = await harness.send(
            "POST",
            "/user/kid",
            #"{"_id":"u1","username":"ann","password":"p","_kmd":{"ect":"\#(old)","lmt":"\#(late)"}}"#
        )
        #expect(
            user.status == 201
                && user.body.contains(#""_acl":{"creator":"u1"},"_kmd":{"ect":"\#(old)","lmt":"\#(late)","#)
        )
        #expect(await harness.send("POST", "/user/kid", #"{"_id":"u1","username":"bob"}"#).status == 409)
        #expect(await harness.send("POST", "/user/kid", #"{"_id":"_x","username":"bob"}"#).status == 400)
        let signed = await harness.send(
            "POST",
            "/user/kid",
            #"{"username":"eve","password":"p","_kmd":{"ect":"\#(old)"}}"#,
            as: ServiceHarness.basic("s")
        )
        #expect(signed.status == 201 && !signed.body.contains(old))
        let body = #"{"n":1,"_acl":{"creator":"u1","r":["u2"]},"_kmd":{"ect":"\#(old)","lmt":"\#(late)"}}"#
        let stored = #""n":1,"_acl":{"creator":"u1","r":["u2"]},"_kmd":{"ect":"\#(old)","lmt":"\#(late)"}}"#
        for (method, path) in [("PUT", "Book/a"), ("POST", "Book")] {
            let made = await harness.send(method, path, body)
            #expect(made.status == 201 && made.body.hasSuffix(stored) && made.headers["ETag"] == "\"\(late)\"")
        }
        #expect(await harness.send("POST", "Book", "[\(body)]").body.contains(stored))
        #expect(await harness.send("GET", "Book/a").headers["ETag"] == "\"\(late)\"")
        // What is moved in twice stays as it is; another content has a time of its own.
        let tick = await harness.send("GET", "Book?limit=1").headers["X-Kinvey-Request-Start"] ?? ""
        let twice = await harness.send("PUT", "Book/a", body)
        #expect(twice.body.hasSuffix(stored) && twice.headers["ETag"] == "\"\(late)\"")
        let changed = await harness.send("PUT", "Book/a", body.replacing(#""n":1"#, with: #""n":2"#))
        #expect(changed.body.contains(#""creator":"u1""#) && changed.body.contains(#""ect":"\#(old)""#))
        #expect(!changed.body.contains(late))
        // Old entities are news to those who read before.
        #expect(await harness.send("PUT", "Book/new", body).status == 201)
        let delta = await harness.send("GET", "Book/_deltaset?since=\(tick)")
        #expect(delta.body.contains(#""_id":"a""#) && delta.body.contains(#""n":2"#))
        #expect(delta.body.contains(#"{"_id":"new",\#(stored)"#))
        let handed = await harness.send("PUT", "Book/a", #"{"_acl":{"creator":"u2"}}"#)
        #expect(handed.body.contains(#""creator":"u2""#))
        #expect(await harness.send("PUT", "Book/a", #"{"_acl":{"gr":true}}"#).body.contains(#""creator":"u2""#))
        for wrong in [#"{"lmt":"soon"}"#, #"{"ect":5}"#, #"{"lmt":"2999-06-21T12:51:37.817Z"}"#] {
            #expect(await harness.send("PUT", "Book/b", #"{"_kmd":\#(wrong)}"#).status == 400)
        }
        // A user's body says nothing of it.
        let ann = await harness.signUp("zoe")
        for (method, path) in [("PUT", "Book/z"), ("POST", "Book"), ("PUT", "Book/z")] {
            let made = await harness.send(method, path, body, as: ann.session)
            #expect(made.status < 300 && made.body.contains(#""creator":"\#(ann.id)""#))
            #expect(!made.body.contains(old) && !made.body.contains(late))
        }
        let wrong = await harness.send("PUT", "Book/z", #"{"_kmd":{"lmt":5}}"#, as: ann.session)
        #expect(wrong.status == 200)
    }
}
