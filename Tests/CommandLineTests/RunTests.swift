import Foundation
import PredicateQLSQLite
import Testing

/// `pql run` and `pql import` on real data.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct RunTests {
    private let question = "state == 'MA' AND population > 50000"

    /// What SQLite does not support is tested in memory, as `results` does, and a note says so.
    @Test func conditionsThatSQLiteDoesNotSupportAreAnswered() throws {
        let shell = """
            cd "$(mktemp -d)" && printf '{"_id":"t1","n":1}\\n{"_id":"t2","n":2}\\n{"_id":"t3","n":2}\\n' > a.ndjson
            pql import a.ndjson --into t.sqlite --table t
            for source in a.ndjson t.sqlite; do
              pql run $source "random() >= 0 AND n > 1" --sort=-n --limit 1 --fields _id
              pql run $source "NOT (_id UNION n == nil) OR n > 1" --count
            done
            printf '{"_id":1,"a":[{"b":2}]}\\n{"_id":2,"a":[{"b":1}]}\\n' > lists.ndjson
            echo '{"properties":{"a":{"type":"array","items":{"properties":{"b":{"type":"integer"}}}}}}' > lists.json
            pql import lists.ndjson --into lists.sqlite --table t
            pql run lists.sqlite TRUEPREDICATE --schema lists.json --sort a.b --limit 1
            """
        let found = try Tool.shell(shell)
        #expect(
            found.output.hasSuffix("{\"_id\":\"t3\"}\n2\n{\"_id\":\"t3\"}\n2\n{\"_id\":2,\"a\":[{\"b\":1}]}\n"),
            "\(found)"
        )
        #expect(found.error.contains("tested in memory, since SQLite does not support it: random() >= 0\n"))
        #expect(found.error.contains("sorted in memory, since SQLite does not support the order: a.b\n"))
    }

    /// What a hint advises gives what was meant.
    @Test func hintsOfGroupsCanBeFollowed() throws {
        let row = #"{"name":"A","n":1,"price":2,"qty":3,"address":{"city":"x"}}"# + "\n"
        for (arguments, hint) in [
            (["--group-by", "name[cd]"], "write `lowercase(name) as name` to group without case"),
            (["--group-by", "address.city[c]"], "write `lowercase(address.city) as address_city`"),
            (["--compute", "avg:price*qty"], "write `avg:price*qty as name`"),
            (["--compute", "sum(n * 2) as twice"], "write `sum:n * 2 as twice`"),
            (["--compute", "avg:n", "--having", "avg:n > 1"], "write avg_n"),
            (["--compute", "sum:n,max:n", "--having", "n > 1"], "a group has it as sum_n, max_n"),
            (["--group-by", "address.city", "--having", "address.city != nil"], "a group has it as address_city"),
            (["--group-by", "name", "--compute", "max:n", "--having", "total_price > 1"], "a group has name, max_n"),
            (["--having", "ANY m == 1", "--compute", "count"], "a group has count"),
            (["round(n) == 1"], "floor(a + 0.5)"),
        ] {
            let refused = try Tool.pql(["run", "-"] + arguments, input: row)
            #expect(refused.status != 0 && refused.error.contains("hint: "), "\(arguments): \(refused)")
            #expect(refused.error.contains(hint), "\(arguments): \(refused)")
            #expect(!refused.error.contains("the schema"), "\(arguments): \(refused)")
        }
        let request = #"{"format":"TRUEPREDICATE","group":{"compute":["sum:n"],"having":"sum:n > 1"},"documents":[]}"#
        #expect(try Tool.pql(["batch"], input: request + "\n").output.contains("write sum_n"))
    }

    /// An order by what SQL does not compute is answered without an error after the rows, and explained.
    @Test func ordersInMemoryAreAnsweredAndExplained() throws {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t.sqlite").path
        do {
            let database = try SQLiteDatabase(path: file, isReadOnly: false)
            try database.execute(
                """
                CREATE TABLE t (doc JSON);
                INSERT INTO t VALUES ('{"_id":1,"a":{"c":"x"}}'), ('{"_id":2,"a":{"c":"x"}}'), ('{"_id":3,"a":{"c":"a"}}');
                CREATE TABLE u (doc JSON);
                INSERT INTO u VALUES ('{"n":1}'), ('{"n":1}');
                CREATE TABLE collection (n INTEGER PRIMARY KEY, app TEXT, name TEXT);
                INSERT INTO collection VALUES (7, 'kid', 'Book');
                """
            )
        }
        // Who knows a service's collection by its name is told its table.
        let named = try Tool.pql("run", file, "--table", "Book")
        #expect(
            named.error.contains("hint: the file is a service's, which keeps the collection in --table e7"),
            "\(named)"
        )
        #expect(try Tool.pql("run", file, "--table", "Shop").error.contains("hint: it has collection, t, u"))
        for (fields, sort, row) in [
            ("_id,c=a.c", "c", #"{"_id":3,"c":"a"}"#), ("_id,k=1", "k", #"{"_id":1,"k":1}"#),
            (#"_id,w=CAST("2020-01-01","NSDate")"#, "w", #"{"_id":1,"w":{"$date":"2020-01-01T00:00:00.000Z"}}"#),
        ] {
            let found = try Tool.pql("run", file, "--table", "t", "--fields", fields, "--sort", sort, "--limit=1")
            #expect(found.status == 0 && found.output == row + "\n", "\(fields): \(found)")
            let explained = try Tool.pql("run", file, "--table=t", "--fields", fields, "--sort", sort, "--explain")
            #expect(explained.status == 0 && explained.output.contains("plan:\n"), "\(fields): \(explained)")
        }
        let tied = try Tool.pql("run", file, "--table", "u", "--fields", "n,k=1", "--sort", "k", "--limit", "1")
        #expect(tied.error.contains("rows with equal sort keys"), "\(tied)")
        for (arguments, steps) in [
            (["random() < 2 AND _id > 1"], "keep rows where random() < 2\n"),
            (["--fields", "_id,k=1"], "show _id, k = 1\n"),
            (["--group-by", "a.c", "--compute", "median:_id"], "group by a.c, computing median__id\n"),
            (["random() < 2", "--group-by", "a.c"], "keep rows where random() < 2\n  2. group by a.c"),
        ] {
            let explained = try Tool.pql(["run", file, "--table", "t"] + arguments + ["--explain"])
            #expect(explained.status == 0 && explained.output.contains("in memory:\n  1. " + steps), "\(explained)")
        }
        let first = try Tool.pql("run", file, "--table", "t", "--compute", "first:_id", "--explain")
        #expect(first.status == 65, "\(first)")
    }

    /// A column `doc` is one field of many; it is the whole row only where the table has no other fields.
    @Test func tablesWithAColumnDocAreColumnsOrDocuments() throws {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t.sqlite").path
        let lines = "{\"_id\":\"1\",\"doc\":{\"n\":1},\"n\":9}\n{\"_id\":\"2\",\"doc\":{\"n\":9},\"n\":1}\n"
        _ = try Tool.pql(["import", "-", "--into", file, "--table", "imported"], input: lines)
        _ = try Tool.pql(["import", "-", "--into", file, "--table", "text"], input: "{\"doc\":\"[x]\",\"n\":3}\n")
        do {
            let database = try SQLiteDatabase(path: file, isReadOnly: false)
            try database.execute(
                """
                CREATE TABLE bare (doc);
                CREATE TABLE keyed (_id TEXT PRIMARY KEY, doc JSON, g INTEGER AS (json_extract(doc, '$.n')));
                CREATE TABLE service (id TEXT PRIMARY KEY NOT NULL, tick INTEGER NOT NULL, doc TEXT NOT NULL);
                CREATE TABLE store (id TEXT PRIMARY KEY, doc TEXT NOT NULL, seen INTEGER NOT NULL, at INTEGER NOT NULL);
                CREATE TABLE fields (_id TEXT, doc JSON, n INTEGER);
                CREATE TABLE prose (id INTEGER PRIMARY KEY, doc TEXT, n INTEGER);
                CREATE TABLE plain (id INTEGER PRIMARY KEY, doc TEXT);
                CREATE TABLE own (_id TEXT UNIQUE, doc JSON);
                CREATE TABLE undeclared (id TEXT, doc);
                INSERT INTO fields VALUES ('0', NULL, 0), ('1', '{"n":1}', 9), ('2', '{"n":9}', 1);
                INSERT INTO prose VALUES (1, 'some text', 3);
                INSERT INTO plain VALUES (1, 'some text');
                INSERT INTO own VALUES ('a', '{"n":3}');
                INSERT INTO undeclared VALUES ('a', '{"n":3}');
                INSERT INTO bare VALUES ('{"n":3}');
                INSERT INTO keyed VALUES ('a', '{"n":3}');
                INSERT INTO service VALUES ('a', 1, '{"n":3}');
                INSERT INTO store VALUES ('a', '{"n":3}', 1, 1);
                CREATE TABLE copied AS SELECT _id, doc FROM keyed;
                CREATE VIEW seen AS SELECT * FROM service;
                CREATE VIEW viewed AS SELECT * FROM own;
                """
            )
        }
        let note = "is read as columns, since it has others than doc"
        let documents = ["bare", "keyed", "service", "store", "own", "undeclared", "copied", "seen", "viewed"]
        for table in documents + ["text", "prose", "fields", "imported"] {
            let value = ["fields", "imported"].contains(table) ? 9 : 3
            let found = try Tool.pql("run", file, "--table", table, "n > 2", "--fields", "n", "--sort", "n")
            #expect(found.output == "{\"n\":\(value)}\n", "\(table): \(found)")
            #expect(found.error.contains(note) == (table == "fields"), "\(table): \(found)")
            let request = "{\"format\":\"n > 2\",\"fields\":[\"n\"],\"outputs\":[\"results\"]}\n"
            let answer = try Tool.pql(["batch", "--register", file, "--table", table], input: request)
            #expect(answer.output.contains("[{\"n\":\(value)}]"), "\(table): \(answer)")
        }
        for options in [["n > 2"], ["n > 2", "--count"], []] {
            let text = try Tool.pql(["run", file, "--table", "plain"] + options)
            #expect(text.status != 0 && text.error.contains("--storage columns reads doc as a field"), "\(text)")
        }
        let fields = try Tool.pql("fields", file, "--table", "fields", "--storage", "columns")
        #expect(fields.output.contains("doc") && fields.error.isEmpty, "\(fields)")
        let unknown = try Tool.pql(
            ["batch", "--register", file, "--table", "fields"],
            input: "{\"format\":\"population > 2\",\"outputs\":[\"results\"]}\n"
        )
        #expect(unknown.output.contains(#"\"storage\":\"document\" reads the fields in doc"#), "\(unknown)")
        let named = try Tool.pql("run", file, "--table", "fields", "n > 2", "--storage", "document")
        #expect(named.output == "{\"n\":9}\n" && !named.error.contains(note), "\(named)")
    }

    /// An import never changes a result: a field `doc` stays one beside a key and alone.
    @Test func importedFieldsDocStayFields() throws {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let rows = [
            #"{"_id":"1","doc":{"n":1}}"#, #"{"id":1,"doc":{"n":1}}"#, #"{"doc":{"n":1}}"#, #"{"id":1,"doc":"x"}"#,
            #"{"doc":[1,2.5]}"#,
        ]
        for (number, row) in rows.enumerated() {
            let file = folder.appendingPathComponent("\(number).sqlite").path
            _ = try Tool.pql(["import", "-", "--into", file, "--table", "t"], input: row + "\n")
            let found = try Tool.pql("run", file)
            #expect(found.output == row + "\n" && found.error.isEmpty, "\(found)")
        }
    }

    /// Lists are joined where an option is repeated; of no other option is the last value taken in silence.
    @Test func repeatedOptionsAreJoinedOrRefused() throws {
        let rows = #"{"a":1,"g":"x"}"# + "\n" + #"{"a":2,"g":"x"}"# + "\n" + #"{"a":3,"g":"y"}"# + "\n"
        let groups = try Tool.pql(
            ["run", "-", "--group-by", "g", "--compute", "sum:a", "--compute=count", "--sort", "-count"],
            input: rows
        )
        #expect(groups.output == #"{"g":"x","sum_a":3,"count":2}"# + "\n" + #"{"g":"y","sum_a":3,"count":1}"# + "\n")
        let found = try Tool.pql(
            ["run", "-", "a != %@ AND a != %@", "--arg", "1", "--arg", "3", "--fields", "a", "--fields=g"],
            input: rows
        )
        #expect(found.output == #"{"a":2,"g":"x"}"# + "\n", "\(found)")
        for option in ["--limit", "--having", "--schema"] {
            let twice = try Tool.pql(["run", "-", option, "1", option + "=2"], input: rows)
            #expect(twice.status == 64 && twice.error.contains("\(option) is given twice"), "\(twice)")
        }
    }

    @Test func linesAndSQLiteGiveTheSameCities() throws {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("cache.sqlite").path
        let fromLines = try Tool.pql("run", Tool.cities, question, "--output", "ndjson")
        #expect(fromLines.lines.count == 30)
        let imported = try Tool.pql("import", Tool.cities, "--into", file, "--table", "cities")
        #expect(imported.status == 0 && imported.output.isEmpty, "\(imported.error)")
        let fromTable = try Tool.pql("run", file, question, "--table", "cities", "--output", "ndjson")
        #expect(fromTable.lines.sorted() == fromLines.lines.sorted(), "\(fromTable.error)")
        for source in [[Tool.cities], [file, "--table", "cities"]] {
            let count = try Tool.shell("pql run \(source.joined(separator: " ")) \"\(question)\" --count")
            #expect(count.output == "30\n", "\(source) \(count.error)")
        }
        let groups = ["TRUEPREDICATE --group-by state --compute count,max:population --sort -count,state --limit 5"]
        let fromBoth = try [Tool.cities, file].map { try Tool.shell("pql run \($0) \(groups[0])").output }
        #expect(fromBoth[0] == fromBoth[1] && fromBoth[0].contains("\"count\""))
        for values in ["median:population,distinct:state", "countDistinct:state,countDistinct:aliases"] {
            let both = try [Tool.cities, file].map { try Tool.pql("run", $0, question, "--compute", values) }
            #expect(both[0].output == both[1].output && both[1].status == 0, "\(both)")
        }
        let first = try Tool.pql("run", file, "--compute", "first:name")
        #expect(first.status == 65 && first.error.contains("hint: a store's rows have no order"), "\(first)")
        let plan = try Tool.pql("run", file, question, "--explain")
        #expect(plan.output.contains("SELECT") && plan.output.contains("plan:"))
        #expect(plan.output.contains("CREATE INDEX IF NOT EXISTS \"cities_"), "\(plan.output)")
        let again = try Tool.pql("import", Tool.cities, "--into", file, "--table", "cities")
        #expect(again.status == 73, "the table is there already")
        let missing = try Tool.pql("run", file, question, "--table", "towns")
        #expect(missing.status == 65 && missing.error.contains("cities"), "\(missing.error)")
    }

    @Test func foreignKeysGiveRelations() throws {
        try Tool.withFile(
            "shop.sql",
            """
            CREATE TABLE customers (uid TEXT PRIMARY KEY, name TEXT);
            CREATE TABLE orders (number INT PRIMARY KEY, customer_id TEXT REFERENCES customers, total INT);
            INSERT INTO customers VALUES ('c2', 'Ann'), ('c1', 'Ben');
            INSERT INTO orders VALUES (3, 'c1', 50), (2, 'c2', 150);
            """
        ) { script in
            let file = script + ".sqlite"
            _ = try SQLiteDatabase(path: file, isReadOnly: false).execute(
                FileManager.default.contents(atPath: script).map {
                    String(decoding: $0, as: UTF8.self)
                } ?? ""
            )
            let one = try Tool.pql("run", file, "customer.name == 'Ann'", "--table", "orders", "--output", "ndjson")
            #expect(one.output == #"{"number":2,"customer_id":"c2","total":150}"# + "\n", "\(one.error)")
            let many = try Tool.pql("run", file, "ANY orders.total > 100", "--table", "customers", "--count")
            #expect(many.output == "1\n", "\(many.error)")
        }
    }

    /// A file and the table it is imported into agree on the rows at a limit; ties there are reported.
    @Test func tiesAtACut() throws {
        let rows = (0..<9).map { #"{"a":\#($0 % 2),"n":\#($0)}"# }.joined(separator: "\n")
        try Tool.withFile("rows.ndjson", rows) { file in
            let store = file + ".sqlite"
            #expect(try Tool.pql("import", file, "--into", store, "--table", "rows").status == 0)
            for (options, ties) in [
                (["--sort", "-a", "--limit", "2"], true), (["--sort", "-a", "--limit", "4"], false),
                (["--sort", "a", "--skip", "3", "--limit", "2"], true), (["--sort", "-a,n", "--limit", "2"], false),
                (["--sort", "a", "--skip", "5"], false), (["--sort", "-a"], false), (["--limit", "2"], false),
            ] {
                let found = try [[file], [store, "--table", "rows"]].map {
                    try Tool.pql(["run"] + $0 + ["TRUEPREDICATE", "--output", "ndjson"] + options)
                }
                #expect(found[0].output == found[1].output, "\(options)")
                for outcome in found {
                    #expect(outcome.error.contains("equal sort keys") == ties, "\(options) \(outcome)")
                }
            }
        }
    }

    @Test func textColumnsHoldLists() throws {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("notes.sqlite").path
        let database = try SQLiteDatabase(path: file, isReadOnly: false)
        try database.execute(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, tags TEXT, address TEXT, n INTEGER);
            INSERT INTO notes VALUES (1, '["a","b"]', '{"city":"x"}', 1), (2, 'a', 'plain', 2), (3, NULL, NULL, 3),
                (4, '[]', '{"city":["x"]}', 4), (5, '["ab"]', '[1', 5)
            """
        )
        let questions = [
            "ANY tags == 'a'": [1, 2], "tags.@count == 0": [4], "tags CONTAINS 'a'": [1, 2], "'b' IN tags": [1],
            "tags[0] == 'a'": [1], "tags == {'a', 'b'}": [1], "address.city == 'x'": [1],
            "ANY address.city == 'x'": [1, 4],
            "SUBQUERY(tags, $t, $t BEGINSWITH 'a').@count == 1": [1, 2, 5], "'a' IN (tags UNION {'c'})": [1],
            "tags == 'a'": [2], "NONE tags == 'a'": [3, 4, 5],
        ]
        for (question, ids) in questions {
            let found = try Tool.pql("run", file, question, "--fields", "id", "--sort", "id")
            let expected = ids.map { "{\"id\":\($0)}\n" }.joined()
            #expect(found.output == expected, "\(question): \(found.output)\(found.error)")
        }
        let list = "\"tags\":\"[\\\"a\\\",\\\"b\\\"]\""
        let shown = try Tool.pql("run", file, "ANY tags == 'b'", "--fields", "tags,address.city")
        #expect(shown.output == "{\(list),\"address\":{\"city\":\"x\"}}\n", "\(shown)")
        let groups = try Tool.pql("run", file, "ANY tags == 'a'", "--group-by", "tags", "--compute", "count")
        #expect(groups.output == "{\(list),\"count\":1}\n{\"tags\":\"a\",\"count\":1}\n", "\(groups)")
        for options in [[], ["--count"], ["--group-by", "n", "--compute", "count"]] {
            let noted = try Tool.pql(["run", file, "ANY tags == 'b'"] + options)
            #expect(noted.error == "assumes: {\"json\":\"tags\"}\n" && noted.status == 0, "\(options) \(noted)")
            let declared = try Tool.pql(["run", file, "n > 1"] + options)
            #expect(declared.error.isEmpty, "\(options) \(declared)")
        }
        let told = try Tool.pql("translate", "tags.@count == 0", "--to", "sqlite", "--table", "notes")
        #expect(told.output.contains("{\"json\":\"tags\"}") && !told.output.contains("NULL = ?"), "\(told)")
        let mistake = try Tool.pql("run", file, "tags > 5")
        #expect(mistake.status != 0 && mistake.error.contains("does not fit"), "\(mistake)")
        let date = try Tool.pql("run", file, "now() > n")
        #expect(date.status != 0 && date.error.contains("declare it in the schema as a date"), "\(date)")
        // Texts of a table may be dates.
        let text = try Tool.pql("run", file, "address < now()", "--count")
        #expect(text.status == 0, "\(text)")
    }

    @Test func runsEndInTime() throws {
        let rows = (0..<50).map { "{\"a\":[1,2,3,4,5,6,7,8],\"n\":\($0)}\n" }.joined()
        let heavy = "SUBQUERY(a, $x, ANY a == $x).@count > 1"
        for options in [["--max-steps", "1000"], ["--timeout", "0"]] {
            for more in [[], ["--count"], ["--group-by", "n", "--compute", "count"], ["--sort", "n"]] {
                let ended = try Tool.pql(["run", "-", heavy] + options + more, input: rows)
                #expect(ended.status != 0 && ended.error.contains("error"), "\(options) \(more) \(ended.error)")
            }
        }
        let enough = ["--max-steps", "1000000", "--timeout", "60"]
        let whole = try Tool.pql(["run", "-", heavy, "--count"] + enough, input: rows)
        #expect(whole.output == "50\n", "\(whole.error)")
        let wrong = try Tool.pql("run", "-", heavy, "--max-steps=-1", input: rows)
        #expect(wrong.status == 64)
    }

    @Test func standardInputIsLinesOrAList() throws {
        for input in ["{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":3}", " [ {\"a\":1},\n{\"a\":2},{\"a\":3}]\n"] {
            let found = try Tool.pql("run", "-", "a > %@", "--arg", "1", "--sort", "-a", input: input)
            #expect(found.output == "{\"a\":3}\n{\"a\":2}\n", "\(found.error)")
        }
    }

    @Test func outputsAreWhatTheySay() throws {
        let rows = "{\"n\":1,\"s\":\"a,b\"}\n{\"n\":20,\"s\":\"漢字\",\"l\":[1]}\n{\"n\":null,\"s\":\"\"}\n"
        let expected = [
            "json": "[\n{\"n\":1,\"s\":\"a,b\"},\n{\"n\":20,\"s\":\"漢字\",\"l\":[1]},\n{\"n\":null,\"s\":\"\"}\n]\n",
            "ndjson": rows,
            "csv": "n,s,l\n1,\"a,b\",\n20,漢字,[1]\n,\"\",\n",
            "table": " n  s     l\n--  ----  ---\n 1  a,b\n20  漢字  [1]\n\n",
        ]
        for (format, text) in expected {
            let found = try Tool.pql("run", "-", "TRUEPREDICATE", "--output", format, input: rows)
            #expect(found.output == text, "\(format): \(found.output)")
        }
        #expect(try Tool.pql("run", "-", "FALSEPREDICATE", "--output", "json", input: rows).output == "[]\n")
    }

    @Test func malformedRowsAreToldOrSkipped() throws {
        try Tool.withFile("rows.ndjson", "{\"a\":1}\n\n{\"a\": x}\n[2]\n{\"a\":2}\n") { file in
            let strict = try Tool.pql("run", file, "a > 0")
            #expect(strict.status == 65)
            #expect(strict.error.hasPrefix("error: \(file):3:7: "), "\(strict.error)")
            #expect(strict.output == "{\"a\":1}\n")
            let lenient = try Tool.pql("run", file, "a > 0", "--skip-invalid")
            #expect(lenient.status == 0 && lenient.lines.count == 2)
            #expect(lenient.error.contains("skipped 2 malformed rows"))
        }
    }

    @Test func schemasNameAndCheckFields() throws {
        let schema = #"{"type":"object","properties":{"town":{"type":"string","x-stored-name":"name"}}}"#
        try Tool.withFile("schema.json", schema) { file in
            let found = try Tool.pql("run", "-", "town == 'A'", "--schema", file, input: "{\"name\":\"A\"}\n")
            #expect(found.output == "{\"name\":\"A\"}\n", "\(found.error)")
            let wrong = try Tool.pql("check", "twon == 'A'", "--schema", file)
            #expect(wrong.status == 65 && wrong.error.contains("did you mean") && wrong.error.contains("^^^^"))
        }
    }

    /// Items of `--fields` with `=` are computed for each row.
    @Test func fieldsAreComputed() throws {
        let rows = """
            {"name":"pen","price":1.5,"qty":4,"placed":"2024-02-03T00:00:00Z"}
            {"name":"ink","price":3,"qty":0}
            {"name":"pad","qty":2}

            """
        let fields = "name, total=price*qty, year = year(CAST(placed, 'NSDate'))"
        func lines(_ options: String...) throws -> String {
            let found = try Tool.pql(["run", "-"] + options, input: rows)
            #expect(found.status == 0, "\(found)")
            return found.output
        }
        #expect(
            try lines("--fields", "name, total=price*qty") == """
                {"name":"pen","total":6.0}
                {"name":"ink","total":0}
                {"name":"pad","total":null}

                """
        )
        #expect(
            try lines("qty > 0", "--fields", "size=TERNARY(qty > 3, 'big, big', \"small\")", "-o", "csv") == """
                size
                "big, big"
                small

                """
        )
        #expect(
            try lines("--fields", "t=qty*2,name", "-o", "csv", "--sort", "-qty", "--limit", "1") == "name,t\npen,8\n"
        )
        #expect(try lines("qty > 0", "--fields", "t=qty", "--count") == "2\n")
        #expect(try lines("--fields", fields, "--explain").contains("show name, total = price * qty, year = "))
        for mistake in ["name,name=qty", "a==b", "=qty", "t=", "t=qty >"] {
            #expect(try Tool.pql("run", "-", "--fields", mistake, input: rows).status != 0, "\(mistake)")
        }
        // An order may name them; a field of that name is hidden.
        #expect(
            try lines("--fields", "name,t=qty*price", "--sort", "-t", "-o", "csv") == "name,t\npen,6.0\nink,0\npad,\n"
        )
        #expect(try lines("--fields", "qty = 0 - qty", "--sort", "qty", "-o", "csv") == "qty\n-4\n-2\n0\n")
        #expect(try lines("--fields", "t=qty", "--sort", "t", "--explain").contains("sort by t"))
        let wrong = try Tool.pql("run", "-", "--fields", "t=qty", "--sort", "-tt", "--strict", input: rows)
        #expect(wrong.status != 0 && wrong.error.contains("tt"), "\(wrong)")
    }

    @Test func importsSayWhichDatesBecomeTexts() throws {
        let rows = """
            {"d":{"$date":"2018-01-01T00:00:00Z"},"x":{"$date":"2018-01-01T00:00:00Z"},"o":{"a":[{"$date":0}]}}
            {"d":{"$date":"2016-01-01T00:00:00Z"},"x":"abc","o":{"a":[]}}

            """
        try Tool.withFile("rows.ndjson", rows) { file in
            let store = file + ".sqlite"
            let imported = try Tool.pql("import", file, "--into", store, "--table", "t")
            let notes = ["x", "o"].map { "\($0): dates were stored as ISO 8601 text because JSON has no dates" }
            #expect(imported.error == (["2 rows in t"] + notes).map { $0 + "\n" }.joined(), "\(imported)")
            let found = try Tool.pql("run", store, "--table", "t", "d > '2017-01-01'", "--count")
            #expect(found.output == "0\n" && found.error.contains("d holds dates"), "\(found)")
        }
    }

    @Test func failedImportLeavesNoFile() throws {
        try Tool.withFile("rows.ndjson", "{\"a\":1}\n{\"a\":\n") { file in
            let result = try Tool.pql("import", file, "--into", file + ".sqlite", "--table", "t")
            #expect(result.status == 65)
            #expect(!FileManager.default.fileExists(atPath: file + ".sqlite"))
        }
    }
}
