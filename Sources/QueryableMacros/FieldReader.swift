#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// A field as it will appear in the table.
    struct MacroField {
        /// The property's name as written, possibly in backticks.
        var property: String
        var storedName: String?

        /// The field's name in queries.
        var name: String { property.filter { $0 != "`" } }

        /// The element of the table.
        func element(_ row: String) -> String {
            let stored = storedName.map { ", storedAs: " + $0 } ?? ""
            return ".field(\"\(name)\", \\\(row).\(property)\(stored))"
        }
    }

    /// Collects the fields of a type from its members.
    struct FieldReader<Context: MacroExpansionContext> {
        private(set) var fields: [MacroField] = []
        private(set) var hasMistakes = false
        private let keys: CodingKeys?
        private let context: Context

        init(_ keys: CodingKeys?, _ context: Context) {
            self.keys = keys
            self.context = context
        }

        /// Records one member.
        mutating func read(_ member: DeclSyntax) {
            if let condition = member.as(IfConfigDeclSyntax.self), holdsProperties(condition) {
                return mistake(FieldMistake.conditional, at: condition)
            }
            guard let variable = member.as(VariableDeclSyntax.self) else { return }
            let isTypes = variable.modifiers.contains {
                $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
            }
            let ignored = attribute("QueryIgnored", of: variable) != nil
            let wanted = attribute("QueryField", of: variable)
            if isTypes || ignored {
                if let wanted { mistake(ignored ? FieldMistake.bothMarks : .staticProperty, at: wanted) }
                return
            }
            let isLazy = variable.modifiers.contains { $0.name.tokenKind == .keyword(.lazy) }
            for binding in variable.bindings { read(binding, isLazy, wanted) }
        }

        private mutating func read(_ binding: PatternBindingSyntax, _ isLazy: Bool, _ wanted: AttributeSyntax?) {
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                return mistake(FieldMistake.tuplePattern, at: binding.pattern)
            }
            let name = pattern.identifier.text
            let isComputed = binding.isComputed
            if isComputed, wanted == nil { return }
            if isLazy { return mistake(FieldMistake.lazy, at: pattern) }
            var field = MacroField(property: name)
            if let keys, !isComputed {
                guard let stored = keys.names[field.name] else {
                    if let wanted { mistake(FieldMistake.notCoded, at: wanted) }
                    return
                }
                field.storedName = stored
            }
            if let stored = storedName(wanted) { field.storedName = stored }
            if let type = binding.typeAnnotation?.type, let kind = type.unfitKind {
                return mistake(.unfitType(name, kind), at: type)
            }
            fields.append(field)
        }

        /// The text of `storedAs:`, including quotes.
        private mutating func storedName(_ attribute: AttributeSyntax?) -> String? {
            guard case .argumentList(let arguments)? = attribute?.arguments, let first = arguments.first,
                !first.expression.is(NilLiteralExprSyntax.self)
            else { return nil }
            guard let literal = first.expression.as(StringLiteralExprSyntax.self),
                literal.representedLiteralValue != nil
            else {
                mistake(FieldMistake.storedName, at: first.expression)
                return nil
            }
            return literal.trimmedDescription
        }

        private func attribute(_ name: String, of variable: VariableDeclSyntax) -> AttributeSyntax? {
            for case .attribute(let attribute) in variable.attributes
            where attribute.attributeName.trimmedDescription.split(separator: ".").last.map(String.init) == name {
                return attribute
            }
            return nil
        }

        private func holdsProperties(_ condition: IfConfigDeclSyntax) -> Bool {
            condition.clauses.contains { clause in
                guard case .decls(let members)? = clause.elements else { return false }
                return members.contains { member in
                    guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                    return variable.bindings.contains { !$0.isComputed }
                        && !variable.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
                }
            }
        }

        private mutating func mistake(_ mistake: FieldMistake, at node: some SyntaxProtocol) {
            hasMistakes = true
            context.diagnose(Diagnostic(node: node, message: mistake))
        }
    }

    extension PatternBindingSyntax {
        /// True for a property with a getter; one with only observers is stored.
        var isComputed: Bool {
            switch accessorBlock?.accessors {
            case .getter: true
            case .accessors(let accessors):
                !accessors.allSatisfy {
                    [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
                }
            case nil: false
            }
        }
    }

    extension TypeSyntax {
        /// A description of the type if its syntax already rules it out as a field.
        var unfitKind: String? {
            if self.is(FunctionTypeSyntax.self) { return "a function" }
            if self.is(DictionaryTypeSyntax.self) { return "a dictionary" }
            if self.is(MetatypeTypeSyntax.self) { return "a type" }
            if let tuple = self.as(TupleTypeSyntax.self) {
                guard tuple.elements.count == 1, let only = tuple.elements.first?.type else { return "a tuple" }
                return only.unfitKind
            }
            if let some = self.as(SomeOrAnyTypeSyntax.self) {
                return some.someOrAnySpecifier.tokenKind == .keyword(.any) ? "an existential" : "an opaque type"
            }
            if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.unfitKind }
            if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.unfitKind }
            if let array = self.as(ArrayTypeSyntax.self) { return array.element.unfitKind }
            return nil
        }
    }
#endif
