@_exported import QueryValues
