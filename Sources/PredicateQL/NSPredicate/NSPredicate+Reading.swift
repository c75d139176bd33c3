#if canImport(ObjectiveC)
    import Foundation
    import QueryChecking
    import QueryParsing
    import QueryTree
    import QueryValues

    extension PredicateNode {
        /// Reads the object, level by level.
        init(_ predicate: NSPredicate, _ level: Int, _ limits: Limits) throws(QueryError) {
            guard level < limits.treeHeight else {
                throw QueryError(.limit, "the predicate has more than \(limits.treeHeight) levels")
            }
            if let compound = predicate as? NSCompoundPredicate {
                var parts: [PredicateNode] = []
                for part in compound.subpredicates {
                    guard let part = part as? NSPredicate else {
                        throw QueryError(.unsupported, "a part of class \(type(of: part)) is not a predicate")
                    }
                    parts.append(try PredicateNode(part, level + 1, limits))
                }
                self = .compound(compound.compoundPredicateType.rawValue, parts)
            } else if let comparison = predicate as? NSComparisonPredicate {
                self = .comparison(
                    ComparisonNode(
                        left: try ExpressionNode(comparison.leftExpression, level + 1, limits),
                        right: try ExpressionNode(comparison.rightExpression, level + 1, limits),
                        operation: comparison.predicateOperatorType.rawValue,
                        modifier: comparison.comparisonPredicateModifier.rawValue,
                        options: comparison.options.rawValue,
                        selector: comparison.customSelector.map { NSStringFromSelector($0) }
                    )
                )
            } else {
                // The classes of the two constants are private; their text is not.
                switch ReservedWord(rawValue: predicate.predicateFormat) {
                case .truePredicate: self = .constant(true)
                case .falsePredicate: self = .constant(false)
                default: self = .other(NSStringFromClass(type(of: predicate)))
                }
            }
        }
    }

    extension ExpressionNode {
        /// The private type of a key path as an argument.
        private static let keyPathType: UInt = 10
        /// The private type of FIRST, LAST and SIZE.
        private static let symbolType: UInt = 11

        init(_ expression: NSExpression, _ level: Int, _ limits: Limits) throws(QueryError) {
            guard level < limits.treeHeight else {
                throw QueryError(.limit, "the predicate has more than \(limits.treeHeight) levels")
            }
            func node(_ part: NSExpression) throws(QueryError) -> ExpressionNode {
                try ExpressionNode(part, level + 1, limits)
            }
            switch expression.expressionType {
            case .constantValue: self = try Self.constant(expression.constantValue, level, limits)
            case .evaluatedObject: self = .evaluatedObject
            case .variable: self = .variable(expression.variable)
            case .keyPath: self = .keyPath(expression.keyPath, of: try node(expression.operand))
            case .function: self = try Self.function(expression, level, limits)
            case .unionSet: self = .unionSet(try node(expression.left), try node(expression.right))
            case .intersectSet: self = .intersectSet(try node(expression.left), try node(expression.right))
            case .minusSet: self = .minusSet(try node(expression.left), try node(expression.right))
            case .subquery:
                guard let collection = expression.collection as? NSExpression else {
                    throw QueryError(.unsupported, "a SUBQUERY without a collection")
                }
                let test = try PredicateNode(expression.predicate, level + 1, limits)
                self = .subquery(try node(collection), expression.variable, test)
            case .aggregate: self = try Self.constant(expression.collection, level, limits)
            case .conditional:
                let test = try PredicateNode(expression.predicate, level + 1, limits)
                self = .conditional(test, try node(expression.true), try node(expression.false))
            case .anyKey: self = .other("ANYKEY")
            case .block: self = .other("block")
            @unknown default:
                let type = expression.expressionType.rawValue
                self = type == Self.symbolType ? .symbol(expression.description) : .other("\(type)")
            }
        }

        private static func function(
            _ expression: NSExpression,
            _ level: Int,
            _ limits: Limits
        ) throws(QueryError) -> ExpressionNode {
            var arguments: [ExpressionNode] = []
            for argument in expression.arguments ?? [] {
                if argument.expressionType.rawValue == keyPathType {
                    arguments.append(.constant(.string(argument.keyPath)))
                } else {
                    arguments.append(try ExpressionNode(argument, level + 1, limits))
                }
            }
            let receiver = expression.operand
            if receiver.expressionType == .constantValue, let owner = receiver.constantValue as? AnyClass,
                NSStringFromClass(owner).hasSuffix("NSPredicateUtilities")
            {
                return .function(expression.function, of: nil, arguments)
            }
            return .function(expression.function, of: try ExpressionNode(receiver, level + 1, limits), arguments)
        }

        /// A constant; a collection may hold expressions.
        private static func constant(
            _ value: Any?,
            _ level: Int,
            _ limits: Limits
        ) throws(QueryError) -> ExpressionNode {
            guard level < limits.treeHeight else {
                throw QueryError(.limit, "the predicate has more than \(limits.treeHeight) levels")
            }
            switch value {
            case nil, is NSNull: return .constant(.null)
            case let number as NSNumber: return .constant(Self.number(number))
            case let text as String: return .constant(.string(text))
            case let date as Date: return .constant(date.queryValue)
            case let data as Data: return .constant(data.queryValue)
            case let uuid as UUID: return .constant(.uuid(uuid))
            case let expression as NSExpression: return try ExpressionNode(expression, level + 1, limits)
            case let list as [Any]: return try aggregate(list, level, limits)
            case let set as Set<AnyHashable>: return try aggregate(set.map { $0.base }, level, limits)
            case let value?:
                throw QueryError(.unsupported, "a constant of class \(type(of: value)) is not a value of the language")
            }
        }

        private static func aggregate(
            _ elements: [Any],
            _ level: Int,
            _ limits: Limits
        ) throws(QueryError) -> ExpressionNode {
            var nodes: [ExpressionNode] = []
            for element in elements { nodes.append(try constant(element, level + 1, limits)) }
            return .aggregate(nodes)
        }

        private static func number(_ number: NSNumber) -> QueryValue {
            if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
            if let decimal = number as? NSDecimalNumber { return decimal.decimalValue.queryValue }
            switch number.objCType.pointee {
            case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "f")): return .double(number.doubleValue)
            case CChar(UInt8(ascii: "Q")): return number.uint64Value.queryValue
            default: return .int(number.int64Value)
            }
        }
    }
#endif
