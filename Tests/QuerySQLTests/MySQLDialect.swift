import PredicateQL

extension SQLDialect {
    /// MySQL 8 by public means, line by line as `Grammar/stores.md` has it, which a test compares.
    static let mysql: SQLDialect = {
        var forms = SQLForms(int: "SIGNED", double: "DOUBLE", text: "CHAR")
        forms.numbersPlaceholders = false
        forms.escapesBackslashes = true
        forms.offsetNeedsLimit = true
        forms.nestsDeletedRows = true
        forms.rowCount = "{0}"
        (forms.nilFirst, forms.nilLast) = ("", "")
        forms.same = "{0} <=> {1}"
        forms.differs = "NOT ({0} <=> {1})"
        forms.textColumn = "({0} COLLATE utf8mb4_0900_bin)"
        forms.begins = "(left({0}, char_length({1})) = {1})"
        forms.ends = "(right({0}, char_length({1})) = {1})"
        forms.position = "locate({1}, {0})"
        forms.like = #"{0} LIKE {1} ESCAPE '\\'"#
        forms.regularExpression = #"({0} REGEXP concat({1}, '\\z'))"#
        forms.wordBoundary = "(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))"
        forms.length = "char_length({0})"
        forms.wholeQuotient = "{0} DIV {1}"
        forms.bitwiseAnd = "CAST({0} & {1} AS SIGNED)"
        forms.bitwiseOr = "CAST({0} | {1} AS SIGNED)"
        forms.bitwiseXor = "CAST({0} ^ {1} AS SIGNED)"
        forms.onesComplement = "CAST(~{0} AS SIGNED)"
        forms.floor = "CAST(floor({0}) AS DOUBLE)"
        forms.ceiling = "CAST(ceil({0}) AS DOUBLE)"
        forms.truncate = "CAST(truncate({0}, 0) AS DOUBLE)"
        forms.average = "(CAST(sum({0}) AS DOUBLE) / count({0}))"
        forms.wholeSum = "(sum({0}) DIV 1)"
        forms.doubleSum = "CAST(sum({0}) AS DOUBLE)"
        forms.bytes = "CAST({0} AS BINARY)"
        forms.instant = "str_to_date({0}, '%Y-%m-%dT%H:%i:%s.%fZ')"
        forms.nextMillisecond = "coalesce({0} + INTERVAL 1000 MICROSECOND, TIMESTAMP '9999-12-31 23:59:59.999999')"
        forms.inMilliseconds = "({0} - INTERVAL microsecond({0}) % 1000 MICROSECOND)"
        forms.shiftedClock = "({0} + INTERVAL {1} MINUTE)"
        forms.dayOfWeek = "(dayofweek({0}) - 1)"
        var mysql = SQLDialect(identifierQuote: "`", foldFunction: nil, callFunction: nil, overFunction: nil)
        mysql.parserDepth = 1_000
        mysql.joinLimit = 61
        mysql.wrapsConstantsFrom = nil
        mysql.rowNumber = ""
        mysql.forms = forms
        return mysql
    }()

    /// The same with MariaDB's name of the collation.
    static let mariadb: SQLDialect = {
        var dialect = mysql
        dialect.forms?.textColumn = "({0} COLLATE utf8mb4_nopad_bin)"
        return dialect
    }()
}
