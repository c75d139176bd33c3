#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// The compiler plugin for `@Queryable`.
    @main
    struct QueryablePlugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [QueryableMacro.self, QueryFieldMacro.self]
    }
#else
    /// Without the trait `Macros` there is no macro, and swift-syntax is not built.
    @main
    enum QueryablePlugin {
        static func main() {
            print("build with the trait Macros")
        }
    }
#endif
