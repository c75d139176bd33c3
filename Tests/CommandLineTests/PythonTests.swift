import Foundation
import SpecSupport
import Testing

/// The client for Python, by its own tests.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct PythonTests {
    @Test func theClientPassesItsTests() throws {
        guard try Tool.shell("python3 -c 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))'").status == 0 else {
            print("theClientPassesItsTests skipped: no python3 of version 3.9 or later here")
            return
        }
        let folder = SpecFile.repository.appendingPathComponent("Tests/Examples/python").path
        let tool = try #require(Tool.executable).path
        let outcome = try Tool.shell("cd '\(folder)' && PQL='\(tool)' python3 -B -m unittest test_predicateql 2>&1")
        #expect(outcome.status == 0 && outcome.output.contains("\nOK\n"), "\(outcome.output)")
    }
}
