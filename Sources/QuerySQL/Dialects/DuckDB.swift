extension SQLDialect {
    /// DuckDB 1.0 or later, over tables and over files: `read_json`, `read_parquet`.
    ///
    ///     let schema = Schema([.field("age", .int)])
    ///     try Query(format: "age > 21", schema: schema).sql(.duckDB, from: "people").where
    ///     // → "people"."age" > CAST($1 AS BIGINT)
    ///
    /// Every placeholder `$1` has a type. Lists and objects are columns of the types LIST and STRUCT, as given by
    /// `read_json` and `read_parquet`, and declared by a schema. `[c]` and `[d]` call ``foldFunction``, which
    /// ``functionDefinitions`` creates, where there is no column of ``SQLStorage/foldedColumns``.
    public static let duckDB: SQLDialect = {
        var dialect = SQLDialect(
            variableLimit: 65_535,
            parserDepth: 900,
            foldFunction: "pql_fold",
            callFunction: nil,
            overFunction: nil
        )
        dialect.hasTrigramTables = false
        dialect.wrapsConstantsFrom = nil
        dialect.uppercaseFunction = "pql_upper"
        dialect.lowercaseFunction = "pql_lower"
        dialect.catalogueQuery = duckDBCatalogue
        var forms = SQLForms(int: "BIGINT", double: "DOUBLE", text: "VARCHAR")
        forms.timestamp = "TIMESTAMP"
        forms.bytes = "CAST({0} AS BLOB)"
        forms.uuid = "CAST({0} AS UUID)"
        forms.instant = "CAST({0} AS TIMESTAMPTZ)"
        forms.notANumber = "'NaN'::DOUBLE"
        forms.allowsNul = true
        forms.begins = "starts_with({0}, {1})"
        forms.ends = "suffix({0}, {1})"
        forms.position = "strpos({0}, {1})"
        forms.regularExpression = "regexp_full_match({0}, {1})"
        forms.wholeQuotient = "{0} // {1}"
        forms.bitwiseXor = "xor({0}, {1})"
        forms.power = "pow({0}, {1})"
        forms.length = "length({0})"
        forms.average = "avg({0})"
        forms.wholeSum = "CAST(sum({0}) AS BIGINT)"
        forms.doubleSum = "sum({0})"
        forms.array = "array_agg({0})"
        forms.sortedElement = "(array_agg({0} ORDER BY {0}))[{1}]"
        forms.arrayElements = "unnest({0}) AS {1}(value)"
        forms.nextMillisecond = "({0} + INTERVAL 1 MILLISECOND)"
        // A day plus an interval is a time without a zone; a day alone would take the connection's.
        forms.inMilliseconds = "date_trunc('milliseconds', {0} + INTERVAL 0 HOURS)"
        forms.epochMilliseconds = "(epoch_us({0}) / 1000)"
        forms.shiftedClock = "make_timestamp(epoch_us({0}) + CAST({1} AS BIGINT) * 60000000)"
        forms.zonedClock = "timezone({1}, timezone('UTC', make_timestamp(epoch_us({0}))))"
        forms.datePart = "date_part('{0}', {1})"
        forms.dayOfWeek = "date_part('dow', {0})"
        var nested = SQLForms.Nested()
        nested.member = "struct_extract({0}, {1})"
        nested.elements = "unnest({0}) AS {1}(value)"
        nested.length = "len({0})"
        nested.element = "list_extract({0}, {1})"
        nested.last = "list_extract({0}, -1)"
        forms.nested = nested
        forms.folding = SQLForms.FoldForms(
            head: "CREATE OR REPLACE MACRO ",
            optionsParameter: "options, ",
            valueParameter: "value",
            afterParameters: " AS ",
            tail: "",
            // Latin, Greek, Cyrillic, Kana, Han and Hangul but for letters whose folded form is not the lower case.
            isOrdinary: #"NOT regexp_matches(value, '[^\x{00}-\x{B4}\x{B6}-\x{12F}\x{131}-\x{17E}\x{180}-"#
                + #"\x{344}\x{346}-\x{3C1}\x{3C3}-\x{3CF}\x{3F6}-\x{487}\x{48A}-\x{52F}"#
                + #"\x{3000}-\x{3029}\x{3041}-\x{3096}\x{30A0}-\x{30FF}\x{4E00}-\x{9FFF}\x{AC00}-\x{D7A3}]')"#,
            isASCII: "strlen(value) = length(value)",
            upper: "upper(value)",
            lower: "lower(value)",
            stripped: "strip_accents(value)",
            both: "lower(strip_accents(value))"
        )
        dialect.forms = forms
        return dialect
    }()

    /// The columns of all tables: those outside of the current schema with their schema's name.
    private static let duckDBCatalogue = """
        WITH schemas AS (SELECT oid, CASE WHEN schema_name = current_schema() THEN ''
            ELSE regexp_replace(schema_name, '^(.*[.].*)$', '"\\1"') || '.' END AS prefix
          FROM duckdb_schemas() WHERE database_name = current_database())
        SELECT CAST(coalesce(to_json(list({'table': s.prefix || regexp_replace(c.table_name, '^(.*[.].*)$', '"\\1"'),
          'column': c.column_name, 'type': c.data_type,
          'required': NOT c.is_nullable, 'view': c.table_oid IN (SELECT view_oid FROM duckdb_views()),
          'key': (SELECT list_position(k.constraint_column_names, c.column_name) FROM duckdb_constraints() AS k
            WHERE k.table_oid = c.table_oid AND k.constraint_type = 'PRIMARY KEY'),
          'references': (SELECT list({'name': f.constraint_name, 'enforced': true,
              'position': list_position(f.constraint_column_names, c.column_name),
              'table': s.prefix || regexp_replace(f.referenced_table, '^(.*[.].*)$', '"\\1"'),
              'column': f.referenced_column_names[list_position(f.constraint_column_names, c.column_name)]})
            FROM duckdb_constraints() AS f
            WHERE f.table_oid = c.table_oid AND f.constraint_type = 'FOREIGN KEY'
              AND list_contains(f.constraint_column_names, c.column_name))}
          ORDER BY s.prefix, c.table_name, c.column_index)), '[]') AS VARCHAR) AS catalogue
        FROM duckdb_columns() AS c JOIN schemas AS s ON s.oid = c.schema_oid
        WHERE NOT c.internal AND c.database_name = current_database()
        """
}
