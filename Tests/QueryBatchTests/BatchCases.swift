/// Requests with their expected answers; the line is for messages.
enum BatchCases {
    private static func row(_ request: String, _ answer: String, _ line: Int = #line) -> (String, String, Int) {
        (request, answer, line)
    }

    static let answers: [(request: String, answer: String, line: Int)] = [
        row(#"{"format":"a == 1","outputs":["format"]}"#, #"{"id":null,"format":"a == 1"}"#),
        row(#"{"id":[1,{"x":2.0}],"format":"a=1","outputs":["tree"]}"#, #"{"id":[1,{"x":2.0}],"tree":"(== a 1)"}"#),
        row(#"{"id":"é","format":"a == 1","outputs":[]}"#, #"{"id":"é"}"#),
        row(
            #"{"id":1,"format":"a > 1","outputs":["mongo"]}"#,
            #"{"id":1,"mongo":{"filter":{"a":{"$gt":1}},"assumptions":[{"single":"a"}]}}"#
        ),
        row(
            #"{"id":1,"format":"a > 1","order":["-b","c"],"skip":2,"limit":3,"fields":["b"],"outputs":["mongo"]}"#,
            #"{"id":1,"mongo":{"filter":{"a":{"$gt":1}},"sort":{"b":-1,"c":1,"_id":1},"projection":{"b":1,"_id":0},"#
                + #""skip":2,"limit":3,"assumptions":[{"single":"a"},{"single":"b"},{"single":"c"}]}}"#
        ),
        row(
            #"{"format":"a == %@ AND b == $x","arguments":[{"$date":0}],"variables":{"x":2.0},"outputs":["mongo"]}"#,
            #"{"id":null,"mongo":{"filter":{"a":{"$date":"1970-01-01T00:00:00.000Z"},"b":2.0},"#
                + #""assumptions":[{"date":["a","native"]},{"single":"a"},{"single":"b"}]}}"#
        ),
        row(
            #"{"format":"a == now()","now":"2020-01-01T00:00:00Z","documents":[{"a":{"$date":1577836800000}}],"#
                + #""outputs":["matches"]}"#,
            #"{"id":null,"matches":[0]}"#
        ),
        row(
            #"{"format":"a == now()","now":{"$date":5},"documents":[{"a":{"$date":5}}],"outputs":["matches"]}"#,
            #"{"id":null,"matches":[0]}"#
        ),
        row(
            #"{"format":"a > 1","documents":[{"a":3},{"a":1},{"a":2,"b":null}],"order":["a"],"limit":1,"#
                + #""outputs":["results","matches"]}"#,
            #"{"id":null,"matches":[0,2],"results":[{"a":2,"b":null}]}"#
        ),
        row(
            #"{"format":"the\\u0020n > 1","documents":[{"the n":2},{"the n":3}],"order":["-the\\u0020n"],"#
                + #""group":{"by":["the\\u0020n"],"compute":["sum:the\\u0020n as s"]},"outputs":["results"]}"#,
            #"{"id":null,"results":[{"the n":3,"s":3},{"the n":2,"s":2}]}"#
        ),
        row(#"{"format":"a > 1","outputs":["results","matches"]}"#, #"{"id":null}"#),
        row(
            #"{"format":"a == nil","nil":"absent","documents":[{},{"a":null},{"a":1}],"outputs":["matches"]}"#,
            #"{"id":null,"matches":[0]}"#
        ),
        row(
            #"{"format":"a == nil","nil":"null","documents":[{},{"a":null},{"a":1}],"outputs":["matches"]}"#,
            #"{"id":null,"matches":[1]}"#
        ),
        row(
            #"{"format":"a > 0","group":{"by":["s"],"compute":["count","avg:a"],"having":"count > $n"},"#
                + #""variables":{"n":1},"documents":[{"s":"x","a":1},{"s":"x","a":2},{"s":"y","a":3}],"#
                + #""outputs":["matches","results"]}"#,
            #"{"id":null,"matches":[0,1,2],"results":[{"s":"x","count":2,"avg_a":1.5}]}"#
        ),
        row(
            #"{"format":"TRUEPREDICATE","group":{"by":["TERNARY(a > 1, 'b, c', s) as k","first-name"],"compute":["count"]},"#
                + #""documents":[{"s":"x","a":1},{"s":"x","a":2,"first-name":"Ann"}],"outputs":["results"]}"#,
            #"{"id":null,"results":[{"k":"b, c","first-name":"Ann","count":1},{"k":"x","first-name":null,"count":1}]}"#
        ),
        row(
            #"{"format":"TRUEPREDICATE","group":{"compute":["count"]},"documents":[],"outputs":["results"]}"#,
            #"{"id":null,"results":[{"count":0}]}"#
        ),
        row(
            #"{"format":"p == 1","schema":{"type":"object","properties":{"p":{"type":"integer","x-stored-name":"q"}}},"#
                + #""documents":[{"q":1}],"outputs":["format","mongo","results"]}"#,
            #"{"id":null,"format":"p == 1","mongo":{"filter":{"q":1},"assumptions":[]},"results":[{"q":1}]}"#
        ),
        row(
            #"{"format":"a MATCHES b","documents":[{"a":"x","b":"("}],"outputs":["format","matches"]}"#,
            #"{"id":null,"format":"a MATCHES b","matches":{"error":{"code":"evaluation","message":"documents[0]: the "#
                + #"regular expression is malformed at byte 1: missing closing parenthesis","range":[10,11],"#
                + #""hint":null,"path":"format","fix":null}}}"#
        ),
        row(
            #"{"format":"a == 1","table":"t","storage":"columns","limit":null,"outputs":["sqlite"],"#
                + #""schema":{"type":"object","properties":{"a":{"type":"integer"}}}}"#,
            #"{"id":null,"sqlite":{"sql":"SELECT \"t\".* FROM \"t\" WHERE \"t\".\"a\" = ?","bindings":[1],"#
                + #""where":"\"t\".\"a\" = ?","whereBindings":[1],"functions":[],"assumptions":[]}}"#
        ),
        row(
            #"{"mongo":{"age":{"$gt":30}},"assume":true,"outputs":["format"]}"#,
            #"{"id":null,"format":"age > 30"}"#
        ),
        row(
            #"{"format":"n == 'x'","limit":5,"policy":{"fields":["n"]},"documents":[{"n":"x","p":1},{"p":2}],"#
                + #""outputs":["matches","results"]}"#,
            #"{"id":null,"matches":[0],"results":[{"n":"x"}]}"#
        ),
        row(
            #"{"format":"TRUEPREDICATE","policy":{"fields":["s"],"clampsLimit":true,"maximumLimit":1},"#
                + #""group":{"by":["s"],"compute":["count"]},"documents":[{"s":1},{"s":2}],"outputs":["results"]}"#,
            #"{"id":null,"results":[{"s":1,"count":1}]}"#
        ),
        row(
            #"{"format":"a == 1","functions":"none","table":"t","storage":"columns","outputs":["postgresql"],"#
                + #""schema":{"type":"object","properties":{"a":{"type":"integer"}}}}"#,
            #"{"id":null,"postgresql":{"sql":"SELECT \"t\".* FROM \"t\" WHERE \"t\".\"a\" = CAST($1 AS bigint)","bindings":[1],"#
                + #""where":"\"t\".\"a\" = CAST($1 AS bigint)","whereBindings":[1],"functions":[],"assumptions":[]}}"#
        ),
        row(
            #"{"format":"a == 1 AND (b MATCHES 'x+' OR a > 2)","functions":"none","storage":"columns","#
                + #""outputs":["sqlite"]}"#,
            #"{"id":null,"sqlite":{"error":{"code":"unsupported","message":"the SQL of this part calls the function "#
                + #"pred_match","range":[12,26],"hint":"avoid options such as [c], LIKE and MATCHES, "#
                + #"or leave out `functions`","path":"format","fix":null}}}"#
        ),
        row(
            #"{"format":"a == '5'","documents":[{"a":5}],"outputs":["problems"]}"#,
            #"{"id":null,"problems":[{"code":"unlikely","message":"a holds numbers in the rows seen, and is compared "#
                + #"with text","range":[0,1],"hint":"write 5","path":"format","#
                + #""fix":{"range":[5,8],"replacement":"5"},"level":"warning"}]}"#
        ),
        row(
            #"{"format":"SELF == 5","outputs":["problems","postgresql"]}"#,
            #"{"id":null,"problems":[{"code":"unlikely","message":"SELF is the whole row, and is compared with a number","#
                + #""range":[0,4],"hint":"write the name of a field","path":"format","fix":null,"level":"warning"}],"#
                + #""postgresql":{"sql":"SELECT \"documents\".\"doc\" FROM \"documents\" WHERE FALSE","bindings":[],"#
                + #""where":"FALSE","whereBindings":[],"functions":[],"assumptions":[]}}"#
        ),
        row(#"{"format":"SELF == 5","outputs":["problems"]}"#, #"{"id":null,"problems":[]}"#),
        row(
            #"{"format":"a.length > 5","documents":[{"a":"x"}],"outputs":["problems"]}"#,
            #"{"id":null,"problems":[{"code":"unlikely","message":"`length` at the end of a path is the name of a field","#
                + #""range":[0,8],"hint":"write length(a)","path":"format","#
                + #""fix":{"range":[0,8],"replacement":"length(a)"},"level":"warning"}]}"#
        ),
        row(
            #"{"format":"a STARTSWITH 'x'","outputs":["problems"]}"#,
            #"{"id":null,"problems":[{"code":"syntax","message":"there is no operator `STARTSWITH`","range":[2,12],"#
                + #""hint":"did you mean BEGINSWITH?","path":"format","fix":{"range":[2,12],"replacement":"BEGINSWITH"},"#
                + #""level":"error"}],"error":{"code":"syntax","message":"there is no operator `STARTSWITH`","#
                + #""range":[2,12],"hint":"did you mean BEGINSWITH?","path":"format","#
                + #""fix":{"range":[2,12],"replacement":"BEGINSWITH"}}}"#
        ),
    ]

    /// A request and `id code path` of its error.
    static let mistakes: [(request: String, summary: String, line: Int)] = [
        row("nonsense", #"null "json" "$""#),
        row(#"{"id":1,"format":"a""#, #"null "json" "$""#),
        row(#"[1]"#, #"null "request" "$""#),
        row(#"{"id":1}"#, #"1 "request" "format""#),
        row(#"{"id":1,"format":7}"#, #"1 "request" "format""#),
        row(#"{"id":1,"format":"a","fromat":"b"}"#, #"1 "request" "fromat""#),
        row(#"{"id":1,"format":"a","format":"b"}"#, #"1 "json" "format""#),
        row(#"{"id":1,"format":"a == 1","skip":-1}"#, #"1 "pipeline" "skip""#),
        row(#"{"id":1,"format":"a == 1","limit":1.0}"#, #"1 "request" "limit""#),
        row(#"{"id":1,"format":"a == 1","limit":true}"#, #"1 "request" "limit""#),
        row(#"{"id":1,"format":"a == 1","order":"a"}"#, #"1 "request" "order""#),
        row(#"{"id":1,"format":"a == 1","order":["a",1]}"#, #"1 "request" "order[1]""#),
        row(#"{"id":1,"format":"a == 1","order":["a","-"]}"#, #"1 "pipeline" "order[1]""#),
        row(#"{"id":1,"format":"a == 1","order":["-a[c"]}"#, #"1 "pipeline" "order[0]""#),
        row(#"{"id":1,"format":"a == 1","order":["-a","b desc"]}"#, #"1 "pipeline" "order[1]""#),
        row(#"{"id":1,"format":"a == 1","fields":["a","a * 2"]}"#, #"1 "pipeline" "fields[1]""#),
        row(#"{"id":1,"format":"a == 1","group":{"by":["a > 0"]}}"#, #"1 "pipeline" "group.by[0]""#),
        row(#"{"id":1,"format":"a == 1","group":{"compute":["sum:a + 1"]}}"#, #"1 "pipeline" "group.compute[0]""#),
        row(#"{"id":1,"format":"a == 1","fields":["a","b = a * 2"]}"#, #"1 "pipeline" "fields[1]""#),
        row(#"{"id":1,"format":"a == 1","outputs":["mango"]}"#, #"1 "request" "outputs[0]""#),
        row(#"{"id":1,"format":"a == 1","nil":"none"}"#, #"1 "request" "nil""#),
        row(#"{"id":1,"format":"a == 1","guarded":1}"#, #"1 "request" "guarded""#),
        row(#"{"id":1,"format":"a == 1","profile":"mongo"}"#, #"1 "request" "profile""#),
        row(#"{"id":1,"format":"a == 1","table":""}"#, #"1 "request" "table""#),
        row(#"{"id":1,"format":"a == 1","now":"yesterday"}"#, #"1 "request" "now""#),
        row(#"{"id":1,"format":"a == 1","documents":[{},3]}"#, #"1 "request" "documents[1]""#),
        row(#"{"id":1,"format":"a == 1","documents":[{"a":{"$date":"x"}}]}"#, #"1 "json" "documents[0].a""#),
        row(#"{"id":1,"format":"a == %@","arguments":[9223372036854775808]}"#, #"1 "json" "arguments[0]""#),
        row(#"{"id":1,"format":"a == %@","arguments":[{"$x":1}]}"#, #"1 "json" "arguments[0]""#),
        row(#"{"id":1,"format":"a == %@","arguments":[]}"#, #"1 "argument" "format""#),
        row(#"{"id":1,"format":"a == 1","arguments":[1]}"#, #"1 "argument" "format""#),
        row(#"{"id":1,"format":"a == 1","variables":{"x":1}}"#, #"1 "argument" "variables.x""#),
        row(#"{"id":1,"format":"a =="}"#, #"1 "syntax" "format""#),
        row(
            #"{"id":1,"format":"a == 1","schema":{"type":"object","properties":{"b":{"type":"string"}}}}"#,
            #"1 "unknownField" "format""#
        ),
        row(
            #"{"id":1,"format":"b == 1","schema":{"type":"object","properties":{"b":{"type":"string"}}}}"#,
            #"1 "kindMismatch" "format""#
        ),
        row(#"{"id":1,"format":"a MATCHES '('"}"#, #"1 "pattern" "format""#),
        row(#"{"id":1,"format":"FUNCTION(a, 'b') == 1"}"#, #"1 "functionCall" "format""#),
        row(#"{"id":1,"format":"CAST(a, 'MyClass') == 1"}"#, #"1 "classCast" "format""#),
        row(#"{"id":1,"format":"a UTI-EQUALS 'x'"}"#, #"1 "utiOperator" "format""#),
        row(#"{"id":1,"format":"frobnicate(a) == 1"}"#, #"1 "unknownFunction" "format""#),
        row(#"{"id":1,"format":"a.@median.b == 1"}"#, #"1 "unknownAggregate" "format""#),
        row(#"{"id":1,"format":"a == 1","group":[]}"#, #"1 "request" "group""#),
        row(#"{"id":1,"format":"a == 1","group":{"of":[]}}"#, #"1 "request" "group.of""#),
        row(
            #"{"id":1,"format":"a == 1","group":{"compute":["count","mode:a"]}}"#,
            #"1 "pipeline" "group.compute[1]""#
        ),
        row(#"{"id":1,"format":"a == 1","group":{"by":["uppercase(trunc(s))"]}}"#, #"1 "pipeline" "group.by[0]""#),
        row(#"{"id":1,"format":"a == 1","group":{"by":["s","length( as n"]}}"#, #"1 "syntax" "group.by[1]""#),
        row(
            #"{"id":1,"format":"a == 1","group":{"by":["s","trunc(s) as s"],"compute":["count"]}}"#,
            #"1 "pipeline" null"#
        ),
        row(#"{"id":1,"format":"a == 1","group":{"compute":["count"],"having":"count >"}}"#, #"1 "syntax" "having""#),
        row(
            #"{"id":1,"format":"a == 1","group":{"compute":["count"],"having":"coutn > 1"}}"#,
            #"1 "unknownField" "having""#
        ),
        row(#"{"id":1,"format":"ANY 5 == 5"}"#, #"1 "quantifier" "format""#),
        row(#"{"id":1,"format":"a isEqualToString: 'b'"}"#, #"1 "selectorOperator" "format""#),
        row(
            #"{"id":1,"format":""# + String(repeating: "(", count: 70) + "a == 1" + String(repeating: ")", count: 70)
                + #""}"#,
            #"1 "limit" "format""#
        ),
        row(
            #"{"id":1,"format":"a == 1","schema":{"type":"object","properties":{"a":{"type":"list"}}}}"#,
            #"1 "schema" "schema.properties.a.type""#
        ),
        row(#"{"id":1,"mongo":7}"#, #"1 "request" "mongo""#),
        row(#"{"id":1,"mongo":{"a":{"$grt":1}}}"#, #"1 "unknownOperator" "mongo.a.$grt""#),
        row(#"{"id":1,"mongo":"{}","format":"a == 1"}"#, #"1 "request" "format""#),
        row(#"{"id":1,"format":"a == 1","functions":"some"}"#, #"1 "request" "functions""#),
        row(#"{"id":1,"format":"a == 1","policy":[]}"#, #"1 "request" "policy""#),
        row(#"{"id":1,"format":"a == 1","policy":{}}"#, #"1 "request" "policy.fields""#),
        row(#"{"id":1,"format":"a == 1","policy":{"feilds":[]}}"#, #"1 "request" "policy.fields""#),
        row(#"{"id":1,"format":"a == 1","policy":{"fields":["a"],"maxLimit":1}}"#, #"1 "request" "policy.maxLimit""#),
        row(#"{"id":1,"format":"a == 1","policy":{"fields":[1]}}"#, #"1 "request" "policy.fields[0]""#),
        row(
            #"{"id":1,"format":"a == 1","policy":{"fields":["a"],"operators":["=="]}}"#,
            #"1 "request" "policy.operators[0]""#
        ),
        row(
            #"{"id":1,"format":"a == 1","policy":{"fields":["a"],"maximumDuration":-1}}"#,
            #"1 "request" "policy.maximumDuration""#
        ),
        row(#"{"id":1,"format":"a == 1","policy":{"fields":["a"]}}"#, #"1 "policyLimit" "limit""#),
        row(#"{"id":1,"format":"b == 1","limit":1,"policy":{"fields":["a"]}}"#, #"1 "policyFields" "format""#),
        row(#"{"id":1,"mongo":{"b":1},"limit":1,"policy":{"fields":["a"]}}"#, #"1 "policyFields" "mongo""#),
        row(
            #"{"id":1,"format":"a == 1","limit":1,"group":{"by":["b"],"compute":["count"]},"#
                + #""policy":{"fields":["a"]}}"#,
            #"1 "policyFields" "group.by[0]""#
        ),
    ]
}
