extension SQLDialect {
    /// PostgreSQL 15 or later, and stores that use its dialect.
    ///
    ///     let schema = Schema([.field("age", .int)])
    ///     try Query(format: "age > 21", schema: schema).sql(.postgresql, from: "people").where
    ///     // → "people"."age" > CAST($1 AS bigint)
    ///
    /// Every placeholder `$1` has a type, texts are compared by their bytes, and documents are `jsonb`. Columns need a
    /// schema where the type decides what SQL means. `[c]` and `[d]` call ``foldFunction``, which
    /// ``functionDefinitions`` creates, where there is no column of ``SQLStorage/foldedColumns``.
    public static let postgresql: SQLDialect = {
        var dialect = SQLDialect(
            variableLimit: 65_535,
            parserDepth: 2_000,
            foldFunction: "pql_fold",
            callFunction: nil,
            overFunction: nil
        )
        dialect.hasTrigramTables = false
        dialect.wrapsConstantsFrom = nil
        dialect.uppercaseFunction = "pql_upper"
        dialect.lowercaseFunction = "pql_lower"
        dialect.rowNumber = "ctid"
        dialect.catalogueQuery = postgresqlCatalogue
        var forms = SQLForms()
        forms.bytes = "CAST({0} AS bytea)"
        forms.uuid = "CAST({0} AS uuid)"
        forms.instant = "CAST({0} AS timestamptz)"
        forms.notANumber = "'NaN'::double precision"
        forms.listIndex = "gin"
        forms.byBytes = "({0} COLLATE \"C\")"
        forms.begins = "starts_with({0}, {1})"
        forms.ends = "(right({0}, char_length({1})) = {1})"
        forms.position = "strpos({0}, {1})"
        forms.regularExpression = "({0} COLLATE \"C\" ~ {1})"
        forms.wordBoundary = "\\y"
        forms.bitwiseXor = "({0} # {1})"
        forms.commonLogarithm = "log({0})"
        forms.length = "char_length({0})"
        forms.average = "CAST(avg({0}) AS double precision)"
        forms.wholeSum = "CAST(sum({0}) AS bigint)"
        forms.doubleSum = "sum({0})"
        forms.array = "array_agg({0})"
        forms.sortedElement = "(array_agg({0} ORDER BY {0}))[{1}]"
        forms.arrayElements = "unnest({0}) AS {1}(value)"
        forms.nextMillisecond = "({0} + interval '1 millisecond')"
        // A day plus an interval is a time without a zone; a day alone would take the connection's.
        forms.inMilliseconds = "date_trunc('milliseconds', {0} + interval '0 hours')"
        forms.epochMilliseconds = "(extract(epoch FROM {0}) * 1000)"
        forms.shiftedClock =
            "((to_timestamp(floor(extract(epoch FROM {0}))) AT TIME ZONE 'UTC') + {1} * interval '1 minute')"
        forms.zonedClock = "(to_timestamp(floor(extract(epoch FROM {0}))) AT TIME ZONE {1})"
        forms.datePart = "date_part('{0}', {1})"
        forms.dayOfWeek = "date_part('dow', {0})"
        forms.documents = jsonb
        forms.folding = SQLForms.FoldForms(
            head: "CREATE OR REPLACE FUNCTION ",
            optionsParameter: "options text, ",
            valueParameter: "value text",
            afterParameters: " RETURNS text AS $pql$ SELECT ",
            tail: " $pql$ LANGUAGE sql IMMUTABLE PARALLEL SAFE",
            // ASCII, Han and Hangul.
            isOrdinary: #"octet_length(value) = char_length(value) OR "#
                + #"value COLLATE "C" !~ '[^\u0001-\u007F\u3000-\u3029\u4E00-\u9FFF\uAC00-\uD7A3]'"#,
            isASCII: "octet_length(value) = char_length(value)",
            // With another collation than its arguments, the function's body would not be inlined.
            upper: "upper(value COLLATE \"C\") COLLATE \"default\"",
            lower: "lower(value COLLATE \"C\") COLLATE \"default\"",
            stripped: "value",
            both: "lower(value COLLATE \"C\") COLLATE \"default\""
        )
        dialect.forms = forms
        return dialect
    }()

