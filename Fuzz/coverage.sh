#!/usr/bin/env bash
# Prints what the tests cover of each core module: Fuzz/coverage.sh [--lines MODULE] [FILTER].
# `--lines MODULE` lists the lines of a module that no test reaches instead of the table.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
module=
if [ "${1:-}" = --lines ]; then
    module=${2:?usage: Fuzz/coverage.sh --lines MODULE}
    shift 2
fi
scratch=.build-coverage
tools=$(dirname "$(readlink -f "$(command -v swift)")")
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The pages' commands need `pql`, which is built with another trait.
arguments=(--scratch-path "$scratch" --traits PCRE2 --enable-code-coverage --skip ShellExampleTests)
[ "$#" -eq 0 ] || arguments+=(--filter "$1")
if ! swift test "${arguments[@]}" >"$log" 2>&1; then
    grep -aE 'error:|recorded an issue|^✘|Test run with' "$log" >&2 || tail -n 40 "$log" >&2
    exit 1
fi
grep 'Test run with' "$log" | tail -n 1

binary=$scratch/debug/PredicateQLPackageTests.xctest
profile=$(find "$scratch/" -name default.profdata | head -n 1)
if [ -n "$module" ]; then
    "$tools/llvm-cov" show "$binary" -instr-profile "$profile" "$PWD/Sources/$module" -use-color=false |
        awk '/^\/.*:$/ { file = $0; sub(/.*\/Sources\//, "", file); next }
            /^ *[0-9]+\| +0\|/ { split($0, part, "|"); print file part[1] + 0 ": " substr($0, index($0, part[3])) }'
    exit
fi
printf '%-20s %8s %8s %7s\n' module lines missed covered
for folder in QueryValues QueryTree QueryChecking QueryMeaning QueryParsing QueryMongo QueryMongoReading QuerySQL \
    QueryEvaluation QueryStreams PredicateQLSQLite QueryBatch; do
    "$tools/llvm-cov" report "$binary" -instr-profile "$profile" "$PWD/Sources/$folder" |
        awk -v name="$folder" '$1 == "TOTAL" { printf "%-20s %8d %8d %7s\n", name, $8, $9, $10 }'
done | awk '{ print; lines += $2; missed += $3 }
    END { printf "%-20s %8d %8d %6.2f%%\n", "all", lines, missed, lines ? 100 * (lines - missed) / lines : 0 }'
