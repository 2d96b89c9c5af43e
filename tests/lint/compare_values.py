"""Compares what the analysis knows of a program's values with what a run of it on JAX shows.

    python tests/lint/compare_values.py SCRIPT [--files FOLDER] [-- ARGUMENTS]
    python tests/lint/compare_values.py --pytest TESTS [--files FOLDER] [-- ARGUMENTS OF pytest]

Each expression of the script, and of the files of the folder that it imports, is noted as it runs:
class, shape, dtype, weak type, and whether it is a tracer. What the analysis holds possible there
has to contain it: a value outside is a wrong fact, from which a false finding can follow. So is a
place that is proved to raise, and behind which the run went on. Printed are the facts outside and
how many were compared; the exit status is 1 where there are any.

With `--tracers` it prints how much is known instead: of the expressions that were tracers in the
run, the share that a check of the whole folder knows as such, and where it loses the others.

The program runs: use this on programs that you trust.
"""

import argparse
import ast
import importlib
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

from analysed_values import Known, analysed
from known_tracers import Share, share_known
from recorded_values import Activation, Record, Span, record, run_file
from value_patterns import AnyPattern, ChoicePattern, Pattern, Seen, admits


@dataclass(frozen=True, slots=True)
class Outside:
    """A value that a run has shown and the analysis holds impossible."""

    span: Span
    known: tuple[Pattern, ...]
    seen: Seen
    argument: str = ""
    """The argument, of the call in which the expression stands, that is outside."""

    def __str__(self) -> str:
        known = " | ".join(dict.fromkeys(map(str, self.known)))
        of = f" in a call with `{self.argument}`" if self.argument else ""
        return f"{_words(self.span)}{of}\n    known: {known}\n    seen:  {self.seen}"


@dataclass(frozen=True, slots=True)
class WentOn:
    """A proved finding of what raises, of which a run has shown that it does not."""

    span: Span
    finding: str

    def __str__(self) -> str:
        return f"{_words(self.span)}\n    proved: {self.finding}\n    seen:   the run went on"