    private static let jsonb: SQLForms.Documents = {
        var documents = SQLForms.Documents()
        documents.constant = "CAST({0} AS jsonb)"
        documents.member = "({0} -> {1})"
        // There, a scalar counts as a list of one.
        documents.element = "(CASE jsonb_typeof({0}) WHEN 'array' THEN {0} -> {1} END)"
        documents.kind = "jsonb_typeof({0})"
        documents.text = "({0} #>> '{}')"
        documents.number = "CAST(({0} #>> '{}') AS numeric)"
        documents.isWhole = "(scale({0}) = 0 AND {0} BETWEEN -9223372036854775808 AND 9223372036854775807)"
        documents.fromDouble = "(CAST(CAST({0} AS text) AS numeric) + 0.0)"
        documents.wholeQuotient = "div({0}, {1})"
        documents.pair = "(SELECT {0} FROM (VALUES ({1}, {2})) AS {3}(a, b))"
        documents.elements = "jsonb_array_elements({0}) AS {1}(value)"
        documents.contains = "{0} @> {1}"
        documents.list = "jsonb_build_array({0})"
        documents.length = "jsonb_array_length({0})"
        documents.from = "to_jsonb({0})"
        documents.null = "'null'::jsonb"
        return documents
    }()

    /// The columns of all tables: those outside of the first schema of the search path with their schema's name.
    ///
    /// From the system's own tables, because `information_schema` shows keys to the tables' owners only.
    private static let postgresqlCatalogue = """
        WITH tables AS (SELECT c.oid, c.relkind, c.relrowsecurity, c.relhassubclass, concat_ws('.',
            CASE WHEN n.nspname IS DISTINCT FROM current_schema() THEN regexp_replace(n.nspname, '^(.*[.].*)$', '"\\1"') END,
            regexp_replace(c.relname, '^(.*[.].*)$', '"\\1"')) AS name
          FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
          WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema')
        SELECT CAST(coalesce(json_agg(json_build_object('table', c.name, 'column', a.attname,
          'type', CASE WHEN l.oid > 0 THEN concat(format_type(t.oid, NULL), ' with the nondeterministic collation ', l.collname)
            WHEN coalesce(b.typtype, t.typtype) = 'e' THEN 'enum' WHEN e.typtype = 'e' THEN '_enum'
            ELSE coalesce(b.typname, t.typname) END, 'view', c.relkind = 'v',
          'precision', CASE WHEN a.atttypmod >= 0 THEN a.atttypmod END,
          'required', c.relkind IN ('r', 'p') AND (a.attnotnull OR t.typnotnull),
          'key', (SELECT array_position(k.conkey, a.attnum) FROM pg_constraint AS k
            WHERE k.conrelid = c.oid AND k.contype = 'p'),
          'references', (SELECT json_agg(json_build_object('name', f.conname,
              'position', array_position(f.conkey, a.attnum), 'table', r.name, 'column', x.attname,
              'enforced', f.convalidated AND NOT f.condeferrable AND NOT r.relrowsecurity
                AND (c.relkind = 'p' OR NOT c.relhassubclass)))
            FROM pg_constraint AS f JOIN tables AS r ON r.oid = f.confrelid
              JOIN pg_attribute AS x ON x.attrelid = r.oid
              AND x.attnum = f.confkey[array_position(f.conkey, a.attnum)]
            WHERE f.conrelid = c.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)
              AND NOT EXISTS (SELECT 1 FROM pg_constraint AS p WHERE p.oid = f.conparentid AND p.conrelid = c.oid)))
          ORDER BY c.name, a.attnum), '[]') AS text) AS catalogue
        FROM tables AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          JOIN pg_type AS t ON t.oid = a.atttypid LEFT JOIN pg_type AS b ON b.oid = t.typbasetype
          LEFT JOIN pg_collation AS l ON l.oid = a.attcollation AND NOT l.collisdeterministic
          LEFT JOIN pg_type AS e ON e.oid = coalesce(b.typelem, t.typelem) AND coalesce(b.typcategory, t.typcategory) = 'A'
        """
}
