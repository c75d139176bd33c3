@_exported import QueryTree
@_exported import QueryValues
