"""Compares `oakum check` with other checkers on the same files, and times the start.

    python benchmarks/lint_peers.py PATH... [--rounds N] [--only oakum,mypy]

Every tool that is installed beside this Python runs over the same files, cold (without its cache),
in one process, in alternating rounds, so that a busy machine slows all of them alike. What counts
is the CPU time of the process and its children, as the system accounts it. Printed are medians, and
ratios to oakum: 4.0 means that the tool takes four times as long.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

BIN = Path(sys.executable).parent
START_ROUNDS = 15


def peers(files: Sequence[str]) -> dict[str, list[str]]:
    """The command line of each tool: one process, no cache, no configuration of the project."""
    tools = {
        "oakum": ["oakum", "check", "--isolated", "--exit-zero"],
        "mypy": [
            *("mypy", "--no-incremental", f"--cache-dir={os.devnull}", "--config-file="),
            *("--ignore-missing-imports", "--follow-imports=silent", "--no-error-summary"),
            *("--explicit-package-bases", "--namespace-packages"),
        ],
        "pyright": ["pyright"],
        "pylint": ["pylint", "--errors-only", "--jobs=1", f"--rcfile={os.devnull}"],
        "flake8": ["flake8", "--isolated", "--jobs=1"],
        "ruff": ["ruff", "check", "--isolated", "--no-cache", "--quiet"],
    }
    return {
        name: [str(BIN / command[0]), *command[1:], *files]
        for name, command in tools.items()
        if (BIN / command[0]).exists()
    }


# Above these a tool says that it did not do its work; pylint's status is a sum of bits.
LARGEST_STATUS = {"oakum": 1, "mypy": 1, "pyright": 1, "pylint": 31, "flake8": 1, "ruff": 1}


def cpu_seconds(command: Sequence[str], scratch: str) -> float:
    """The CPU time of a process and its children; a tool that gives up is no measure."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYLINTHOME": scratch, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=scratch, env=environment, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    tool = Path(command[0]).name
    if not 0 <= done.returncode <= LARGEST_STATUS.get(tool, 0):
        output = (done.stderr or done.stdout).strip()
        raise SystemExit(f"{tool} ended with status {done.returncode}: {output[:500]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def python_files(paths: Sequence[str]) -> list[str]:
    """The Python files at and below the paths, absolute and sorted."""
    found: list[str] = []
    for path in map(Path, paths):
        found += (
            [str(path.absolute())] if path.is_file() else map(str, path.absolute().rglob("*.py"))
        )
    return sorted(set(found))


def compare(files: Sequence[str], rounds: int, only: Sequence[str]) -> None:
    """Runs all tools in alternating rounds and prints a table."""
    lines = sum(Path(file).read_bytes().count(b"\n") for file in files)
    print(f"{len(files)} files, {lines} lines, {rounds} rounds, CPU seconds of one cold process")
    with tempfile.TemporaryDirectory() as scratch:
        commands = peers(files)
        if only:
            commands = {name: commands[name] for name in only if name in commands}
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(cpu_seconds(command, scratch))
    medians = {name: statistics.median(measured) for name, measured in times.items()}
    print(f"{'tool':8} {'median':>8} {'least':>8} {'kLOC/s':>8} {'to oakum':>9}")
    for name, median in sorted(medians.items(), key=lambda item: item[1]):
        ratio = f"{median / medians['oakum']:9.2f}" if "oakum" in medians else ""
        speed = lines / 1000 / median
        print(f"{name:8} {median:8.2f} {min(times[name]):8.2f} {speed:8.1f} {ratio}")


def start() -> None:
    """Times a file without tracer code, from start to exit, beside Python's own start."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "plain.py"
        file.write_text("import os\n\n\ndef join(x):\n    return os.path.join(x)\n")
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "oakum check plain.py": [str(BIN / "oakum"), "check", "--isolated", str(file)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(START_ROUNDS):
            for name, command in commands.items():
                times[name].append(cpu_seconds(command, scratch))
    for name, measured in times.items():
        median, least = statistics.median(measured) * 1000, min(measured) * 1000
        print(f"{name:22} median {median:6.1f} ms   least {least:6.1f} ms")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("paths", nargs="*", help="files and directories; none: only the start")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="tools, with commas between them")
    options = parser.parse_args()
    if options.paths:
        only = [name for name in options.only.split(",") if name]
        compare(python_files(options.paths), options.rounds, only)
    start()


if __name__ == "__main__":
    main()
