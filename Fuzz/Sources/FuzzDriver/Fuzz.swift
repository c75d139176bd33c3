import CFuzzer
import Foundation

/// What the fuzzer calls; set once, before it begins.
nonisolated(unsafe) private var check: ([UInt8]) -> Void = { _ in }

/// Gives a check the inputs of libFuzzer until its time is over.
///
/// - Parameter body: stops the process when something that must hold does not.
public func fuzz(_ body: @escaping ([UInt8]) -> Void) -> Never {
    check = body
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            check(Array(UnsafeBufferPointer(start: data, count: size)))
            return 0
        }
    )
}
