"""The cache of whole runs: what a run has found, the next one finds if nothing has changed.

It lies in `.oakum_cache` at the root of the project. An entry is named by all that a run depends
on and that is known before it begins: the code of oakum, the Python, the settings, the files and
their bytes. It lists what else the run has asked the disk, and is taken only if all of that has
the same answer.

Invariants:
- Only a folder is used that no other user may write to, and a file in it that none could have
  written. Nothing in an entry is run.
- An entry is written beside its place and moved there, and has a checksum: a half-written or
  damaged one counts as missing.
- A run that was cut short, or failed somewhere, is not kept.
"""

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypedDict, cast

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.project_context import ProjectContext
from oakum_lint.app.settings import Settings
from oakum_lint.app.signals import hold_ends
from oakum_lint.text.edits import Edit, Fix, Safety
from oakum_lint.text.finding import Confidence, Finding, Location, Related, Severity
from oakum_lint.text.reads import Reads, digest
from oakum_lint.text.regular_files import open_regular, read_regular
from oakum_lint.text.source import LARGEST_FILE, Unreadable, read_source

FOLDER: Final = ".oakum_cache"
_LARGEST: Final = 32 * 1024 * 1024
"""Bytes that the entries of one project take at most; the oldest go first. A run over the 240 files
of flax and optax takes 130 kB."""

Place = tuple[str, int, int, int, int]
StoredFix = tuple[str, list[tuple[int, int, str]], str, bool]
StoredFinding = tuple[
    Place, str, str, str, str, str, str, list[tuple[Place, str]], list[str], StoredFix | None
]


class Entry(TypedDict):
    """What an entry holds, as JSON."""

    read: dict[str, str]
    names: dict[str, dict[str, bool]]
    checked: int
    elsewhere: int
    findings: list[StoredFinding]


class RunCache:
    """The entry of one run."""

    def __init__(self, folder: str, key: str) -> None:
        self._folder = folder
        self._file = os.path.join(folder, "runs", f"{key}.json")

    def load(self) -> CheckResult | None:
        """The result of an equal run; None where none is kept."""
        data = _read_own(self._file)
        if data is None:
            return None
        checksum, _, body = data.partition(b"\n")
        if checksum.decode("ascii", "replace") != digest(body):
            return None
        try:
            entry = cast(Entry, json.loads(body))
            return _result(entry) if _is_current(entry) else None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # of another form, though its checksum is right

    def store(self, result: CheckResult, reads: Reads) -> None:
        """Keeps the result of a run that has analysed everything. A disk that is full or closed is
        no reason to fail.
        """
        if result.failures or result.incomplete:
            return
        body = json.dumps(_entry(result, reads), separators=(",", ":")).encode()
        with contextlib.suppress(OSError), hold_ends():
            _write(self._file, digest(body).encode() + b"\n" + body)
            _shrink(os.path.dirname(self._file))


def open_cache(
    context: ProjectContext, files: Sequence[str], settings: Settings
) -> RunCache | None:
    """The cache of a run; None outside of a project, and where others could write to it: that is
    said on standard error.
    """
    if not context.roots:
        return None
    from oakum.values.file_ownership import find_fault
    from oakum_lint.app.report.wording import one_line

    folder = os.path.join(context.roots[0], FOLDER)
    try:
        if not os.access(context.roots[0], os.W_OK):
            return None
        fault = find_fault(os.path.join(folder, "runs"), create=True)
        if fault is not None:
            print(
                one_line(f"oakum: note: nothing is kept in {folder}: {fault.reason}; {fault.fix}"),
                file=sys.stderr,
            )
            return None
        _sign(folder)
    except OSError:
        return None
    key = _key(context, files, settings)
    return None if key is None else RunCache(folder, key)


def clean(root: str) -> str | None:
    """Removes what is kept for a project; the folder that is gone, or None where there was none."""
    import shutil

    folder = os.path.join(root, FOLDER)
    if not os.path.isdir(folder) or os.path.islink(folder):
        return None
    shutil.rmtree(folder)
    return folder


def _sign(folder: str) -> None:
    """Says to Git, and to backup programs, that nothing in a folder is worth keeping."""
    for name, text in (
        (".gitignore", "*\n"),
        ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
    ):
        place = os.path.join(folder, name)
        if not os.path.lexists(place):
            with open(place, "x", encoding="ascii") as stream:
                stream.write(text)


# --- the key ----------------------------------------------------------------------------------


def _key(context: ProjectContext, files: Sequence[str], settings: Settings) -> str | None:
    """What stands for all that a run depends on and that is known before; None if a file cannot be
    read.
    """
    contents: list[str] = []
    for file in (*files, *context.dependents):
        try:
            data = read_regular(file, LARGEST_FILE)
            contents.append(f"{file}\0{os.path.realpath(file)}\0{digest(data)}")
        except (OSError, ValueError):
            return None
    own = (
        _own_files(),
        sys.version,
        os.getcwd(),
        repr([getattr(settings, name) for name in _SETTINGS]),
        repr((len(files), context.import_roots, context.roots)),
    )
    return digest("\n".join((*own, *contents)).encode(errors="surrogatepass"))


