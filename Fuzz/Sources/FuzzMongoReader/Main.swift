import CFuzzer
import Foundation
import FuzzSupport

@main enum FuzzMongoReader {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { data, size in
                check(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            }
        )
    }
}
