#!/usr/bin/env bash
# Opens the page of `pql play` in a headless Chromium and uses it:
#
#     Tests/Browser/run.sh .build-whole/debug/pql            # pictures go to .build/pictures
#     Tests/Browser/run.sh .build-whole/release/pql 50       # answers while typing take at most 50 ms
#
# A Chromium that is not here is installed by its name; where that fails it says so.
set -euo pipefail
pql=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

command -v python3 >/dev/null || { echo "not tested: no python3 here"; exit 0; }
if ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then
    root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo)
    log=$(mktemp)
    if ! { "${root[@]}" apt-get update -q && "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core; } >"$log" 2>&1; then
        echo "not tested: chromium cannot be installed: $(tail -n 1 "$log")"
        exit 0
    fi
fi
PYTHONDONTWRITEBYTECODE=1 python3 Tests/Browser/playground.py "$pql" .build/pictures "${2:-0}"
