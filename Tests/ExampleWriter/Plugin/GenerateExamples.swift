import Foundation
import PackagePlugin

/// Writes the examples of doc comments and pages as functions that the tests of the documentation run.
@main struct GenerateExamples: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let (root, folder) = (context.package.directoryURL, context.pluginWorkDirectoryURL)
        let sources = root.appending(path: "Sources")
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path()).sorted()
        var inputs = [root.appending(path: "README.md")]
        for place in ["Sources", "Grammar"] {
            let found = FileManager.default.enumerator(at: root.appending(path: place), includingPropertiesForKeys: nil)
            while let file = found?.nextObject() as? URL {
                if ["swift", "md"].contains(file.pathExtension) { inputs.append(file) }
            }
        }
        return [
            .buildCommand(
                displayName: "Writing the examples of the documentation",
                executable: try context.tool(named: "ExampleWriter").url,
                arguments: [folder.path()],
                inputFiles: inputs.sorted { $0.path() < $1.path() },
                outputFiles: (modules + ["Page"]).map { folder.appending(path: $0 + "Examples.swift") }
            )
        ]
    }
}
