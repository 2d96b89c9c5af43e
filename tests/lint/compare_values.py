"""Compares what the analysis knows of a program's values with what a run of it on JAX shows.

    python tests/lint/compare_values.py SCRIPT [--files FOLDER] [-- ARGUMENTS]
    python tests/lint/compare_values.py --pytest TESTS [--files FOLDER] [-- ARGUMENTS OF pytest]

Each expression of the script, and of the files of the folder that it imports, is noted as it runs:
class, shape, dtype, weak type, and whether it is a tracer. What the analysis holds possible there
has to contain it: a value outside is a wrong fact, from which a false finding can follow. Printed
are the facts outside and how many were compared; the exit status is 1 where there are any.

The program runs: use this on programs that you trust.
"""

import argparse
import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from analysed_values import Known, analysed
from recorded_values import Record, Span, record, run_file
from value_patterns import AnyPattern, ChoicePattern, Pattern, Seen, admits


@dataclass(frozen=True, slots=True)
class Outside:
    """A value that a run has shown and the analysis holds impossible."""

    span: Span
    known: tuple[Pattern, ...]
    seen: Seen

    def __str__(self) -> str:
        known = " | ".join(dict.fromkeys(map(str, self.known)))
        return f"{_words(self.span)}\n    known: {known}\n    seen:  {self.seen}"


def _words(span: Span) -> str:
    file, line, column, last, end = span
    text = Path(file).read_text(encoding="utf-8").splitlines()[line - 1]
    shown = text[column - 1 : end - 1] if last == line else f"{text[column - 1 :]} ..."
    return f"{file}:{line}:{column}: `{shown}`"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a run has shown of a program, beside what is known of it."""

    outside: tuple[Outside, ...]
    compared: int
    """Facts of which something is known."""
    vague: int
    """Facts of which nothing is known: they contradict nothing."""
    unmatched: int
    """Expressions that ran and that the analysis has not evaluated, or spells otherwise."""
    record: Record


def compare(known: Known, found: Record) -> Comparison:
    """Returns which facts of a run lie outside of what is known."""
    outside: list[Outside] = []
    compared = vague = unmatched = 0
    for span, values in found.seen.items():
        patterns = known.get(span)
        if patterns is None:
            unmatched += 1
        elif any(map(_is_vague, patterns)):
            vague += len(values)
        else:
            compared += len(values)
            outside += (
                Outside(span, tuple(patterns), seen)
                for seen in values
                if not any(admits(each, seen) for each in patterns)
            )
    return Comparison(tuple(outside), compared, vague, unmatched, found)


def _is_vague(pattern: Pattern) -> bool:
    match pattern:
        case AnyPattern():
            return True
        case ChoicePattern(options):
            return any(map(_is_vague, options))
        case _:
            return False


def compare_program(
    main: Path, files: Sequence[Path], jax: ModuleType, run: Callable[[], object] | None = None
) -> Comparison:
    """Analyses and runs a program of some files; `run` runs it where executing `main` does not."""
    files = [file.resolve() for file in files]
    main = main.resolve()
    known = analysed(main, [file for file in files if file != main])
    return compare(known, record(main, files, jax, run or (lambda: run_file(main))))


def _arguments(own: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("script", type=Path, help="the program, or with --pytest tests")
    parser.add_argument("--files", type=Path, help="the folder whose files are looked at as well")
    parser.add_argument("--pytest", action="store_true", help="run the tests with pytest")
    return parser.parse_args(own)


def main(arguments: Sequence[str]) -> int:
    """Compares one program; returns the exit status."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options, rest = _arguments(arguments[:at]), list(arguments[at + 1 :])
    script: Path = options.script.resolve()
    folder: Path = (options.files or script.parent).resolve()
    files = sorted({*folder.rglob("*.py"), *([script] if script.is_file() else [])})
    warnings.simplefilter("ignore")
    run = (lambda: _run_pytest(script, rest)) if options.pytest else None
    sys.argv[1:] = rest
    found = compare_program(script, files, importlib.import_module("jax"), run)
    for each in found.outside:
        print(each)
    if found.record.error is not None:
        print(f"the program ended with {found.record.error!r}")
    print(
        f"{len(found.outside)} facts outside, {found.compared} compared, {found.vague} of which "
        f"nothing is known, {found.unmatched} expressions not evaluated"
    )
    return 1 if found.outside else 0


def _run_pytest(tests: Path, arguments: Sequence[str]) -> object:
    import pytest

    # Asserts are left as they are: pytest's own way to load tests would pass the hooks by.
    return pytest.main(
        ["-q", "-x", "--assert=plain", "-p", "no:cacheprovider", *arguments, str(tests)]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
