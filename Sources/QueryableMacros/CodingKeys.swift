#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// The coding keys of a type: which properties are coded, and under which names.
    struct CodingKeys {
        /// The literal of the stored name for each property; nil where the name is the same.
        private(set) var names: [String: String?] = [:]

        /// Reads the nested enum `CodingKeys`; nil when there is none.
        init?(of declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext) {
            let keys = declaration.memberBlock.members.compactMap { $0.decl.as(EnumDeclSyntax.self) }
                .first { $0.name.text == "CodingKeys" }
            guard let keys else { return nil }
            for member in keys.memberBlock.members {
                for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
                    let name = element.name.text.filter { $0 != "`" }
                    names[name] = .some(element.rawValue?.value.trimmedDescription)
                }
            }
        }
    }
#endif
