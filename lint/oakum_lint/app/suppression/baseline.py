"""The baseline: findings that are known, so that a gate reports only new ones.

A project that begins to use oakum writes its findings into a file once, and keeps it with its code:
its form is that of `oakum.values.checks.baseline_entries`.

Invariants:
- An entry is known by its file, its code and the text of the flagged line: it holds while the lines
  above it move. Where a file is gone, its entries hold in a file that has none of its own, since
  it may have moved there.
- An entry hides one finding. What the tool says of a file that it could not check is never hidden.
"""

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from oakum.values.checks.baseline_entries import Entry, entries_of, inside, text_of
from oakum_lint.app import selectors
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.fingerprints import FlaggedLines
from oakum_lint.app.settings import Settings


def hide_known(result: CheckResult, file: str, settings: Settings) -> None:
    """Takes the findings out of a result that a baseline knows, and counts them, and the entries
    that are found no more.
    """
    entries = _read(file)
    root = os.path.dirname(os.path.abspath(file))
    marks = _marks(result, root)
    known: set[int] = set()
    for number, mark in marks.items():
        if entries[mark] > 0:
            entries[mark] -= 1
            known.add(number)
    known |= _moved(entries, {n: mark for n, mark in marks.items() if n not in known}, root)
    result.findings = [each for n, each in enumerate(result.findings) if n not in known]
    result.known = len(known)
    result.stale = sum(_stale(+entries, result, root, settings).values())
    named = frozenset(result.files)
    result.elsewhere = sum(each.location.file not in named for each in result.findings)
    result.statistics.clear()
    result.statistics.update(finding.code for finding in result.findings)


def write(result: CheckResult, file: str) -> int:
    """Writes the findings of a run as the baseline, and keeps the entries of files that were not
    checked and still exist; returns how many findings it has now.
    """
    root = os.path.dirname(os.path.abspath(file))
    checked = {inside(path, root) for path in result.files}
    kept = Counter(
        {
            entry: count
            for entry, count in (_read(file) if os.path.exists(file) else Counter[Entry]()).items()
            if entry[0] not in checked and os.path.exists(os.path.join(root, entry[0]))
        }
    )
    kept.update(mark for mark in _marks(result, root).values() if mark[0] in checked)
    try:
        Path(file).write_text(text_of(kept), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}") from None
    return kept.total()


def _marks(result: CheckResult, root: str) -> dict[int, Entry]:
    """The entries that stand for the findings of a result, by their places in it."""
    flagged = FlaggedLines(result.texts)
    return {
        number: (inside(finding.location.file, root), finding.code, flagged.of(finding))
        for number, finding in enumerate(result.findings)
        if finding.code not in selectors.ALWAYS_ON
    }


def _moved(entries: Counter[Entry], marks: Mapping[int, Entry], root: str) -> set[int]:
    """The findings that entries of files that are gone stand for; these entries are used up."""
    with_own = {path for path, _, _ in entries}
    gone = {path for path in with_own if not os.path.exists(os.path.join(root, path))}
    found: set[int] = set()
    for number, (path, code, line) in marks.items():
        if path in with_own:
            continue
        for old in sorted(gone):
            if entries[old, code, line] > 0:
                entries[old, code, line] -= 1
                found.add(number)
                break
    return found


def _stale(
    entries: Counter[Entry], result: CheckResult, root: str, settings: Settings
) -> Counter[Entry]:
    """The entries that this run would have found again: those of its files, or of none."""
    if not entries or settings.min_confidence == "proved":
        return Counter()
    checked = {inside(path, root) for path in result.files}
    enabled = selectors.enabled(settings.select, settings.ignore)
    return Counter(
        {
            entry: count
            for entry, count in entries.items()
            if entry[1] in enabled
            and (entry[0] in checked or not os.path.exists(os.path.join(root, entry[0])))
        }
    )


def _read(file: str) -> Counter[Entry]:
    """The entries of a baseline, and how many findings each stands for."""
    try:
        with open(file, "rb") as stream:
            return entries_of(stream.read())
    except OSError as error:
        raise ConfigurationError(
            f"the baseline {file}: {error.strerror}; `--write-baseline` makes it"
        ) from None
    except (ValueError, RecursionError):
        raise ConfigurationError(f"the baseline {file}: it is not valid JSON") from None
    except (KeyError, TypeError, AttributeError):
        raise ConfigurationError(
            f"the baseline {file}: it is not of the form that `--write-baseline` writes"
        ) from None