def _words(span: Span) -> str:
    file, line, column, last, end = span
    text = Path(file).read_text(encoding="utf-8").splitlines()[line - 1]
    shown = text[column - 1 : end - 1] if last == line else f"{text[column - 1 :]} ..."
    return f"{file}:{line}:{column}: `{shown}`"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a run has shown of a program, beside what is known of it."""

    outside: tuple[Outside | WentOn, ...]
    compared: int
    """Facts of which something is known."""
    vague: int
    """Facts of which nothing is known: they contradict nothing."""
    unevaluated: int
    """Facts of expressions that the analysis does not reach in such a call, or spells otherwise."""
    unfollowed: int
    """Facts of calls that begin with other values than any call that the analysis follows."""
    error: BaseException | None


@dataclass(slots=True)
class _Tally:
    outside: dict[Outside | WentOn, None] = field(default_factory=dict[Outside | WentOn, None])
    compared: int = 0
    vague: int = 0
    unevaluated: int = 0
    unfollowed: int = 0


def compare(known: Sequence[Known], found: Record) -> Comparison:
    """Returns which facts of a run lie outside of what is known of the same calls."""
    by_span: dict[Span, list[Known]] = {}
    for each in known:
        for span in each.values:
            by_span.setdefault(span, []).append(each)
    tally = _Tally()
    calls: dict[int, Sequence[Known]] = {}
    for activation in found.activations:
        begun = next((span for span in activation.seen if span in by_span), None)
        candidates = [] if begun is None else by_span[begun]
        followed = [each for each in candidates if _begins_so(each, activation)]
        calls[id(activation)] = followed
        if begun is None or followed:
            _compare_call(followed, activation, tally)
            continue
        tally.unfollowed += sum(map(len, activation.seen.values()))
        caller = activation.caller
        if not (caller is None or activation.is_direct) and _is_sure(calls[id(caller)], activation):
            # A library passed on what it got: `vmap` took off another axis than the analysis does.
            for wrong in _entries_outside(begun, candidates, activation):
                tally.outside[wrong] = None
    return Comparison(
        tuple(tally.outside),
        tally.compared,
        tally.vague,
        tally.unevaluated,
        tally.unfollowed,
        found.error,
    )


def _is_sure(followed: Sequence[Known], activation: Activation) -> bool:
    """Whether the analysis knows all that stands on the line of the call, in a call like it."""
    assert activation.caller is not None
    on_line = [span for span in activation.caller.seen if span[1] <= activation.line <= span[3]]
    return bool(on_line) and all(
        any(span in each.values for each in followed)
        and not any(_is_vague(p) for each in followed for p in each.values.get(span, ()))
        for span in on_line
    )


def _entries_outside(
    begun: Span, candidates: Sequence[Known], activation: Activation
) -> Iterator[Outside]:
    """The arguments of a call that no followed call of the function has, at what it begins with."""
    for name, seen in activation.entry.items():
        known = tuple(dict.fromkeys(e.entry[name] for e in candidates if name in e.entry))
        if known and "." not in name and not any(admits(each, seen) for each in known):
            yield Outside(begun, known, seen, name)


def _begins_so(known: Known, activation: Activation) -> bool:
    traced = {known.is_traced, activation.is_traced}
    if traced == {True, False}:
        return False  # another call, however little is known of its arguments
    entry = activation.entry
    return all(admits(each, entry[name]) for name, each in known.entry.items() if name in entry)


def _compare_call(followed: Sequence[Known], activation: Activation, tally: _Tally) -> None:
    for wrong in _findings_outside(followed, activation):
        tally.outside[wrong] = None
    for span, values in activation.seen.items():
        patterns = tuple(dict.fromkeys(p for each in followed for p in each.values.get(span, ())))
        if not patterns:
            tally.unevaluated += len(values)
        elif any(map(_is_vague, patterns)):
            tally.vague += len(values)
        else:
            tally.compared += len(values)
            for seen in values:
                if not any(admits(each, seen) for each in patterns):
                    tally.outside[Outside(span, patterns, seen)] = None


def _findings_outside(followed: Sequence[Known], activation: Activation) -> Iterator[WentOn]:
    """The findings that hold in each call like this one, and that this one has passed."""
    for span, finding in followed[0].always_raised().items() if followed else ():
        is_certain = all(span in each.always_raised() for each in followed[1:])
        if is_certain and _has_passed(activation, span):
            yield WentOn(span, finding)


def _has_passed(activation: Activation, place: Span) -> bool:
    """Whether a run has come to a place, and then to the value of the whole expression or to what
    stands behind it: other parts of that may be evaluated before it raises. Of a loop an earlier
    turn may have passed, so that only what stands behind it counts.
    """
    order = list(activation.seen)
    begun = next((n for n, each in enumerate(order) if _contains(place, each)), None)
    if begun is None:
        return False
    first, last = _innermost(_catching_blocks(place[0]), place) or (1, sys.maxsize)
    loops = [loop for loop in _loops(place[0]) if loop[0] <= place[1] <= place[3] <= loop[1]]
    wholes = _whole_expressions(place[0])
    around = [each for each in wholes if each[0] <= place[1:3] and place[3:] <= each[1]]
    start, end = min(around, key=lambda each: each[1], default=((0, 0), (sys.maxsize, 0)))
    if loops:
        start, end = (0, 0), (max(loop[1] for loop in loops) + 1, 0)
    return any(
        each[1:] != place[1:]
        and (each[1:3] >= end or each[1:] == (*start, *end))
        and first <= each[1] <= each[3] <= last
        for each in order[begun + 1 :]
    )


def _contains(outer: Span, inner: Span) -> bool:
    return outer[0] == inner[0] and outer[1:3] <= inner[1:3] and inner[3:] <= outer[3:]


def _innermost(blocks: Iterable[tuple[int, int]], place: Span) -> tuple[int, int] | None:
    """The lines of the innermost of some blocks around a place."""
    around = [each for each in blocks if each[0] <= place[1] <= place[3] <= each[1]]
    return max(around, default=None)


@cache
def _catching_blocks(file: str) -> tuple[tuple[int, int], ...]:
    """The lines of the blocks that may catch what is raised in them."""
    return tuple(
        (node.body[0].lineno, node.body[-1].end_lineno or 0)
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.With | ast.AsyncWith | ast.Try | ast.TryStar)
    )


@cache
def _loops(file: str) -> tuple[tuple[int, int], ...]:
    """The lines of loops, from the test to the last of the body."""
    return tuple(
        (node.lineno, node.end_lineno or 0)
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.For | ast.AsyncFor | ast.While)
    )


@cache
def _whole_expressions(file: str) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    """Where the expressions of statements begin and end; columns from 1."""
    return tuple(
        ((part.lineno, part.col_offset + 1), (part.end_lineno or 0, (part.end_col_offset or 0) + 1))
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.stmt)
        for part in ast.iter_child_nodes(node)
        if isinstance(part, ast.expr)
    )


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


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
    parser.add_argument("--tracers", action="store_true", help="print what share of them is known")
    return parser.parse_args(own)


def main(arguments: Sequence[str]) -> int:
    """Compares one program; returns the exit status."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options, rest = _arguments(arguments[:at]), list(arguments[at + 1 :])
    script: Path = options.script.resolve()
    folder: Path = (options.files or script.parent).resolve()
    files: list[Path] = sorted({*folder.rglob("*.py"), *([script] if script.is_file() else [])})
    warnings.simplefilter("ignore")
    run = (lambda: _run_pytest(script, rest)) if options.pytest else None
    sys.argv[1:] = rest
    if options.tracers:
        jax = importlib.import_module("jax")
        shown = record(script, files, jax, run or (lambda: run_file(script)))
        _print_share(share_known(files, shown))
        return 0
    found = compare_program(script, files, importlib.import_module("jax"), run)
    for each in found.outside:
        print(each)
    if found.error is not None:
        print(f"the program ended with {found.error!r}")
    print(
        f"{len(found.outside)} facts outside, {found.compared} compared, {found.vague} of which "
        f"nothing is known, {found.unevaluated} not evaluated, {found.unfollowed} of other calls"
    )
    return 1 if found.outside else 0


def _print_share(share: Share) -> None:
    places: dict[str, list[Span]] = {}
    for each in share.lost:
        places.setdefault(each.cause, []).append(each.at)
    for cause, count in share.causes():
        first = Counter(places[cause]).most_common(1)[0][0]
        print(f"{count:6} {cause}\n       {_words(first)}")
    total = share.proved + share.likely + len(share.lost)
    print(
        f"{total} expressions were tracers: {share.proved} are known as tracers, {share.likely} "
        f"with doubt, {len(share.lost)} are not"
    )


def _run_pytest(tests: Path, arguments: Sequence[str]) -> object:
    import pytest

    # Asserts are left as they are: pytest's own way to load tests would pass the hooks by.
    return pytest.main(
        ["-q", "-x", "--assert=plain", "-p", "no:cacheprovider", *arguments, str(tests)]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
