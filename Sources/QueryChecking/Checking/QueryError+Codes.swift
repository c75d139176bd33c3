import QueryValues

extension QueryError.Code {
    /// Every error code of this version.
    ///
    ///     QueryError.Code.all.contains(.syntax)  // → true
    public static let all: [Self] =
        [
            syntax, argument, limit, unknownField, kindMismatch, quantifier, pattern, unsupported, unboundVariable,
            unusedVariable, unlikely, evaluation, functionCall, classCast, selectorOperator, utiOperator,
            unknownFunction, unknownAggregate, unknownOperator, pipeline, json, schema, request, store, tooMuchWork,
        ] + QueryPolicy.Rule.allCases.map(\.code)
}
