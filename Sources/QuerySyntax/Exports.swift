// The module that this once was; programs that import it get its parts.

@_exported import QueryChecking
@_exported import QueryMeaning
@_exported import QueryTree
@_exported import QueryValues
