#!/usr/bin/env bash
# Runs generated queries in a real PostgreSQL, DuckDB, MariaDB and the newest SQLite and compares with the evaluator:
#
#     Tests/Judges/sql.sh            # 900 queries a storage, with a fixed seed, and with SEED if it is set
#     Tests/Judges/sql.sh 60         # sixty times as many as `swift test` asks, instead of twelve
#
# The tests must be built. A store that is not here is installed by its name; where that fails it says so and goes on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

packages=.build/judges-sql
cases=$(mktemp -d)
trap 'rm -rf "$cases"' EXIT
export PYTHONDONTWRITEBYTECODE=1

command -v python3 >/dev/null || { echo "not judged: no python3 here"; exit 0; }

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo)
if ! command -v initdb >/dev/null && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    "${root[@]}" apt-get update -q >/dev/null 2>&1 || true
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql \
        >/dev/null 2>&1 || echo "PostgreSQL could not be installed"
fi
# duckdb gives instants by pytz.
if ! PYTHONPATH=$packages python3 -c 'import duckdb, pytz' 2>/dev/null; then
    python3 -m pip install --quiet --disable-pip-version-check --target "$packages" 'duckdb>=1.0' pytz >/dev/null 2>&1 \
        || echo "DuckDB could not be installed"
fi
if ! PYTHONPATH=$packages python3 -c 'import apsw' 2>/dev/null; then
    python3 -m pip install --quiet --disable-pip-version-check --target "$packages" 'apsw>=3.50' >/dev/null 2>&1 \
        || echo "a newer SQLite could not be installed"
fi

if ! command -v mariadbd >/dev/null && [ ! -x /usr/sbin/mariadbd ]; then
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends mariadb-server \
        >/dev/null 2>&1 || echo "MariaDB could not be installed"
fi
if ! PYTHONPATH=$packages python3 -c 'import pymysql, sqlglot' 2>/dev/null; then
    python3 -m pip install --quiet --disable-pip-version-check --target "$packages" pymysql sqlglot >/dev/null 2>&1 \
        || echo "what reads MariaDB could not be installed"
fi

failed=0
for seed in 20261121 ${SEED:-}; do
    echo "seed $seed"
    SQL_CASES=$cases SCALE=${1:-12} SEED=$seed swift test --skip-build \
        --filter 'TypedCasesTests|EverydayTests|RelatedTablesTests|SQLAgreementTests|ListAgreementTests' >"$cases/log" 2>&1 \
        || { tail -n 20 "$cases/log" >&2; exit 1; }
    for store in postgresql duckdb mariadb sqlite; do
        status=0
        PYTHONPATH=$packages python3 Tests/Judges/judge_sql.py "$store" "$cases/$store"-*.json || status=$?
        # 77: the store is not here, and the judge has said so.
        [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || failed=1
    done
done
# What the stores' own catalogues say, and what is pushed down to partitions, another server and files.
for judge in catalogue spread; do
    status=0
    PYTHONPATH=$packages python3 "Tests/Judges/$judge.py" || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || failed=1
done
exit "$failed"
