#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// `@Queryable`: an extension with the field table.
    public enum QueryableMacro: ExtensionMacro {
        /// Writes `extension Row: Queryable { static let fields … }`.
        ///
        /// - Returns: the extension; none if the declaration has a mistake, which is then reported at its position.
        public static func expansion(
            of node: AttributeSyntax,
            attachedTo declaration: some DeclGroupSyntax,
            providingExtensionsOf type: some TypeSyntaxProtocol,
            conformingTo protocols: [TypeSyntax],
            in context: some MacroExpansionContext
        ) -> [ExtensionDeclSyntax] {
            guard isRow(declaration, node, context) else { return [] }
            var reader = FieldReader(CodingKeys(of: declaration, context), context)
            for member in declaration.memberBlock.members { reader.read(member.decl) }
            guard !reader.hasMistakes else { return [] }
            if reader.fields.isEmpty {
                context.diagnose(Diagnostic(node: node, message: FieldMistake.noFields))
                return []
            }
            let row = type.trimmedDescription
            // A static property of a generic type cannot be stored.
            let isGeneric =
                declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
            let (margin, start, end) =
                isGeneric
                ? ("            ", "static var fields: FieldTable<Self> {\n        [", "\n        ]\n    }")
                : ("        ", "static let fields: FieldTable<\(row)> = [", "\n    ]")
            let elements = reader.fields.map { "\n" + margin + $0.element(row) + "," }.joined()
            let conformance = protocols.isEmpty ? "" : ": Queryable"
            let text: DeclSyntax = """
                extension \(raw: row)\(raw: conformance) {
                    \(raw: access(declaration) + start + elements + end)
                }
                """
            return text.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
        }

        /// True for a struct or a final class; anything else is reported as a mistake.
        private static func isRow(
            _ declaration: some DeclGroupSyntax,
            _ node: AttributeSyntax,
            _ context: some MacroExpansionContext
        ) -> Bool {
            if declaration.is(StructDeclSyntax.self) { return true }
            guard let row = declaration.as(ClassDeclSyntax.self) else {
                context.diagnose(Diagnostic(node: node, message: FieldMistake.noRow))
                return false
            }
            if row.modifiers.contains(where: { $0.name.tokenKind == .keyword(.final) }) { return true }
            var final = row
            final.classKeyword = .keyword(.class, leadingTrivia: [], trailingTrivia: row.classKeyword.trailingTrivia)
            final.modifiers.append(
                DeclModifierSyntax(
                    name: .keyword(.final, leadingTrivia: row.classKeyword.leadingTrivia, trailingTrivia: .space)
                )
            )
            context.diagnose(
                Diagnostic(
                    node: row.name,
                    message: FieldMistake.openClass,
                    fixIt: FixIt(
                        message: FieldFix.makeFinal,
                        changes: [.replace(oldNode: Syntax(row), newNode: Syntax(final))]
                    )
                )
            )
            return false
        }

        /// The row type's own access level, which a conformance needs.
        private static func access(_ declaration: some DeclGroupSyntax) -> String {
            for modifier in declaration.modifiers {
                switch modifier.name.tokenKind {
                case .keyword(.public), .keyword(.open): return "public "
                case .keyword(.package): return "package "
                case .keyword(.fileprivate), .keyword(.private): return "fileprivate "
                default: continue
                }
            }
            return ""
        }
    }

    /// `@QueryField` and `@QueryIgnored`: markers that `@Queryable` reads; they generate nothing themselves.
    public enum QueryFieldMacro: PeerMacro {
        /// Generates nothing.
        ///
        /// - Returns: no declarations.
        public static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            if !declaration.is(VariableDeclSyntax.self) {
                context.diagnose(Diagnostic(node: node, message: FieldMistake.noProperty))
            }
            return []
        }
    }
#endif
