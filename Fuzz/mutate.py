#!/usr/bin/env python3
"""Breaks the library on purpose and tells which breaks the tests notice: Fuzz/mutate.py [--keep FOLDER] [N ...]

Every break of mutants.txt is compiled into one copy of the sources, each behind its number; then the tests run once
for each number. --keep builds in a folder that stays, N ... asks only these numbers, --check only looks for the patterns.
Ends with 1 when fewer than 95 % are noticed, and with 2 when a pattern no longer stands in its file or nothing builds.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SWITCH = """\
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
private let brokenNumber = getenv("BROKEN").flatMap { Int(String(cString: $0)) } ?? 0
func broken(_ number: Int) -> Bool { number == brokenNumber }
"""


def mutants():
    """The blocks of mutants.txt, numbered from 1."""
    found = []
    for line in (HERE / "mutants.txt").read_text().splitlines():
        if line.startswith("- "):
            found[-1]["old"] = line[2:]
        elif line.startswith("+ "):
            found[-1]["new"] = line[2:]
        elif line and not line.startswith("#"):
            file, tests = line.split()
            found.append({"number": len(found) + 1, "file": file, "tests": tests})
    return found


def apply(mutant, text):
    """The text with the break behind its number; SystemExit 2 when it has no place."""
    old, new = mutant["old"], mutant["new"]
    if text.count(old) != 1:
        print(f"{mutant['number']}: `{old}` stands {text.count(old)} times in {mutant['file']}", file=sys.stderr)
        raise SystemExit(2)
    return text.replace(old, f"(broken({mutant['number']}) ? ({new}) : ({old}))")


def broken_texts():
    """The files that breaks stand in, with all of them."""
    texts = {}
    for mutant in mutants():
        text = texts.get(mutant["file"]) or (ROOT / mutant["file"]).read_text()
        texts[mutant["file"]] = apply(mutant, text)
    return texts


def copy(folder):
    """Copies what is tracked or new, touching only files that differ, so that a kept build stays fresh."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    contents = {name: (ROOT / name).read_bytes() for name in listed if (ROOT / name).is_file()}
    for name, text in broken_texts().items():
        contents[name] = text.encode()
        contents["/".join(name.split("/")[:2]) + "/Broken.swift"] = SWITCH.encode()
    for name, content in contents.items():
        target = folder / name
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(ROOT / name, target) if (ROOT / name).exists() else None


def run(folder, tests, number, seconds):
    """None when the tests pass, else how the break was noticed."""
    program = folder / ".build/debug/PredicateQLPackageTests.xctest"
    environment = dict(os.environ, BROKEN=str(number), SWIFT_BACKTRACE="enable=no", NO_COLOR="1")
    process = subprocess.Popen(
        [program, "--testing-library", "swift-testing", "--filter", tests],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True,
    )
    signal.signal(signal.SIGALRM, lambda *_: process.kill())
    signal.alarm(seconds)
    start, noticed, passed = time.monotonic(), None, False
    for line in process.stdout:
        passed = passed or ("Test run with" in line and " passed" in line and "with 0 tests" not in line)
        if "recorded an issue" in line:
            noticed = line.strip().removeprefix("✘ ").split(" recorded an issue at ")
            noticed = f"{noticed[0].removeprefix('Test ')} ({noticed[-1].split(': ')[0]})"
            process.kill()
            break
    signal.alarm(0)
    process.stdout.close()
    status = process.wait()
    if noticed:
        return noticed
    if status == 69:
        print(f"no tests are named {tests}", file=sys.stderr)
        raise SystemExit(2)
    if passed and status == 0:
        return None
    return "it never ends" if time.monotonic() - start >= seconds - 1 else f"it ends with {status}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--check", action="store_true")
    options.add_argument("--keep", type=pathlib.Path)
    options.add_argument("numbers", nargs="*", type=int)
    options = options.parse_args()
    everything = mutants()
    if options.check:
        broken_texts()
        print(f"{len(everything)} breaks have their places")
        return 0
    folder = (options.keep or pathlib.Path(tempfile.mkdtemp(prefix="mutants-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return judge(folder, [one for one in everything if not options.numbers or one["number"] in options.numbers])
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def judge(folder, asked):
    copy(folder)
    start = time.monotonic()
    build = subprocess.run(
        ["swift", "build", "--build-tests", "--traits", "PCRE2"], cwd=folder, capture_output=True, text=True
    )
    if build.returncode:
        print("\n".join(line for line in build.stdout.splitlines() if "error:" in line), file=sys.stderr)
        return 2
    print(f"built in {time.monotonic() - start:.0f} s", flush=True)
    everything = "|".join(sorted({name for one in asked for name in one["tests"].split("|")}))
    if trouble := run(folder, everything, 0, 1800):
        print(f"the tests fail without a break: {trouble}", file=sys.stderr)
        return 2
    survivors = 0
    for one in asked:
        begun = time.monotonic()
        noticed = run(folder, one["tests"], one["number"], 300)
        survivors += noticed is None
        verdict = f"killed    {noticed}" if noticed else "SURVIVED "
        place = f"{one['file'].removeprefix('Sources/')}: {one['old']} → {one['new']}"
        print(f"{one['number']:3} {verdict} | {place} | {time.monotonic() - begun:.0f} s", flush=True)
    killed = len(asked) - survivors
    print(f"mutants killed: {killed} of {len(asked)} ({100 * killed / max(1, len(asked)):.0f} %)")
    return 0 if killed >= 0.95 * len(asked) else 1


if __name__ == "__main__":
    sys.exit(main())
