#if canImport(ObjectiveC)
    import Foundation
    import QueryChecking
    import QueryTree
    import QueryValues

    extension PredicateNode {
        /// The Foundation object for this node.
        var nsPredicate: NSPredicate {
            get throws(QueryError) {
                switch self {
                case .constant(let value): return NSPredicate(value: value)
                case .compound(let type, let parts):
                    guard let type = NSCompoundPredicate.LogicalType(rawValue: type) else {
                        throw QueryError(.unsupported, "an unknown compound predicate")
                    }
                    var predicates: [NSPredicate] = []
                    for part in parts { predicates.append(try part.nsPredicate) }
                    return NSCompoundPredicate(type: type, subpredicates: predicates)
                case .comparison(let comparison): return try comparison.nsPredicate
                case .other(let name): throw QueryError(.unsupported, "a predicate of class \(name)")
                }
            }
        }
    }

    extension ComparisonNode {
        fileprivate var nsPredicate: NSPredicate {
            get throws(QueryError) {
                guard let type = NSComparisonPredicate.Operator(rawValue: operation),
                    let modifier = NSComparisonPredicate.Modifier(rawValue: modifier)
                else { throw QueryError(.unsupported, "an unknown operator") }
                return NSComparisonPredicate(
                    leftExpression: try left.nsExpression,
                    rightExpression: try right.nsExpression,
                    modifier: modifier,
                    type: type,
                    options: NSComparisonPredicate.Options(rawValue: options)
                )
            }
        }
    }

    extension ExpressionNode {
        fileprivate var nsExpression: NSExpression {
            get throws(QueryError) {
                switch self {
                case .constant(let value): return NSExpression(forConstantValue: Self.object(value))
                case .evaluatedObject: return NSExpression.expressionForEvaluatedObject()
                case .variable(let name): return NSExpression(forVariable: name)
                case .keyPath(let path, of: let base): return try Self.keyPath(path, base)
                case .function(let name, of: nil, let arguments):
                    return NSExpression(forFunction: name, arguments: try Self.expressions(arguments))
                case .function(let name, of: .some, _): throw QueryError(.functionCall, "FUNCTION calls \(name)")
                case .unionSet(let left, let right):
                    return NSExpression(forUnionSet: try left.nsExpression, with: try right.nsExpression)
                case .intersectSet(let left, let right):
                    return NSExpression(forIntersectSet: try left.nsExpression, with: try right.nsExpression)
                case .minusSet(let left, let right):
                    return NSExpression(forMinusSet: try left.nsExpression, with: try right.nsExpression)
                case .subquery(let collection, let variable, let test):
                    return NSExpression(
                        forSubquery: try collection.nsExpression,
                        usingIteratorVariable: variable,
                        predicate: try test.nsPredicate
                    )
                case .aggregate(let elements): return NSExpression(forAggregate: try Self.expressions(elements))
                case .conditional(let test, let first, let second):
                    return NSExpression(
                        forConditional: try test.nsPredicate,
                        trueExpression: try first.nsExpression,
                        falseExpression: try second.nsExpression
                    )
                case .symbol(let word): return try Self.symbol(word)
                case .other(let name): throw QueryError(.unsupported, "an expression of type \(name)")
                }
            }
        }

        private static func expressions(_ nodes: [ExpressionNode]) throws(QueryError) -> [NSExpression] {
            var expressions: [NSExpression] = []
            for node in nodes { expressions.append(try node.nsExpression) }
            return expressions
        }

        private static func keyPath(_ path: String, _ base: ExpressionNode?) throws(QueryError) -> NSExpression {
            guard let base else { return NSExpression(forKeyPath: path) }
            return NSExpression(
                forFunction: try base.nsExpression,
                selectorName: valueForKeyPath,
                arguments: [NSExpression(forConstantValue: path)]
            )
        }

        /// FIRST, LAST or SIZE; only the parser creates them.
        private static func symbol(_ word: String) throws(QueryError) -> NSExpression {
            let words: [ReservedWord] = [.first, .last, .size]
            guard words.contains(where: { $0.rawValue == word }),
                let symbol = NSExpression(format: "SELF[\(word)]", argumentArray: []).arguments?.last
            else { throw QueryError(.unsupported, "the index \(word) is unknown") }
            return symbol
        }

        private static func object(_ value: QueryValue) -> Any? {
            switch value {
            case .null, .object, .shape: nil
            case .bool(let value): NSNumber(value: value)
            case .int(let value): NSNumber(value: value)
            case .double(let value): NSNumber(value: value)
            case .string(let value): value
            case .date(let milliseconds): Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            case .data(let bytes): Data(bytes)
            case .uuid(let value): value
            case .list(let elements): elements.map { object($0) ?? NSNull() }
            }
        }
    }
#endif
