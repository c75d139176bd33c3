#!/usr/bin/env bash
# Asks an independent engine from PyPI what emitted filters and pipelines find, and compares with the evaluator:
#
#     Tests/Judges/run.sh            # 700 seeds, four writings each
#     Tests/Judges/run.sh 5000       # more
#
# The tests must be built. Without Python, pip or PyPI it says why it judges nothing, and succeeds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

packages=.build/judges
cases=$(mktemp)
trap 'rm -f "$cases"' EXIT
export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "not judged: $1"
    exit 0
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "no python3 of 3.10 or later here"
python3 -m pip --version >/dev/null 2>&1 || skip "python3 has no pip here"
if ! cmp -s Tests/Judges/requirements.txt "$packages/requirements.txt"; then
    rm -rf "$packages"
    if ! message=$(python3 -m pip install --quiet --disable-pip-version-check --target "$packages" \
        -r Tests/Judges/requirements.txt 2>&1); then
        rm -rf "$packages"
        skip "the engine could not be installed from PyPI: $(tail -n 1 <<<"$message")"
    fi
    cp Tests/Judges/requirements.txt "$packages/requirements.txt"
fi

JUDGE_CASES=$cases JUDGE_SEEDS=${1:-700} swift test --skip-build --filter JudgeCaseTests >/dev/null
[ -s "$cases" ] || { echo "no cases were written" >&2; exit 1; }
PYTHONPATH=$packages python3 Tests/Judges/judge.py "$cases" secantus
