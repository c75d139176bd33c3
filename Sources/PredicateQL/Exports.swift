@_exported import QueryChecking
@_exported import QueryEvaluation
@_exported import QueryMeaning
@_exported import QueryMongo
@_exported import QueryMongoReading
@_exported import QueryParsing
@_exported import QuerySQL
@_exported import QueryStreams
@_exported import QueryTree
@_exported import QueryValues

/// The version of the package, which the change log and `pql --version` name too.
package enum Release {
    package static let version = "0.1.0"
}
