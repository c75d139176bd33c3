import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues

/// The machine interface: one line of JSON for each request line, without failing.
///
///     let batch = BatchProcessor()
///     batch.answer(to: #"{"id":1,"format":"age > 21","outputs":["mongo"]}"#.utf8)
///     // → {"id":1,"mongo":{"filter":{"age":{"$gt":21}},"assumptions":[{"single":"age"}]}}
///
/// A request has a `format`, or the text of a Mongo filter as `mongo`, and may have
/// `id assume arguments variables schema order skip limit fields group nil guarded profile table storage primaryKey now documents policy functions outputs`.
/// Values are Extended JSON. `outputs` names what the answer holds: `format tree mongo sqlite`, and of `documents`
/// `matches results`, which are the usual ones; and `outline` (the tree as labels, kinds and children), `rest` (a URL's
/// query), `pql` (the JSON tree), `postgresql`, `duckdb`, `plan`. `tokens` and `problems` need no valid format: they stand beside its error,
/// and problems have their `level` and `fix`. A key whose value is null counts as absent.
///
/// A mistake in the request is `{"id":…,"error":E}`; an error of one backend is `{"error":E}` in place of its output. E
/// is `{"code","message","range","hint","path","fix"}`, with null for missing parts. `range` is in UTF-8 bytes of the
/// text that `path` names; `$` names the line itself. `Grammar/batch.md` describes all of it, and
/// `Grammar/batch.schema.json` is its JSON Schema. The codes are:
///
/// - Language: `syntax` `argument` `limit` `pattern` `functionCall` `classCast` `selectorOperator` `utiOperator`
///   `unknownFunction` `unknownAggregate` `unknownOperator`
/// - Schema: `schema` `unknownField` `kindMismatch` `quantifier`
/// - Request: `json` `request` `pipeline`
/// - Policy: `policyFields` `policyOperators` `policyFunctions` `policyQuantifiers` `policySubqueries`
///   `policyArithmetic` `policyText` `policyNesting` `policyNodes` `policyLists` `policyLimit` `policySkip`
///   `policySort` `policyGroups` `policyCost`
/// - Work: `tooMuchWork`
/// - Backends: `unsupported` `unboundVariable` `evaluation` `store`; `unusedVariable` and `unlikely` are only warnings
public struct BatchProcessor {
    /// Bounds on every request.
    package var limits: Limits
    /// The file to run statements on; nil for none.
    package var store: BatchStore?
    /// The rows of which each answer shows some; nil for none.
    package var page: RowPage?

    /// A processor.
    ///
    ///     BatchProcessor(limits: .default).answer(to: #"{"id":3,"format":"age >"}"#.utf8)
    ///     // → {"id":3,"error":{"code":"syntax",…
    ///
    /// - Parameters:
    ///   - limits: bounds on every request, and on the steps and the time of each of its outputs.
    ///   - store: the file to run statements on, for the output `rows`.
    public init(limits: Limits = .default, store: BatchStore? = nil) {
        self.limits = limits
        self.store = store
    }

    /// The response to one request line.
    ///
    ///     BatchProcessor().answer(to: #"{"id":2,"format":"age >"}"#.utf8)  // → {"id":2,"error":{"code":"syntax",…
    ///
    /// - Parameter line: one JSON object in UTF-8, without line ending.
    /// - Returns: one line of JSON without line ending; mistakes of any kind are answers, too.
    public func answer(to line: some Collection<UInt8>) -> String {
        let bytes = Array(line)
        let object: Document
        do throws(QueryError) {
            object = try request(in: bytes)
        } catch {
            return failure(error, in: bytes)
        }
        let id = object["id"] ?? .null
        do throws(QueryError) {
            var request = try BatchRequest(object)
            if request.arguments.contains(where: \.mayHoldObjectID)
                || request.variables.values.contains(where: \.mayHoldObjectID)
            {
                request.objectIDs = objectIDs(in: bytes)
            }
            return answer(to: request, id: id)
        } catch {
            return BatchAnswer(id: id, error: error).text
        }
    }
}

extension BatchProcessor {
    /// The answer to a line that could not be read, in its position among the answers.
    ///
    /// - Parameter error: why.
    /// - Returns: one line of JSON without line ending; its `id` is null.
    package func answer(to error: QueryError) -> String { BatchAnswer(id: .null, error: error).text }

    /// The keys whose values are Extended JSON; `schema` and `id` are plain.
    private static let valueKeys = ["arguments", "variables", "documents", "now"]

    private func request(in line: [UInt8]) throws(QueryError) -> Document {
        var reader = JSONReader(mode: .extendedUnder(Self.valueKeys, rows: "documents"), limits: limits)
        guard case .object(let object) = try reader.read(line, path: "") else {
            throw QueryError(.request, "a request is a JSON object", path: "$", hint: #"{"format":"age > 21"}"#)
        }
        return object
    }

    /// The texts that a request's arguments and variables give as ObjectIds, which are texts like others once read.
    private func objectIDs(in line: [UInt8]) -> Set<String> {
        var reader = JSONReader(limits: limits)
        guard case .object(let object)? = try? reader.read(line, path: "") else { return [] }
        return [object["arguments"], object["variables"]].compactMap { $0 }
            .reduce(into: []) { $0.formUnion($1.objectIDTexts) }
    }

    /// The answer to a line that is not a request; a line that is an object keeps its `id`.
    private func failure(_ error: QueryError, in line: [UInt8]) -> String {
        var error = error
        let id = RequestIdentity.find(in: line)
        if id == nil {
            // The range refers to the line, whatever the path of the value is.
            error.path = "$"
        } else if error.path != "$" {
            // The path names the value, but the range refers to the line, so it would be misread as a range in the
            // value.
            error.range = nil
        }
        return BatchAnswer(id: id ?? .null, error: error).text
    }

    private func answer(to request: BatchRequest, id: QueryValue) -> String {
        let limits = request.policy?.limits(within: limits) ?? limits
        // A request that brings its rows and names no table has nothing to do with the file.
        let store = request.documents == nil || request.table != nil ? store : nil
        // A missing table fails what runs on it, not the translations.
        let place =
            store.flatMap { try? BatchPlace(request, in: $0) } ?? page?.table.map { BatchPlace(request, imported: $0) }
            ?? BatchPlace(request)
        var answer = BatchAnswer(id: id)
        answer.addText(of: request, request.told(place.schema), limits, page?.names)
        do throws(QueryError) {
            let run = try BatchRun(request, place, limits, now: request.now ?? Query.presentInstant)
            for output in BatchRequest.Output.allCases where request.outputs.contains(output) {
                run.add(output, store?.database, to: &answer)
            }
            if let page {
                run.add(page, store?.database, to: &answer)
            } else if let store {
                run.addRows(of: store.database, to: &answer)
            }
        } catch {
            var error = error
            if error.code == .unknownField, error.hint == nil, let table = place.detectedColumns,
                store?.database.showsDocuments(in: table) == true
            {
                error.hint = #""storage":"document" reads the fields in doc"#
            }
            answer.fail(error)
        }
        return answer.text
    }
}
