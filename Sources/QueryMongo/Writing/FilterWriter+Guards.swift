import QueryChecking
import QueryTree
import QueryValues

extension FilterWriter {
    package static let isArray: QueryValue = op("$type", .string("array"))

    /// A test that is exact if the path holds single values: assumed, declared by the schema, or guarded (S11).
    func single(_ field: MongoField, _ test: FieldTest) -> Clause {
        single(field, .field(field.dotted, test))
    }

    func single(_ field: MongoField, _ clause: Clause) -> Clause {
        guard !field.isKnownSingle else { return clause }
        guard context.isGuarded else {
            context.assume(.single(field.pathText), ofElement: subject != nil)
            return clause
        }
        var parts = prefixGuards(field)
        guard field.last == .any else { return .all(parts + [clause]) }
        if case .field(let name, var test) = clause, test.operators["$not"] == nil {
            test.operators["$not"] = Self.isArray
            test.isNegatable = false
            return .all(parts + [.field(name, test)])
        }
        parts.append(.field(field.dotted, FieldTest(operators: ["$not": Self.isArray])))
        return .all(parts + [clause])
    }

    /// A test that is exact if the containers on the way to the field are single.
    func guardingPrefixes(_ field: MongoField, _ clause: Clause) -> Clause {
        let open = field.types.dropLast().contains(.any)
        guard open else { return clause }
        guard context.isGuarded else {
            let container = field.prefix(field.names.count - 1)
            context.assume(.single(container.pathText), ofElement: subject != nil)
            return clause
        }
        return .all(prefixGuards(field) + [clause])
    }

    /// Tests that the containers whose type is not declared are not lists.
    private func prefixGuards(_ field: MongoField) -> [Clause] {
        (0..<max(0, field.names.count - 1)).filter { field.types[$0] == .any }.map { at in
            .field(field.prefix(at + 1).dotted, FieldTest(operators: ["$not": Self.isArray]))
        }
    }
}
