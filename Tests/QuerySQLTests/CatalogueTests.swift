import PredicateQL
import QuerySQL
import QueryTree
import Testing

/// What a database's catalogue says decides how its columns are read.
@Suite struct CatalogueTests {
    private static let shop = """
        [{"table": "customer", "column": "id", "type": "uuid", "required": true, "key": 1},
         {"table": "customer", "column": "code", "type": "bpchar", "required": false},
         {"table": "customer", "column": "born", "type": "date", "required": false},
         {"table": "orders", "column": "id", "type": "int8", "required": true, "key": 1},
         {"table": "orders", "column": "customer_id", "type": "uuid", "required": false, "references":
            [{"name": "fk", "position": 1, "table": "customer", "column": "id"}]},
         {"table": "orders", "column": "state", "type": "enum", "required": false},
         {"table": "orders", "column": "price", "type": "numeric", "required": false},
         {"table": "orders", "column": "tags", "type": "_text", "required": false},
         {"table": "orders", "column": "extra", "type": "json", "required": false},
         {"table": "orders", "column": "more", "type": "jsonb", "required": false},
         {"table": "orders", "column": "took", "type": "interval", "required": false},
         {"table": "orders", "column": "placed", "type": "timestamptz", "required": false, "precision": 3},
         {"table": "lines", "column": "order_id", "type": "int8", "required": false, "references":
            [{"name": "fk", "position": 1, "table": "orders", "column": "id"}]},
         {"table": "lines", "column": "amount", "type": "numeric", "required": false}]
        """

    private func sql(_ format: String) throws -> String {
        let catalogue = try SQLCatalogue(json: Self.shop)
        let query = try Query(parsing: format, schema: catalogue.schema(ofTable: "orders"))
        return try query.sql(.postgresql, from: SQLTable("orders", storage: catalogue.storage(ofTable: "orders"))).where
    }

