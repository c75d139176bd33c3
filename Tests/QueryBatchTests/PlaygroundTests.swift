import PredicateQLSQLite
import QueryBatch
import QueryValues
import Testing

/// What the page of `pql play` asks for, without HTTP.
@Suite struct PlaygroundTests {
    private static let rows = """
        {"name":"Ann","age":31,"tags":["a"],"home":{"zip code":"02101"}}
        {"name":"Bob","age":25}
        {"name":"<script>alert(1)</script>","age":9007199254740993}
        """

    private func made() throws -> Playground {
        let playground = Playground()
        try playground.add("people.ndjson", Array(Self.rows.utf8), isDropped: false)
        return playground
    }

    private func ask(_ playground: Playground, _ request: String, source: String? = "1", shown: Int = 100) -> String {
        playground.answer(Array(request.utf8), source: source, shown: shown)
    }

    @Test func aPageHasTheFirstRowsAndTheirNumber() throws {
        let playground = try made()
        let request = #"{"format":"age > 1","order":["-age"],"fields":["age"],"outputs":[]}"#
        #expect(
            ask(playground, request, shown: 2)
                == #"{"id":null,"page":{"rows":[{"age":{"$numberLong":"9007199254740993"}},{"age":31}],"total":3}}"#
        )
        #expect(ask(playground, request, shown: 0) == #"{"id":null,"page":{"rows":[],"total":3}}"#)
        let groups = #"{"format":"TRUEPREDICATE","group":{"compute":["count"]},"outputs":[]}"#
        #expect(ask(playground, groups) == #"{"id":null,"page":{"rows":[{"count":3}],"total":1}}"#)
        #expect(ask(playground, request, source: "7").contains(#""path":"source""#))
    }

    /// Tokens and problems are there for a text that is no query, and problems have fixes.
    @Test func anEditorGetsTokensAndProblems() throws {
        let playground = try made()
        let request = #"{"format":"name STARTSWITH 'a' AND ?","outputs":["tokens","problems","mongo"]}"#
        let answer = ask(playground, request)
        #expect(answer.hasPrefix(#"{"id":null,"tokens":[["word",0,4],["word",5,15],["string",16,19],"#))
        #expect(answer.contains(#"["invalid",24,25]]"#))
        #expect(answer.contains(#""fix":{"range":[5,15],"replacement":"BEGINSWITH"},"level":"error"}"#))
        #expect(answer.contains(#""error":{"code":"syntax""#) && !answer.contains("mongo"))
    }

    @Test func aNameThatNoRowHasIsAWarning() throws {
        let playground = try made()
        let answer = ask(playground, #"{"format":"naem == 'x' AND home.zip\\u0020code == '1'","outputs":["problems"]}"#)
        #expect(answer.contains(#""message":"no row has a field naem","range":[0,4],"hint":"did you mean name?""#))
        #expect(answer.contains(#""fix":{"range":[0,4],"replacement":"name"},"level":"warning"}"#))
        #expect(!answer.contains("zip code"))
        for (text, hint) in [
            ("name.count > 3", "length(name)"), ("age.stringValue == '3'", #"CAST(age, \"NSString\")"#),
        ] {
            let answer = ask(playground, #"{"format":"\#(text)","outputs":["problems"]}"#)
            #expect(answer.contains("did you mean \(hint)?"), "\(answer)")
            #expect(answer.contains(#""replacement":"\#(hint)""#), "\(answer)")
        }
        let places = ask(
            playground,
            #"{"format":"age > 3","order":["-naem"],"fields":["age","nope"],"outputs":["problems"]}"#
        )
        #expect(
            places.contains(#"has a field naem","range":null,"hint":"did you mean name?","path":"order[0]""#),
            "\(places)"
        )
        #expect(places.contains(#""path":"fields[1]""#))
        let word = ask(playground, #"{"format":"name == Ann OR name == nam","outputs":["problems"]}"#)
        #expect(word.contains(#""hint":"write 'Ann' for a text""#), "\(word)")
        #expect(word.contains(#""hint":"did you mean name?; write 'nam' for a text""#), "\(word)")
        // What the rows show of kinds, too.
        let kinds = ask(playground, #"{"format":"age > '30'","outputs":["problems"]}"#)
        #expect(kinds.contains("age holds numbers in the rows seen") && kinds.contains(#""replacement":"30""#))
    }

    @Test func aMongoFilterIsARequest() throws {
        let playground = try made()
        let filter = #"{"mongo":"{\"age\":{\"$gt\":30}}","assume":true,"limit":1,"outputs":["format"]}"#
        #expect(ask(playground, filter, source: nil) == #"{"id":null,"format":"age > 30"}"#)
        let wrong = ask(playground, #"{"mongo":"{\"age\":{\"$grt\":30}}"}"#)
        #expect(wrong.contains(#""code":"unknownOperator""#))
        #expect(ask(playground, #"{"mongo":"{}","format":"a == 1"}"#).contains(#""path":"format""#))
    }

    @Test func translationsAreOutputsOfTheirOwn() throws {
        let outputs = ["postgresql", "duckdb", "rest", "pql", "outline", "plan"]
        let list = outputs.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = ask(try made(), #"{"format":"age > 30","storage":"columns","outputs":[\#(list)]}"#, source: nil)
        guard case .object(let object) = try QueryValue(json: answer) else { return #expect(Bool(false)) }
        #expect(Set(object.keys) == Set(outputs + ["id"]))
        #expect(!answer.contains("error"))
        #expect(answer.contains(#""steps":["keep rows where age > 30"]"#))
    }

    @Test func filesThatHoldNoRowsAreRefused() throws {
        let playground = Playground()
        for (text, part) in [
            ("a,a\n1,2\n", "x:1:3: two columns have the heading `a`"), ("", "is empty"),
            ("a,b\n1,2\n3\n", "x:3:2: the record has 1 cell, the header 2"), ("PAR1", "x is a Parquet file"),
            ("a,b\n1,2\n3,\"4\n", "x:3:3: the quotation mark is not closed"), ("{\"a\":1}\n{\"a\":", "line 2"),
            ("SQLite format 3\0", "SQLite"),
        ] {
            let error = try #require(throws: QueryError.self) {
                try playground.add("x", Array(text.utf8), isDropped: true)
            }
            #expect(error.message.contains(part), "\(error.message)")
        }
    }

    /// All rows decide the types of the columns; a heading with dots is a path.
    @Test func rowsOfCSVAreAsked() throws {
        let playground = Playground()
        let text = "\u{FEFF}name;home.city;age\r\n\"O\"\"Neil; Jo\";Köln;7\r\nMia;;41\r\n"
        let made = try playground.add("people.csv", Array(text.utf8), isDropped: true)
        let answer = try #require(made.first).answer.json
        #expect(answer.contains(#""name":"people.csv","rows":2,"form":"CSV""#), "\(answer)")
        #expect(answer.contains(#"["home.city","string"],["age","number"]"#), "\(answer)")
        let rows = ask(playground, #"{"format":"age < 10 AND home.city BEGINSWITH 'K'"}"#)
        #expect(rows.contains(#"{"name":"O\"Neil; Jo","home":{"city":"Köln"},"age":7}"#), "\(rows)")
        #expect(!rows.contains("Mia"))
        // The tool has brought its files to lines of JSON.
        let lines = try playground.add("p.csv", Array(#"{"a":1}"#.utf8), isDropped: false, isCSV: true)
        #expect(lines.first?.answer.json.contains(#""form":"CSV""#) == true)
        let empty = try playground.add("none.tsv", Array("a\tb\n".utf8), isDropped: true)
        #expect(empty.first?.answer.json.contains(#""rows":0"#) == true)
    }

    /// A header that stands in every row makes many megabytes of a few.
    @Test func convertedRowsAreBounded() throws {
        let header = String(repeating: "h", count: 1 << 20)
        let text = header + ",b\n" + String(repeating: "1,2\n", count: 300)
        let error = try #require(throws: QueryError.self) {
            try Playground().add("x.csv", Array(text.utf8), isDropped: true)
        }
        #expect(error.code == .tooMuchWork && error.message.contains("256 MiB"))
    }

    /// A database in memory is asked through SQLite; its rows are read, never written.
    @Test func aDatabaseIsASourceForEachTable() throws {
        let file = FileBytes.temporary("play.sqlite")
        defer { file.remove() }
        do {
            let database = try SQLiteDatabase(path: file.path, isReadOnly: false)
            try database.execute(
                "PRAGMA journal_mode = WAL; CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1), (2); CREATE TABLE b (y)"
            )
        }
        let playground = Playground()
        let made = try playground.add("play.sqlite", try file.bytes(), isDropped: true)
        #expect(made.map { $0.answer.json }[0].contains(#""name":"play.sqlite: a","rows":2,"form":"SQLite""#))
        #expect(made.count == 2)
        let answer = ask(playground, #"{"format":"x > 1","outputs":["sqlite"]}"#)
        #expect(answer.contains(#""page":{"rows":[{"x":2}],"total":1}"#))
        #expect(answer.contains(#"FROM \"a\""#))
        let plan = ask(playground, #"{"format":"x > 1","outputs":["plan"]}"#)
        #expect(plan.contains(#""store":["SCAN a"],"indexes":["CREATE INDEX "#))
    }

    /// Dropped files make room for later ones; what was there from the start stays.
    @Test func droppedFilesMakeRoom() throws {
        let playground = Playground(room: 100)
        try playground.add("people.ndjson", Array(Self.rows.utf8), isDropped: false)
        let row = Array(#"{"a":"0123456789012345678901234567890123456789"}"#.utf8)
        for name in ["b", "c", "d"] { try playground.add(name, row, isDropped: true) }
        let text = playground.contents.json
        #expect(text.contains("people.ndjson") && text.contains(#""name":"d""#) && !text.contains(#""name":"b""#))
        #expect(text.contains(#""name":"c""#) && text.contains(#""droppedBytes":100"#))
    }
}
