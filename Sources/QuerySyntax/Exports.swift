@_exported import QueryChecking
@_exported import QueryTree
@_exported import QueryValues
