"""Which files a run checks: the named paths, and the Python files and notebooks below the
directories among them, documents too where that is asked for.

Invariants:
- The order is stable: by name within a directory, files before the directories beside them.
- A file named on the command line is always checked, whatever its suffix; with `force_exclude`
  the patterns of `exclude` hold for it too.
- Symbolic links to directories are not followed below a named directory, so no walk goes in a
  circle or reports a file twice; links to files are checked.
- `.gitignore` files count inside a Git repository, as they do for Git: those above the checked
  directory too, the deepest last.
- A directory that cannot be read is a problem to report, not an end.
"""

import os
from collections.abc import Iterator, Sequence

from oakum_lint.app.settings import Settings
from oakum_lint.text.globs import PatternSet
from oakum_lint.text.notebook.names import is_document, is_notebook
from oakum_lint.text.regular_files import read_regular


class Discovery:
    """The content of the paths: files to check, and directories that cannot be read."""

    __slots__ = ("files", "missing", "unreadable")

    def __init__(self) -> None:
        self.files: list[str] = []
        self.missing: list[str] = []
        self.unreadable: list[tuple[str, str]] = []


def discover(paths: Sequence[str], settings: Settings) -> Discovery:
    """Finds the files to check; their names are relative to the working directory if in it."""
    result = Discovery()
    seen: set[str] = set()
    working_directory = os.getcwd()
    for path in paths:
        shown = _shown(path, working_directory)
        if not os.path.lexists(path):
            result.missing.append(path)
        elif os.path.isdir(path):
            for file, absolute in _walk(shown, settings, result):
                _add(file, absolute, result, seen)
        elif not (settings.force_exclude and settings.excludes(os.path.abspath(path))):
            _add(shown, os.path.abspath(shown), result, seen)
    return result


def _add(file: str, absolute: str, result: Discovery, seen: set[str]) -> None:
    if absolute not in seen:
        seen.add(absolute)
        result.files.append(file)


def _shown(path: str, working_directory: str) -> str:
    absolute = os.path.normpath(os.path.join(working_directory, path))
    if absolute == working_directory:
        return "."
    if absolute.startswith(working_directory.rstrip(os.sep) + os.sep):
        return absolute[len(working_directory.rstrip(os.sep)) + 1 :]
    return os.path.normpath(path)


class _Directory:
    """A directory on the walk; `ignores` holds the directories and patterns of its ignore files."""

    __slots__ = ("absolute", "ignores", "in_repository", "shown")

    def __init__(
        self,
        shown: str,
        absolute: str,
        in_repository: bool,
        ignores: tuple[tuple[str, PatternSet], ...],
    ) -> None:
        self.shown = shown
        self.absolute = absolute
        self.in_repository = in_repository
        self.ignores = ignores


def _walk(root: str, settings: Settings, result: Discovery) -> Iterator[tuple[str, str]]:
    """The files below a directory, as they are shown and by their absolute paths."""
    absolute = os.path.abspath(root)
    in_repository, ignores = _enclosing_ignores(absolute, settings)
    stack = [_Directory("" if root == "." else root, absolute, in_repository, ignores)]
    while stack:
        directory = stack.pop()
        try:
            with os.scandir(directory.absolute) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            result.unreadable.append((directory.shown or ".", error.strerror or str(error)))
            continue
        names = {entry.name for entry in entries}
        if "pyvenv.cfg" in names and directory.absolute != absolute:
            continue  # a virtual environment under whatever name
        ignores = directory.ignores
        in_repository = directory.in_repository or ".git" in names
        if settings.respect_gitignore and in_repository:
            ignores = _with_ignore_file(ignores, directory.absolute, names)
        below: list[_Directory] = []
        shown_before = os.path.join(directory.shown, "")
        path_before = os.path.join(directory.absolute, "")
        for entry in entries:
            shown, path = shown_before + entry.name, path_before + entry.name
            if _is_directory(entry):
                if not entry.is_symlink() and not _is_ignored(path, True, ignores, settings):
                    below.append(_Directory(shown, path, in_repository, ignores))
            elif _is_checked(entry.name, settings) and not _is_ignored(
                path, False, ignores, settings
            ):
                yield shown, path
        stack.extend(reversed(below))


def _is_checked(name: str, settings: Settings) -> bool:
    return name.endswith(".py") or is_notebook(name) or (settings.documents and is_document(name))


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads back to itself: reading it will say so
        return False


def _is_ignored(
    path: str, is_directory: bool, ignores: tuple[tuple[str, PatternSet], ...], settings: Settings
) -> bool:
    if settings.excludes_entry(path, is_directory):
        return True
    for base, patterns in reversed(ignores):
        decision = patterns.decide(relative(path, base), is_directory)
        if decision is not None:
            return decision
    return False


def relative(path: str, base: str) -> str:
    """The path below `base`, with `/` between its parts; any other path is unchanged."""
    prefix = base.rstrip(os.sep) + os.sep
    path = path.removeprefix(prefix)
    return path if os.sep == "/" else path.replace(os.sep, "/")


def _enclosing_ignores(
    directory: str, settings: Settings
) -> tuple[bool, tuple[tuple[str, PatternSet], ...]]:
    """Whether a Git repository holds the directory, and the ignore files above the directory."""
    if not settings.respect_gitignore:
        return False, ()
    above: list[str] = []
    current = directory
    while not os.path.lexists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return False, ()
        current = parent
        above.append(current)
    ignores: tuple[tuple[str, PatternSet], ...] = ()
    exclude = _read_patterns(os.path.join(current, ".git", "info", "exclude"))
    if exclude is not None:
        ignores = ((current, exclude),)
    for path in reversed(above):
        ignores = _with_ignore_file(ignores, path, {".gitignore"})
    return True, ignores


def _with_ignore_file(
    ignores: tuple[tuple[str, PatternSet], ...], directory: str, names: set[str]
) -> tuple[tuple[str, PatternSet], ...]:
    if ".gitignore" not in names:
        return ignores
    patterns = _read_patterns(os.path.join(directory, ".gitignore"))
    return ignores if patterns is None else (*ignores, (directory, patterns))


def _read_patterns(path: str) -> PatternSet | None:
    try:
        text = read_regular(path, _LARGEST).decode(errors="surrogateescape")
    except OSError:
        return None
    return PatternSet(text.split("\n"))


_LARGEST = 8 * 1024 * 1024
