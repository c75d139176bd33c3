import ExamplePages
import Foundation

// Writes the examples of the documentation into a folder.
guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("ExampleWriter FOLDER\n".utf8))
    exit(64)
}
try ExamplePages.write(to: URL(fileURLWithPath: CommandLine.arguments[1]))
