#!/usr/bin/env bash
# Fuzzes one target: Fuzz/run.sh TARGET SECONDS; `--build` only builds, `--list` prints the targets.
# The seed is that of SEED, 1 by default. What is found goes to Findings/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export SWIFT_BACKTRACE=enable=no  # else Swift takes the signal and libFuzzer writes no crash file

# lld, because gold stops with an internal error on the sanitizer's debug information.
build() { swift build -c release -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld; }

if [ "${1:-}" = --build ]; then
    build
    exit
fi
if [ "${1:-}" = --list ]; then
    for main in Sources/*/main.swift; do basename "$(dirname "$main")"; done
    exit
fi
[ "$#" -eq 2 ] || { echo "usage: Fuzz/run.sh TARGET SECONDS, or Fuzz/run.sh --build" >&2; exit 64; }
target=$1 seconds=$2
[ -e "Sources/$target/main.swift" ] || { echo "no target $target: see Fuzz/run.sh --list" >&2; exit 64; }
[ -x ".build/release/$target" ] || build

mkdir -p "Corpus/$target" "Findings/$target"
inputs=("Corpus/$target")
for folder in "Seeds/$target" "Regressions/$target"; do
    if [ -d "$folder" ]; then inputs+=("$folder"); fi
done
".build/release/$target" -max_total_time="$seconds" -seed="${SEED:-1}" -timeout=300 -rss_limit_mb=2048 -max_len=4096 \
    -dict=query.dict -artifact_prefix="Findings/$target/" -print_final_stats=1 -verbosity=0 "${inputs[@]}" 2>&1 |
    grep -vE '^(stat::(new_units|slowest)|INFO: *$)' || exit "${PIPESTATUS[0]}"
