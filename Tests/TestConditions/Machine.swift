import Foundation
import Testing

extension Tag {
    /// Tests that need a machine of their own: kills, full disks, hundreds of sockets, processor time.
    @Tag package static var machine: Tag
}

/// Whether the tests that need a machine of their own run: `MACHINE_TESTS=1`.
package enum Machine {
    package static let isOurs = ProcessInfo.processInfo.environment["MACHINE_TESTS"] == "1"
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out where the machine is shared; `.ci/deep machine` runs it.
    package static var machine: Self { .enabled(if: Machine.isOurs, "needs a machine of its own: MACHINE_TESTS=1") }
}