    @Test func columnsAreReadByTheirTypes() throws {
        for (format, expected) in [
            ("state == 'open'", #"CAST("orders"."state" AS text) = CAST($1 AS text)"#),
            ("price > 9.5", #""orders"."price" > CAST($1 AS numeric)"#),
            // Digits are compared with digits, beyond 2^53 too.
            ("price == 9007199254740993", #""orders"."price" = CAST($1 AS bigint)"#),
            ("price IN {9007199254740993, 1}", #""orders"."price" IN (CAST($1 AS bigint), CAST($2 AS bigint))"#),
            ("id == 5", #""orders"."id" = CAST($1 AS bigint)"#),
            (
                "ANY tags == 'red'",
                #""orders"."tags" @> ARRAY[CAST($1 AS text)] AND array_ndims("orders"."tags") < 2"#
            ),
        ] {
            #expect(try sql(format) == expected, "\(format)")
        }
        #expect(try sql("lines.@sum.amount == 0.3").contains(#"sum("k1"."amount")"#))
        #expect(try sql("extra.a == 2").contains(#"to_jsonb("orders"."extra") -> 'a'"#))
        #expect(try sql("more.a == 2").contains(#""orders"."more" -> 'a'"#))
        #expect(try sql("customer.code == 'b'").contains(#"."code" AS text) = CAST($1 AS text)"#))
    }

    private func query(_ format: String = "TRUEPREDICATE", order: [SortKey] = []) throws -> (Query, SQLTable) {
        let catalogue = try SQLCatalogue(json: Self.shop)
        let query = try Query(parsing: format, order: order, schema: catalogue.schema(ofTable: "orders"))
        return (query, SQLTable("orders", storage: try catalogue.storage(ofTable: "orders")))
    }

    /// Lists have no order that a store shares with memory.
    @Test func wholeListsAreNoSortKeys() throws {
        let (sorted, table) = try query(order: ["-tags"])
        let error = #expect(throws: QueryError.self) { try sorted.sql(.postgresql, from: table) }
        #expect(error?.code == .unsupported)
        #expect(error?.message == "a whole list or object cannot be a sort key in this store")
        #expect(error?.hint == "sort by a value of it, such as a field or @count")
        let groups = try query().0.grouped(by: "tags", computing: [.count])
        #expect(throws: QueryError.self) { try groups.sql(.postgresql, from: table) }
        #expect(try query(order: ["more.a"]).0.sql(.postgresql, from: table).sql.contains("ORDER BY CASE jsonb_typeof"))
    }

    /// `char(n)` without the blanks at its end, and `real` with the digits of a double, as in columns.
    @Test func elementsOfArraysAreReadAsColumnsAre() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "t", "column": "ch", "type": "_bpchar"}, {"table": "t", "column": "f", "type": "_float4"},
                 {"table": "t", "column": "i", "type": "_int4"}, {"table": "t", "column": "r", "type": "float4"},
                 {"table": "t", "column": "n", "type": "numeric"}, {"table": "t", "column": "d", "type": "jsonb"}]
                """
        )
        for (format, expected) in [
            ("ANY ch == 'x'", #"to_jsonb(CAST("t"."ch" AS text[])) @> CAST($1 AS jsonb)"#),
            ("ANY f == 0.5", #"to_jsonb(CAST("t"."f" AS double precision[])) @> CAST($1 AS jsonb)"#),
            ("ANY i == 1", #""t"."i" @> ARRAY[CAST($1 AS integer)]"#),
            ("r < n", #"(CAST(CAST(CAST("t"."r" AS double precision) AS text) AS numeric) + 0.0) < "t"."n""#),
            ("r < d.a", #"to_jsonb(CAST("t"."r" AS double precision))"#),
        ] {
            let query = try Query(parsing: format, schema: catalogue.schema(ofTable: "t"))
            let table = SQLTable("t", storage: try catalogue.storage(ofTable: "t"))
            let text = try query.sql(.postgresql, from: table).where
            #expect(text.contains(expected), "\(text)")
        }
    }

    /// An index of an array's elements finds them; what is no element of the array's type equals none.
    @Test func elementsOfArraysAreFoundInTheirOwnType() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "t", "column": "i", "type": "_int4"}, {"table": "t", "column": "l", "type": "_int8"},
                 {"table": "t", "column": "v", "type": "_varchar"}]
                """
        )
        let table = SQLTable("t", storage: try catalogue.storage(ofTable: "t"))
        let schema = try catalogue.schema(ofTable: "t")
        func sql(_ format: String) throws -> String {
            try Query(parsing: format, schema: schema).sql(.postgresql, from: table).where
        }
        let flat = #" AND array_ndims("t"."i") < 2"#
        for (format, expected) in [
            ("ANY i == 1.0", #""t"."i" @> ARRAY[CAST($1 AS integer)]"# + flat),
            ("1 IN i", #""t"."i" @> ARRAY[CAST($1 AS integer)]"# + flat),
            ("ANY i IN {1, 2, 3000000000}", #""t"."i" && ARRAY[CAST($1 AS integer), CAST($2 AS integer)]"# + flat),
            ("NONE i == 1", #"("t"."i" @> ARRAY[CAST($1 AS integer)]"# + flat + ") IS NOT TRUE"),
            ("ANY i == 1.5", "FALSE"), ("ANY i == 3000000000", "FALSE"), ("ANY i IN {}", "FALSE"),
            ("ANY l == 3000000000", #""t"."l" @> ARRAY[CAST($1 AS bigint)] AND array_ndims("t"."l") < 2"#),
            ("ANY v == 'x'", #""t"."v" @> ARRAY[CAST($1 AS varchar)] AND array_ndims("t"."v") < 2"#),
        ] { #expect(try sql(format) == expected, "\(format)") }
        #expect(try sql("v CONTAINS 'x'") == sql("ANY v == 'x'"))
        #expect(try sql("ANY i IN {1, nil}").contains("jsonb_array_elements"))
        for format in ["ANY v == 'x'", "ANY v IN {'x', 'y'}"] {
            let index = #"CREATE INDEX IF NOT EXISTS "t_v_list" ON "t" USING gin (("t"."v"))"#
            let query = try Query(parsing: format, schema: schema)
            #expect(try query.suggestedIndexes(.postgresql, from: table) == [index])
        }
    }

    /// The row's key would come out in place of the row.
    @Test func rowsOfOtherTablesAreNoValues() throws {
        for dialect in [SQLDialect.postgresql, .duckDB, .sqlite] {
            var (named, table) = try query()
            named.fields = ["customer"]
            let (sorted, groups) = (
                try query(order: ["customer"]).0, try query().0.grouped(by: "customer", computing: [.count])
            )
            for (place, write) in [
                ("fields[0]", { try named.sql(dialect, from: table) }),
                ("order[0]", { try sorted.sql(dialect, from: table) }),
                ("group.by[0]", { try groups.sql(dialect, from: table) }),
            ] as [(String, () throws -> SQLQuery)] {
                let error = #expect(throws: QueryError.self, "\(place)") { try write() }
                #expect(error?.code == .unsupported)
                #expect(error?.path == place)
                #expect(error?.message == "customer is a whole row of a table, and SQL takes a value")
                let hint =
                    place == "fields[0]" ? "compute one of its fields: value = " : "name one of its fields, such as "
                #expect(error?.hint == hint + "customer.id")
            }
            named.fields = ["customer.id"]
            #expect(try !named.sql(dialect, from: table).sql.isEmpty)
            let greatest = try query().0.grouped(by: "id", computing: [.max("customer")])
            #expect(throws: QueryError.self) { try greatest.sql(dialect, from: table) }
        }
    }

    /// PostgreSQL refuses indexes of what is not immutable: the text of an enum, the document of a `json` column.
    @Test func enumsAndDocumentsHaveNoIndexes() throws {
        for format in ["state == 'open'", "ANY tags BEGINSWITH 'red'", "extra.a == 2"] {
            let (query, table) = try query(format)
            #expect(try query.suggestedIndexes(.postgresql, from: table) == [], "\(format)")
        }
        for format in ["more.a == 2", "customer.code == 'b'"] {
            let (query, table) = try query(format)
            #expect(try !query.suggestedIndexes(.postgresql, from: table).isEmpty, "\(format)")
        }
    }

    /// Such a column finds other texts than memory does.
    @Test func collationsThatAreNotDeterministic() throws {
        let type = "text with the nondeterministic collation ci"
        let catalogue = try SQLCatalogue(json: #"[{"table": "t", "column": "a", "type": "\#(type)"}]"#)
        let query = try Query(parsing: "a == 'x'", schema: catalogue.schema(ofTable: "t"))
        let table = SQLTable("t", storage: try catalogue.storage(ofTable: "t"))
        let error = #expect(throws: QueryError.self) { try query.sql(.postgresql, from: table) }
        #expect(error?.message == "the column type \(type) is not supported")
        #expect(error?.hint?.hasSuffix(#"a text by CAST(… AS text) COLLATE "C""#) == true)
        let statement = try #require(SQLDialect.postgresql.catalogueQuery)
        #expect(statement.contains("NOT l.collisdeterministic"))
        // A view may show nil for a column of a domain that is never nil.
        #expect(statement.contains("c.relkind IN ('r', 'p') AND (a.attnotnull OR t.typnotnull)"))
        // The key to a table in partitions has a constraint for each of them.
        #expect(statement.contains("p.oid = f.conparentid AND p.conrelid = c.oid"))
    }

    @Test func messagesNameTheTypeAndWhatToDo() throws {
        let large = try Query(format: "price == 9007199254740993")
        let error = #expect(throws: QueryError.self) { try large.sql(.postgresql, from: "orders") }
        #expect(error?.hint?.contains("name a numeric column in decimalColumns") == true)
        let catalogue = try SQLCatalogue(json: #"[{"table": "t", "column": "j", "type": "JSON"}]"#)
        let query = try Query(parsing: "j == 1", schema: catalogue.schema(ofTable: "t"))
        let json = #expect(throws: QueryError.self) {
            try query.sql(.duckDB, from: SQLTable("t", storage: catalogue.storage(ofTable: "t")))
        }
        #expect(json?.message == "the column type JSON is not supported")
        let wrong = #expect(throws: QueryError.self) { try SQLCatalogue(json: "{}") }
        #expect(wrong?.hint == "use what the statement of `pql catalogue postgresql` gives")
    }

    @Test func otherTablesAndNamesAreChecked() throws {
        let catalogue = try SQLCatalogue(json: Self.shop)
        #expect(catalogue.tableNames == ["customer", "orders", "lines"])
        #expect(try catalogue.schema(ofTable: "customer").primaryKey == ["id"])
        for (format, code) in [
            ("stat == 'open'", QueryError.Code.unknownField), ("price == 'a'", .kindMismatch),
            ("took == 'x'", .unsupported),
        ] {
            let error = #expect(throws: QueryError.self, "\(format)") { try sql(format) }
            #expect(error?.code == code, "\(format)")
            #expect(error?.range != nil, "\(format)")
        }
        let missing = #expect(throws: QueryError.self) { try catalogue.schema(ofTable: "order") }
        #expect(missing?.hint == "it has customer, orders, lines")
    }

    /// Computed dates are read alike, as instants only if each column is one; a column of instants is read as such.
    @Test func datesOfTwoTypesAreReadInMilliseconds() throws {
        func storage(_ types: [String]) throws -> SQLStorage {
            let columns = types.enumerated().map {
                #"{"table": "t", "column": "c\#($0)", "type": "\#($1)", "precision": 3}"#
            }
            return try SQLCatalogue(json: "[" + columns.joined(separator: ",") + "]").storage(ofTable: "t")
        }
        #expect(try storage(["timestamptz", "timestamptz"]).keepsTimeZones)
        #expect(try storage(["timestamptz"]).keepsWholeMilliseconds)
        #expect(try !storage(["timestamptz", "timestamp"]).keepsTimeZones)
        #expect(try !storage(["timestamptz", "date"]).keepsTimeZones)
        #expect(try !storage(["text"]).keepsTimeZones)
        let types = ["timestamptz", "timestamp", "date"]
        let columns = types.map { #"{"table": "t", "column": "\#($0)", "type": "\#($0)"}"# }
        let catalogue = try SQLCatalogue(json: "[" + columns.joined(separator: ",") + "]")
        let table = SQLTable("t", storage: try catalogue.storage(ofTable: "t"))
        for type in types {
            let query = try Query(parsing: "\(type) >= '2024-01-01'", schema: catalogue.schema(ofTable: "t"))
            let text = try query.sql(.postgresql, from: table).where
            #expect(text.contains("extract(epoch") == (type == "timestamp"), "\(text)")
        }
        // A CASE of two types would shift what has no time zone by the session's.
        for (first, second) in [("timestamptz", "timestamp"), ("date", "timestamp"), ("timestamp", "timestamp")] {
            let format = "TERNARY(\(first) == nil, \(second), \(first)) >= '2024-01-01'"
            let query = try Query(parsing: format, schema: catalogue.schema(ofTable: "t"))
            let text = try query.sql(.postgresql, from: table).where
            #expect(text.contains("ELSE floor((extract(epoch") == (first != second), "\(text)")
        }
    }

    /// Whether the greatest is above a bound, any value tells; an aggregate is written once in each comparison.
    @Test func extremesBeyondABoundAreThoseOfAnyValue() throws {
        for (format, any) in [
            ("lines.@max.amount > 5", "ANY lines.amount > 5"), ("lines.@min.amount <= 5", "ANY lines.amount <= 5"),
            ("5 < lines.@max.amount", "ANY lines.amount > 5"),
            ("NOT lines.@max.amount >= 5", "NOT (ANY lines.amount >= 5)"),
        ] {
            #expect(try sql(format) == sql(any), "\(format)")
            #expect(try sql(format).contains("EXISTS (SELECT 1 FROM"), "\(format)")
        }
        for format in [
            "lines.@max.amount < 5", "lines.@min.amount > 5", "lines.@max.amount == 5", "lines.@max.amount != 5",
            "customer.orders.@max.placed < '2024-01-01'", "NOT customer.orders.@max.placed < '2024-01-01'",
            "customer.orders.@min.placed == '2024-01-01'", "customer.orders.@min.placed != '2024-01-01'",
        ] {
            let text = try sql(format)
            #expect(text.contains("max(") != text.contains("min("), "\(text)")
            #expect(text.split(separator: "SELECT m").count <= 2, "\(text)")
        }
    }

    /// A key that the store checks tells alone whether there is a row; a view's or an unchecked one may find none.
    @Test func keysThatAreEnforcedFindTheirRows() throws {
        func sql(_ format: String, _ enforced: String) throws -> String {
            let catalogue = try SQLCatalogue(
                json: """
                    [{"table": "t", "column": "id", "type": "int8", "key": 1},
                     {"table": "t", "column": "boss_id", "type": "int8", "references":
                        [{"name": "f", "position": 1, "table": "t", "column": "id"\(enforced)}]}]
                    """
            )
            let query = try Query(parsing: format, schema: catalogue.schema(ofTable: "t"))
            return try query.sql(.postgresql, from: SQLTable("t", storage: catalogue.storage(ofTable: "t"))).where
        }
        let (yes, no) = (#", "enforced": true"#, #", "enforced": false"#)
        #expect(try sql("boss == nil", yes) == #""t"."boss_id" IS NULL"#)
        #expect(try sql("boss != nil", yes) == #""t"."boss_id" IS NOT NULL"#)
        let far = #"(SELECT "j1"."boss_id" FROM "t" AS "j1" WHERE "j1"."id" = "t"."boss_id") IS NULL"#
        #expect(try sql("boss.boss == nil", yes) == far)
        #expect(try sql("ANY t.boss != nil", yes).contains(#""k1"."boss_id" IS NOT NULL"#))
        for unchecked in ["", no] {
            let key = #"(SELECT "j1"."id" FROM "t" AS "j1" WHERE "j1"."id" = "t"."boss_id") IS NULL"#
            #expect(try sql("boss == nil", unchecked) == key)
        }
        let statement = try #require(SQLDialect.postgresql.catalogueQuery)
        // Not checked yet or at once, rows that a policy hides, and children of a table, whose keys nothing checks.
        for part in ["f.convalidated", "NOT f.condeferrable", "NOT r.relrowsecurity", "NOT c.relhassubclass"] {
            #expect(statement.contains(part))
        }
    }

    /// A day has no time and no zone: the instants of a day are those from its midnight in UTC.
    @Test func daysAreComparedAsDays() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "t", "column": "d", "type": "date"}, {"table": "t", "column": "p", "type": "timestamptz"}]
                """
        )
        let table = SQLTable("t", storage: try catalogue.storage(ofTable: "t"))
        let schema = try catalogue.schema(ofTable: "t")
        for (format, expected) in [
            ("d == '2005-05-05'", #""t"."d" = CAST($1 AS date)"#),
            ("d != '2005-05-05'", #""t"."d" IS DISTINCT FROM CAST($1 AS date)"#),
            ("d < '2005-05-05'", #""t"."d" < CAST($1 AS date)"#),
            ("d <= '2005-05-05'", #""t"."d" <= CAST($1 AS date)"#),
            ("NOT d > '2005-05-05'", #""t"."d" <= CAST($1 AS date) OR "t"."d" IS NULL"#),
            // A bound within a day lies behind the day, and is no day.
            ("d < '2005-05-05T00:00:00.001Z'", #""t"."d" <= CAST($1 AS date)"#),
            ("d <= '2005-05-05T12:00:00Z'", #""t"."d" <= CAST($1 AS date)"#),
            ("d > '2005-05-05T12:00:00Z'", #""t"."d" > CAST($1 AS date)"#),
            ("d >= '2005-05-05T23:59:59.999Z'", #""t"."d" > CAST($1 AS date)"#),
        ] {
            for dialect in [SQLDialect.postgresql, .duckDB] {
                let sql = try Query(parsing: format, schema: schema).sql(dialect, from: table)
                #expect(sql.where == expected, "\(format)")
                #expect(sql.bindings == [.string("2005-05-05")], "\(format)")
            }
        }
        let noon = try Query(parsing: "d == '2005-05-05T12:00:00Z'", schema: schema)
        #expect(try noon.sql(.postgresql, from: table).where == "FALSE")
        let before = try Query(parsing: "d > '1969-12-30T12:00:00Z'", schema: schema).sql(.postgresql, from: table)
        #expect(before.bindings == [.string("1969-12-30")])
        let first = try Query(format: "d >= '2005-05-05'", order: ["d"], limit: 3, schema: schema)
        #expect(try first.sql(.postgresql, from: table).sql.contains(#"ORDER BY "t"."d" ASC NULLS FIRST"#))
        let index = try first.suggestedIndexes(.postgresql, from: table).first
        #expect(index?.contains(#"(("t"."d") ASC NULLS FIRST"#) == true)
        // Another date beside it may have no time zone.
        let other = try Query(parsing: "d < p", schema: schema).sql(.postgresql, from: table).where
        #expect(other.contains("extract(epoch"))
    }

    @Test func typesOfDuckDB() throws {
        func type(_ name: String) throws -> FieldType? {
            let text = QueryValue.object(["table": "t", "column": "c", "type": .string(name)]).json
            return try SQLCatalogue(json: "[" + text + "]").schema(ofTable: "t").field(named: "c")?.type
        }
        let object = Schema([.field("a", .int), .field("b \"c", .list(.string))])
        #expect(try type("BIGINT") == .int)
        #expect(try type("TIMESTAMP WITH TIME ZONE") == .date(.native))
        #expect(try type("DECIMAL(9,2)") == .double)
        #expect(try type("ENUM('a', 'b')") == .string)
        #expect(try type("VARCHAR[][]") == .list(.list(.string)))
        #expect(try type("ENUM('a', 'b')[]") == .list(.string))
        #expect(try type("DECIMAL(9,2)[]") == .list(.double))
        #expect(try type("INTEGER[3]") == .list(.int))
        #expect(try type("UINTEGER[]") == .list(.int))
        #expect(try type("STRUCT(a UTINYINT)") == .object(Schema([.field("a", .int)])))
        #expect(try type("TIMESTAMP_NS") == .date(.native))
        #expect(try type(#"STRUCT(a INTEGER, "b ""c" VARCHAR[])"#) == .object(object))
        let deep = String(repeating: "STRUCT(a ", count: 10_000) + "INTEGER" + String(repeating: ")", count: 10_000)
        for other in [
            "ENUM('a')[][]", "BIT", "HUGEINT", "UHUGEINT", "UBIGINT", "UBIGINT[]", "MAP(VARCHAR, INTEGER)", "STRUCT(a",
            "STRUCT(a INTEGER", "STRUCT(a STRUCT())", "",
            "[]",
            deep, String(repeating: "[]", count: 10_000),
        ] {
            #expect(try type(other) == .any, "\(other.prefix(40))")
        }
    }

    /// DuckDB subtracts unsigned integers without a sign, and its largest ones are no 64-bit ints.
    @Test func unsignedAndLargeIntegersOfDuckDB() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "t", "column": "u", "type": "UINTEGER"}, {"table": "t", "column": "h", "type": "HUGEINT"},
                 {"table": "t", "column": "g", "type": "UBIGINT"}]
                """
        )
        func sql(_ format: String) throws -> String {
            let query = try Query(parsing: format, schema: catalogue.schema(ofTable: "t"))
            return try query.sql(.duckDB, from: SQLTable("t", storage: catalogue.storage(ofTable: "t"))).where
        }
        #expect(try sql("-u < 0") == #"-CAST("t"."u" AS BIGINT) < CAST($1 AS BIGINT)"#)
        #expect(try sql("u - u < 0").contains(#"CAST("t"."u" AS BIGINT) - CAST("t"."u" AS BIGINT)"#))
        // PostgreSQL has no such type, and a cast of `timestamptz` would depend on the session's zone.
        var storage = SQLStorage.columns
        storage.castColumns = ["at"]
        let query = try Query(format: "at > '2024-01-01'", schema: Schema([.field("at", .date(.native))]))
        let table = SQLTable("t", storage: storage)
        #expect(try query.sql(.duckDB, from: table).where.contains(#"CAST("t"."at" AS TIMESTAMP)"#))
        #expect(throws: QueryError.self) { try query.sql(.postgresql, from: table) }
        for (format, type) in [("h > 1e29", "HUGEINT"), ("g == 1", "UBIGINT")] {
            let error = #expect(throws: QueryError.self) { try sql(format) }
            #expect(error?.message == "the column type \(type) is not supported")
            #expect(error?.hint?.hasPrefix("make a view that casts it to a plain type") == true)
        }
    }

    /// A view numbers no rows: all columns with an order end the order of a page.
    @Test func pagesOfViewsAreSortedByColumns() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "v", "column": "a", "type": "int8", "view": true},
                 {"table": "v", "column": "doc", "type": "json", "view": true},
                 {"table": "v", "column": "b", "type": "text", "view": true}]
                """
        )
        let query = try Query(format: "a > 1", order: ["-a"], limit: 2, schema: catalogue.schema(ofTable: "v"))
        let sql = try query.sql(.postgresql, from: SQLTable("v", storage: catalogue.storage(ofTable: "v"))).sql
        #expect(sql.contains(#"ORDER BY "v"."a" DESC NULLS LAST, "v"."b" DESC"#), "\(sql)")
        #expect(!sql.contains("ctid"))
    }

    /// DuckDB compares decimals as doubles, and adds them as they are.
    @Test func decimalsOfDuckDBAreAddedExactly() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "orders", "column": "id", "type": "BIGINT", "key": 1},
                 {"table": "orders", "column": "total", "type": "DECIMAL(9,2)"},
                 {"table": "lines", "column": "price", "type": "DECIMAL(9,2)"},
                 {"table": "lines", "column": "order_id", "type": "BIGINT", "references":
                    [{"name": "f", "position": 1, "table": "orders", "column": "id"}]}]
                """
        )
        let query = try Query(format: "total > lines.@sum.price", schema: catalogue.schema(ofTable: "orders"))
        let sql = try query.sql(.duckDB, from: SQLTable("orders", storage: catalogue.storage(ofTable: "orders"))).where
        #expect(sql.contains(#"CAST("orders"."total" AS DOUBLE) > "#) && sql.contains(#"sum("k1"."price")"#))
    }

    /// A document's text is no UUID, although a declared one is kept as text.
    @Test func aTextIsNoDeclaredUUID() throws {
        let schema = Schema([.field("u", .uuid), .field("v", .uuid)], allowsOthers: true)
        func sql(_ format: String) throws -> String {
            let query = try Query(parsing: format, schema: schema)
            return try query.sql(.postgresql, from: SQLTable("t", storage: .document())).where
        }
        for format in ["s == u", "s <= u", "s BETWEEN {'a', u}"] {
            #expect(try sql(format).contains("= 'string') IS NOT TRUE"), "\(format)")
        }
        #expect(try !sql("u == v").contains("IS NOT TRUE"))
    }

    /// PostgreSQL keeps `Item` and `item` apart, and so do relations.
    @Test func namesThatDifferInCaseAreTwoTables() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "item", "column": "id", "type": "int8", "key": 1}, {"table": "item", "column": "a", "type": "text"},
                 {"table": "Item", "column": "id", "type": "int8", "key": 1}, {"table": "Item", "column": "b", "type": "text"},
                 {"table": "part", "column": "item_id", "type": "int8", "references":
                    [{"name": "f", "position": 1, "table": "Item", "column": "id"}]}]
                """
        )
        #expect(try catalogue.schema(ofTable: "item").fields.map(\.name) == ["id", "a"])
        #expect(try catalogue.schema(ofTable: "Item").fields.map(\.name) == ["id", "b", "part"])
        let part = try catalogue.schema(ofTable: "part")
        #expect(part.field(named: "item")?.type.fieldNames == ["id", "b", "part"])
    }

    /// A table of another schema than the first of the search path has its schema's name; relations have the table's.
    @Test func tablesOfSchemas() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "shop.people", "column": "id", "type": "int8", "key": 1},
                 {"table": "shop.people", "column": "name", "type": "text"},
                 {"table": "shop.orders", "column": "person_id", "type": "int8", "references":
                    [{"name": "f", "position": 1, "table": "shop.people", "column": "id"}]},
                 {"table": "\\"a.b\\"", "column": "id", "type": "int8", "references":
                    [{"name": "f", "position": 1, "table": "shop.people", "column": "id"}]}]
                """
        )
        let people = try catalogue.schema(ofTable: "shop.people")
        #expect(people.fields.map(\.name) == ["id", "name", "orders", "a.b"])
        func sql(_ format: String, _ table: String) throws -> SQLQuery {
            let query = try Query(parsing: format, schema: catalogue.schema(ofTable: table))
            return try query.sql(.postgresql, from: SQLTable(table, storage: catalogue.storage(ofTable: table)))
        }
        let named = try sql("person.name == 'Ann'", "shop.orders").sql
        #expect(named.hasPrefix(#"SELECT "orders".* FROM "shop"."orders" WHERE "orders"."person_id" IN (SELECT "#))
        #expect(named.contains(#"FROM "shop"."people" AS "#), "\(named)")
        #expect(try sql("ANY orders.person_id > 1", "shop.people").where.contains(#"FROM "shop"."orders" AS "#))
        #expect(try sql("id > 1", #""a.b""#).sql == #"SELECT "a.b".* FROM "a.b" WHERE "a.b"."id" > CAST($1 AS bigint)"#)
        let query = try Query(parsing: "name == 'Ann'", schema: people)
        let index = #"CREATE INDEX IF NOT EXISTS "people_name" ON "shop"."people" (("people"."name"))"#
        let indexes = try query.suggestedIndexes(.postgresql, from: "shop.people")
        #expect(indexes == [index], "\(indexes)")
        #expect(try query.sql(.sqlite, from: "shop.people").where == #""shop.people"."name" = ?"#)
    }

    /// DuckDB tells the name as the reference was written.
    @Test func referencesInAnotherCaseFindTheirTable() throws {
        let catalogue = try SQLCatalogue(
            json: """
                [{"table": "Item", "column": "id", "type": "INTEGER", "key": 1}, {"table": "Item", "column": "s", "type": "ENUM('a')"},
                 {"table": "part", "column": "item_id", "type": "INTEGER", "references":
                    [{"name": "f", "position": 1, "table": "item", "column": "ID"}]}]
                """
        )
        let schema = try catalogue.schema(ofTable: "part")
        #expect(schema.field(named: "item")?.relation?.table == "Item")
        let query = try Query(format: "item.s == 'a'", schema: schema)
        let text = try query.sql(.duckDB, from: SQLTable("part", storage: catalogue.storage(ofTable: "part"))).where
        #expect(text.contains(#"."s" AS VARCHAR)"#), "\(text)")
    }

    @Test func malformedCatalogues() throws {
        for (text, path) in [
            ("{}", "catalogue"), ("[1]", "catalogue[0]"), (#"[{"table": "t", "column": "a"}]"#, "catalogue[0]"),
            (#"[{"table": "t", "column": "a", "type": "int4", "references": [{"name": "x"}]}]"#, "catalogue[0]"),
        ] {
            let error = #expect(throws: QueryError.self) { try SQLCatalogue(json: text) }
            #expect(error?.code == .schema)
            #expect(error?.path == path)
        }
        #expect(throws: QueryError.self) { try SQLCatalogue(json: "[") }
        #expect(SQLDialect.sqlite.catalogueQuery == nil)
    }
}
