@_exported import QueryEvaluation
@_exported import QueryMongo
@_exported import QueryParsing
@_exported import QuerySQL
@_exported import QuerySyntax
