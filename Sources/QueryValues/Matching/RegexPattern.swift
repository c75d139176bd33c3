#if PCRE2 && canImport(CPCRE2)
    import CPCRE2
    import Synchronization
#endif

/// A MATCHES pattern: PCRE2 over the whole text, with UTF and ASCII classes, newline LF (S16).
///
///     let pattern = try RegexPattern("foo|foobar")
///     try pattern.matches("foobar")  // → true
package final class RegexPattern: Sendable {
    /// The pattern's text.
    package let text: String
    /// The options of the pattern.
    package let options: StringOptions
    private let origin: Origin

    #if PCRE2 && canImport(CPCRE2)
        // Compiled code and context are read-only after `init`; PCRE2 allows matching from many threads at once.
        nonisolated(unsafe) private let code: OpaquePointer
        nonisolated(unsafe) private let context: OpaquePointer
        private let stackBytes: Int
        /// The address of a match result that the next match reuses; 0 while a match uses it.
        private let spare = Atomic<UInt>(0)
        /// The interpreter would leave its frames, which may be large, in the match result.
        private let keepsSpare: Bool

        /// Compiles a pattern.
        ///
        ///     try RegexPattern("[a-z]+", options: .caseInsensitive).matches("Boston")  // → true
        ///     try RegexPattern("[a-z")  // throws pattern
        ///
        /// - Parameters:
        ///   - pattern: PCRE2's language; a leading `(*`, callouts and `\C` are rejected.
        ///   - options: `[c]` ignores case; `[d]` and `[l]` are `unsupported`.
        ///   - limits: steps, depth and heap of one match.
        ///   - origin: the source range for errors.
        /// - Throws: `QueryError` of code `pattern` for a malformed pattern, `unsupported` for `[d]` and `[l]`.
        package init(
            _ pattern: String,
            options: StringOptions = [],
            limits: Limits = .default,
            at origin: Origin = .none
        ) throws(QueryError) {
            try Self.refuse(pattern, options, origin)
            var code: OpaquePointer?
            var number: Int32 = 0
            var offset = 0
            let flags =
                UInt32(PCRE2_UTF) | UInt32(PCRE2_NEVER_BACKSLASH_C) | UInt32(PCRE2_ENDANCHORED)
                | UInt32(PCRE2_ANCHORED) | (options.contains(.caseInsensitive) ? UInt32(PCRE2_CASELESS) : 0)
            let compile = pcre2_compile_context_create_8(nil)
            defer { pcre2_compile_context_free_8(compile) }
            pcre2_set_newline_8(compile, UInt32(PCRE2_NEWLINE_LF))
            pattern.withUTF8Bytes { bytes in
                // An empty buffer may have no address, which PCRE2 requires.
                let empty: [UInt8] = [0]
                code = empty.withUnsafeBufferPointer { spare in
                    pcre2_compile_8(
                        bytes.baseAddress ?? spare.baseAddress,
                        bytes.count,
                        flags,
                        &number,
                        &offset,
                        compile
                    )
                }
            }
            guard let code else { throw Self.malformed(number, offset, origin) }
            // The callback runs once per callout; a result other than 0 ends the enumeration.
            guard pcre2_callout_enumerate_8(code, { _, _ in 1 }, nil) == 0 else {
                pcre2_code_free_8(code)
                throw QueryError(.pattern, "callouts are not allowed in a pattern", at: origin)
            }
            guard let context = pcre2_match_context_create_8(nil) else {
                pcre2_code_free_8(code)
                throw QueryError(.evaluation, "out of memory for the regular expression", at: origin)
            }
            pcre2_set_match_limit_8(context, UInt32(clamping: limits.matchSteps))
            pcre2_set_depth_limit_8(context, UInt32(clamping: limits.matchDepth))
            pcre2_set_heap_limit_8(context, UInt32(clamping: limits.matchHeapKiB))
            // Without JIT the interpreter gives the same answers, so a failure here is not an error.
            keepsSpare = pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE)) == 0
            self.code = code
            self.context = context
            stackBytes = max(32, min(limits.matchHeapKiB, 1 << 20)) << 10
            text = pattern
            self.options = options
            self.origin = origin
        }

        deinit {
            pcre2_match_data_free_8(OpaquePointer(bitPattern: spare.load(ordering: .acquiring)))
            pcre2_match_context_free_8(context)
            pcre2_code_free_8(code)
        }

        private static func malformed(_ number: Int32, _ offset: Int, _ origin: Origin) -> QueryError {
            var buffer = [UInt8](repeating: 0, count: 256)
            let length = pcre2_get_error_message_8(number, &buffer, buffer.count)
            let reason = String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
            return QueryError(.pattern, "the regular expression is malformed at byte \(offset): \(reason)", at: origin)
        }

        /// True when the whole text matches.
        ///
        ///     try RegexPattern("[0-9]{5}").matches("zip 02134")  // → false
        ///
        /// - Parameter text: any text.
        /// - Returns: whether it matches.
        /// - Throws: `QueryError` of code `evaluation` when a limit is reached.
        package func matches(_ text: String) throws(QueryError) -> Bool {
            // A string's UTF-8 is always well formed, so PCRE2 need not check it.
            try verdict(text.withUTF8Bytes { run($0, UInt32(PCRE2_NO_UTF_CHECK)) })
        }

        /// The same for the bytes of a `String`, which are known to be well formed.
        ///
        /// - Parameter bytes: a string's UTF-8.
        /// - Returns: true when the whole text matches.
        /// - Throws: as ``matches(_:)-(String)``.
        package func matches(valid bytes: UnsafeBufferPointer<UInt8>) throws(QueryError) -> Bool {
            try verdict(run(bytes, UInt32(PCRE2_NO_UTF_CHECK)))
        }

        /// True if the whole UTF-8 text matches; called by SQLite's `pred_match`.
        ///
        /// - Parameter bytes: UTF-8 text.
        /// - Returns: whether it matches.
        /// - Throws: `QueryError` of code `evaluation` when a limit is reached or the text is not UTF-8.
        package func matches(_ bytes: UnsafeBufferPointer<UInt8>) throws(QueryError) -> Bool {
            try verdict(run(bytes, 0))
        }

        private func run(_ bytes: UnsafeBufferPointer<UInt8>, _ options: UInt32) -> Int32 {
            let kept = OpaquePointer(bitPattern: spare.exchange(0, ordering: .acquiring))
            guard let data = kept ?? pcre2_match_data_create_8(1, nil) else { return Int32(PCRE2_ERROR_NOMEMORY) }
            defer { giveBack(data) }
            let empty: [UInt8] = [0]
            return empty.withUnsafeBufferPointer { spare in
                let start = bytes.baseAddress ?? spare.baseAddress
                let result = pcre2_match_8(code, start, bytes.count, 0, options, data, context)
                if result != Int32(PCRE2_ERROR_JIT_STACKLIMIT) { return result }
                return runWithLargeStack(start, bytes.count, options, data)
            }
        }

        private func giveBack(_ data: OpaquePointer) {
            var surplus: OpaquePointer? = data
            if keepsSpare {
                surplus = OpaquePointer(
                    bitPattern: spare.exchange(UInt(bitPattern: data), ordering: .acquiringAndReleasing)
                )
            }
            if let surplus { pcre2_match_data_free_8(surplus) }
        }

        /// JIT code uses 32 KiB of the machine's stack; a match that needs more gets what the heap limit allows.
        private func runWithLargeStack(
            _ start: UnsafePointer<UInt8>?,
            _ count: Int,
            _ options: UInt32,
            _ data: OpaquePointer
        ) -> Int32 {
            // A copy, because a stack serves one match at a time.
            guard let own = pcre2_match_context_copy_8(context) else { return Int32(PCRE2_ERROR_NOMEMORY) }
            defer { pcre2_match_context_free_8(own) }
            guard let stack = pcre2_jit_stack_create_8(32 << 10, stackBytes, nil) else {
                return Int32(PCRE2_ERROR_NOMEMORY)
            }
            defer { pcre2_jit_stack_free_8(stack) }
            pcre2_jit_stack_assign_8(own, nil, UnsafeMutableRawPointer(stack))
            return pcre2_match_8(code, start, count, 0, options, data, own)
        }

        private func verdict(_ result: Int32) throws(QueryError) -> Bool {
            if result >= 0 { return true }
            switch result {
            case PCRE2_ERROR_NOMATCH: return false
            case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_JIT_STACKLIMIT:
                throw QueryError(
                    .evaluation,
                    "the regular expression needs more steps than the limits allow",
                    at: origin,
                    hint: "avoid nested repeats such as (a+)+"
                )
            default:
                throw QueryError(.evaluation, "the regular expression failed with PCRE2 error \(result)", at: origin)
            }
        }
    #else
        /// Rejects every pattern, because this build has no PCRE2.
        ///
        /// - Parameters:
        ///   - pattern: any text.
        ///   - options: any options.
        ///   - limits: not used.
        ///   - origin: where the error points.
        /// - Throws: `QueryError` of code `unsupported`, always.
        package init(
            _ pattern: String,
            options: StringOptions = [],
            limits: Limits = .default,
            at origin: Origin = .none
        ) throws(QueryError) {
            throw Self.missing(origin)
        }

        private static func missing(_ origin: Origin) -> QueryError {
            QueryError(
                .unsupported,
                "this build has no regular expressions",
                at: origin,
                hint: "install libpcre2 and build with the trait PCRE2, or use LIKE, BEGINSWITH or CONTAINS"
            )
        }

        /// Never called, because no pattern can be created.
        ///
        /// - Parameter text: any text.
        /// - Returns: nothing.
        /// - Throws: `QueryError` of code `unsupported`, always.
        package func matches(_ text: String) throws(QueryError) -> Bool { throw Self.missing(origin) }

        package func matches(valid bytes: UnsafeBufferPointer<UInt8>) throws(QueryError) -> Bool {
            throw Self.missing(origin)
        }

        package func matches(_ bytes: UnsafeBufferPointer<UInt8>) throws(QueryError) -> Bool {
            throw Self.missing(origin)
        }
    #endif

    /// Options and pattern parts whose meaning would differ between backends.
    private static func refuse(_ pattern: String, _ options: StringOptions, _ origin: Origin) throws(QueryError) {
        if options.contains(.diacriticInsensitive) || options.contains(.localized) {
            throw QueryError(.unsupported, "MATCHES supports only the option [c]", at: origin)
        }
        if pattern.utf8.starts(with: "(*".utf8) {
            throw QueryError(.pattern, "a pattern cannot begin with (* settings", at: origin)
        }
    }
}