_SETTINGS: Final = (
    "root", "select", "ignore", "per_file_ignores", "min_confidence", "assume_traced",
    "entry_points", "trace_counters", "call_counters", "draw_flags", "still_flags",
    "max_seconds_per_root", "exclusion",
)  # fmt: skip
"""The settings on which findings depend."""


def _own_files() -> str:
    """What stands for the code of oakum itself, which changes without its version in a checkout."""
    import oakum
    import oakum_lint

    states: list[str] = []
    for package in (oakum, oakum_lint):
        base = os.path.dirname(package.__file__ or "")
        stack = [base]
        while stack:
            with os.scandir(stack.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        status = entry.stat()
                        states.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
                    elif entry.name != "__pycache__" and entry.is_dir():
                        stack.append(entry.path)
    return digest("\n".join(sorted(states)).encode(errors="surrogatepass"))


# --- entries ----------------------------------------------------------------------------------


def _entry(result: CheckResult, reads: Reads) -> Entry:
    return {
        "read": reads.files,
        "names": reads.names,
        "checked": result.checked,
        "elsewhere": result.elsewhere,
        "findings": [_stored(finding) for finding in result.findings],
    }


def _stored(finding: Finding) -> StoredFinding:
    fix = finding.fix
    return (
        _place(finding.location),
        finding.code,
        finding.name,
        finding.message,
        finding.hint,
        finding.severity.value,
        finding.confidence.value,
        [(_place(related.location), related.message) for related in finding.related],
        list(finding.notes),
        None
        if fix is None
        else (
            fix.title,
            [(edit.start, edit.end, edit.text) for edit in fix.edits],
            fix.safety.value,
            fix.everywhere,
        ),
    )


def _place(place: Location) -> Place:
    return (place.file, place.line, place.column, place.end_line, place.end_column)


def _finding(stored: StoredFinding) -> Finding:
    place, code, name, message, hint, severity, confidence, related, notes, fix = stored
    return Finding(
        Location(*place),
        code,
        name,
        message,
        hint,
        Severity(severity),
        Confidence(confidence),
        tuple(Related(Location(*at), why) for at, why in related),
        tuple(notes),
        None if fix is None else _fix(fix),
    )


def _fix(stored: StoredFix) -> Fix:
    title, edits, safety, everywhere = stored
    return Fix(title, tuple(Edit(*edit) for edit in edits), Safety(safety), everywhere)


def _result(entry: Entry) -> CheckResult:
    result = CheckResult()
    result.checked, result.elsewhere = entry["checked"], entry["elsewhere"]
    result.findings = [_finding(stored) for stored in entry["findings"]]
    result.statistics.update(finding.code for finding in result.findings)
    for file in {finding.location.file for finding in result.findings}:
        result.texts[file] = _text(file) or ""
    return result


def _is_current(entry: Entry) -> bool:
    """Whether the disk still answers as it did."""
    reads = Reads()
    for path, known in entry["read"].items():
        reads.note_file(path, _text(path))
        if reads.files[path] != known:
            return False
    return all(_lists(folder, asked) for folder, asked in entry["names"].items())


def _text(path: str) -> str | None:
    source = read_source(Path(path))
    return None if isinstance(source, Unreadable) else source.text


def _lists(folder: str, asked: dict[str, bool]) -> bool:
    try:
        listed = frozenset(os.listdir(folder))
    except OSError:
        listed = frozenset[str]()
    return all((name in listed or f"{name}.py" in listed) == known for name, known in asked.items())


# --- files ------------------------------------------------------------------------------------


def _read_own(file: str) -> bytes | None:
    """The bytes of a file that no other user could have written; None where there is none such."""
    from oakum.values.file_ownership import fault_of_file

    try:
        with open_regular(file, _LARGEST) as stream:
            if fault_of_file(file, os.fstat(stream.fileno())) is not None:
                return None
            data = stream.read()
        os.utime(file)  # the entries that are used last stay longest
    except OSError:
        return None
    return data


def _write(file: str, data: bytes) -> None:
    descriptor, draft = tempfile.mkstemp(dir=os.path.dirname(file), prefix="draft-")
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(draft, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def _shrink(folder: str) -> None:
    """Removes the entries that were not used for longest, until the rest is small enough."""
    entries: list[tuple[int, int, str]] = []
    with os.scandir(folder) as scan:
        for entry in scan:
            status = entry.stat(follow_symlinks=False)
            entries.append((status.st_mtime_ns, status.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= _LARGEST:
            return
        with contextlib.suppress(OSError):  # no file, or gone by another process
            os.unlink(path)
            total -= size
