#!/usr/bin/env bash
# Runs everything that looks for faults and prints one table: Fuzz/report.sh MINUTES.
# The fuzzers share the minutes; tests with coverage and the deliberate breaks take what they take before that.
# WITHOUT="coverage mutants" leaves parts out. Ends with 1 when anything was found.
set -uo pipefail
minutes=${1:?usage: Fuzz/report.sh MINUTES}
cd "$(dirname "${BASH_SOURCE[0]}")"
without=${WITHOUT:-}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
found=0
table=("$(printf '%-18s %10s %11s %8s %8s  %s' what cases mismatches crashes exec/s result)")
row() { table+=("$(printf '%-18s %10s %11s %8s %8s  %s' "$@")"); }

if [[ $without != *coverage* ]]; then
    ./coverage.sh >"$logs/coverage" 2>&1 || found=1
    tests=$(grep -oE 'Test run with [0-9]+ tests' "$logs/coverage" | grep -oE '[0-9]+' | tail -n 1)
    issues=$(grep -c 'recorded an issue' "$logs/coverage")
    covered=$(awk '$1 == "all" { print $4 }' "$logs/coverage")
    row tests "${tests:-0}" "$issues" "$([ -n "$tests" ] && echo 0 || echo 1)" - "${covered:+covered }${covered:-not covered: see above}"
    cat "$logs/coverage"
fi
if [[ $without != *mutants* ]]; then
    ./mutate.py --keep ../.build-mutants 2>&1 | tee "$logs/mutants"
    [ "${PIPESTATUS[0]}" -eq 0 ] || found=1
    row mutants "$(grep -cE '^ *[0-9]+ (killed|SURVIVED)' "$logs/mutants")" - - - "$(grep 'mutants killed' "$logs/mutants")"
fi

./run.sh --build || exit 2
targets=$(./run.sh --list)
seconds=$((minutes * 60 / $(wc -w <<<"$targets")))
[ "$seconds" -gt 0 ] || seconds=1
for target in $targets; do
    before=$(find "Findings/$target" -type f 2>/dev/null | wc -l)
    ./run.sh "$target" "$seconds" >"$logs/$target" 2>&1 || found=1
    crashes=$(($(find "Findings/$target" -type f 2>/dev/null | wc -l) - before))
    # A check that fails says so before the process stops; all else is a crash.
    mismatches=$(grep -c 'Fatal error' "$logs/$target")
    [ "$mismatches" -le "$crashes" ] || mismatches=$crashes
    stat() { awk -v name="stat::$1:" '$1 == name { print $2 }' "$logs/$target"; }
    row "$target" "$(stat number_of_executed_units)" "$mismatches" "$((crashes - mismatches))" \
        "$(stat average_exec_per_sec)" "$seconds s"
    [ "$crashes" -eq 0 ] || { found=1; tail -n 30 "$logs/$target"; }
done
printf '%s\n' "${table[@]}"
exit "$found"
