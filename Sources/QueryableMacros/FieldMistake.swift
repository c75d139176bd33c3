#if Macros
    import SwiftDiagnostics

    /// Mistakes that `@Queryable` reports.
    struct FieldMistake: DiagnosticMessage {
        let message: String
        let identifier: String

        var diagnosticID: MessageID { MessageID(domain: "PredicateQL", id: identifier) }
        var severity: DiagnosticSeverity { .error }

        static let noRow = FieldMistake(
            message: "@Queryable applies to a struct or a final class, whose stored properties become fields",
            identifier: "noRow"
        )
        static let openClass = FieldMistake(
            message: "@Queryable requires a final class: a subclass would have fields that the table does not know",
            identifier: "openClass"
        )
        static let noFields = FieldMistake(
            message: "the type has no stored properties to make fields from",
            identifier: "noFields"
        )
        static let conditional = FieldMistake(
            message: "@Queryable cannot see which properties #if keeps; write `static let fields` by hand",
            identifier: "conditional"
        )
        static let tuplePattern = FieldMistake(
            message: "a property bound by a pattern has no name of its own; declare each one separately",
            identifier: "tuplePattern"
        )
        static let lazy = FieldMistake(
            message: "a lazy property cannot be read without changing its row; mark it @QueryIgnored",
            identifier: "lazy"
        )
        static let staticProperty = FieldMistake(
            message: "a static property does not belong to a row",
            identifier: "staticProperty"
        )
        static let bothMarks = FieldMistake(
            message: "a property is either a field or ignored",
            identifier: "bothMarks"
        )
        static let notCoded = FieldMistake(
            message: "CodingKeys leaves this property out; add a case, or drop @QueryField",
            identifier: "notCoded"
        )
        static let storedName = FieldMistake(
            message: "the stored name must be a plain string literal",
            identifier: "storedName"
        )
        static let noProperty = FieldMistake(
            message: "only a property can be a field",
            identifier: "noProperty"
        )

        static func unfitType(_ property: String, _ kind: String) -> FieldMistake {
            FieldMistake(
                message: "\(property) is \(kind), which cannot be a field; mark it @QueryIgnored",
                identifier: "unfitType"
            )
        }
    }

    /// How a mistake can be fixed.
    enum FieldFix: String, FixItMessage {
        case makeFinal

        var message: String { "make the class final" }
        var fixItID: MessageID { MessageID(domain: "PredicateQL", id: rawValue) }
    }
#endif
