"""The project around the files that a run names: its root, and the files that trace what they hold.

A function is traced where it is called, which is often another file: a check of one file alone is a
check without its callers. The root of the project is the nearest folder above a file that is under
version control, else the nearest one that a build or packaging tool configures.

Invariants:
- Files are looked for below the root as `discover` looks for them: with its excludes and ignores.
- No module of the project is imported or run, and none of its files is parsed here: import lines
  are read as text.
"""

import os
from collections.abc import Iterable, Mapping, Sequence

from oakum_lint.app.discover import discover
from oakum_lint.app.settings import Settings
from oakum_lint.text import sieve
from oakum_lint.text.imports.import_roots import CONFIGURED, configures, find_import_roots
from oakum_lint.text.notebook.names import is_notebook
from oakum_lint.text.regular_files import read_regular

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from pathlib import Path

_REPOSITORY = (".git", ".hg", ".jj", ".svn")


class ProjectContext:
    """What is looked at beside the files that a run names."""

    __slots__ = ("dependents", "has_root", "import_roots", "imported", "roots")

    def __init__(self) -> None:
        self.has_root = True
        """Whether each named file lies in a project; where one does not, its callers are not seen.
        """
        self.roots: tuple[str, ...] = ()
        self.dependents: tuple[str, ...] = ()
        """The files of the project that import a named file, directly or through others of it."""
        self.imported: tuple[str, ...] = ()
        """The files of the project that import a library with tracers, and that a named file which
        imports none itself imports, directly or through others.
        """
        self.import_roots: tuple[Path, ...] = ()
        """Folders that modules of the project are imported from."""


def find_root(path: str) -> str | None:
    """The root of the project that a file or a directory lies in; None where there is none.

    The user's home directory is no project, though some keep it under version control.
    """
    home = os.path.expanduser("~")
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    built: str | None = None
    while True:
        parent = os.path.dirname(folder)
        if folder != home and parent != folder:
            if any(os.path.lexists(os.path.join(folder, name)) for name in _REPOSITORY):
                return folder
            if built is None and any(configures(folder, name) for name in CONFIGURED):
                built = folder
        if parent == folder:
            return built
        folder = parent


def project_context(
    named: Sequence[str], settings: Settings, project: str | None = None
) -> ProjectContext:
    """The context of the named files; `project` is the root that the user has named."""
    context = ProjectContext()
    folders = {os.path.dirname(os.path.abspath(file)) for file in named}
    found = {os.path.abspath(project)} if project else {find_root(folder) for folder in folders}
    context.has_root = None not in found
    roots = sorted(root for root in found if root is not None)
    context.roots = tuple(roots)
    if not roots:
        return context
    files = discover([_shown(root) for root in roots], settings).files
    known = {os.path.realpath(file) for file in named}
    further = [file for file in files if os.path.realpath(file) not in known]
    from pathlib import Path

    context.import_roots = tuple(Path(root) for root in find_import_roots(roots, files))
    if further:
        texts = {file: _read(file) for file in further}
        context.dependents = _dependents(named, texts, context.import_roots)
        context.imported = _imported(named, texts, context.import_roots)
    return context


def _shown(root: str) -> str:
    """A root as names of files begin with it; the working directory is `.`."""
    try:
        return os.path.relpath(root)
    except ValueError:  # another drive on Windows
        return root


def _dependents(
    named: Sequence[str], texts: Mapping[str, str], import_roots: "Sequence[Path]"
) -> tuple[str, ...]:
    """The files with these texts that import a named one, directly or through others of them."""
    from pathlib import Path

    from oakum_lint.text.imports.import_graph import reaching
    from oakum_lint.text.source import real_path

    words = {_imported_as(os.path.abspath(file)) for file in named}
    if len(words) <= _FEW and not _is_any_said(words, texts.values()):
        return ()
    by_path = {real_path(Path(file)): text for file, text in texts.items()}
    starts = [real_path(Path(file)) for file in named]
    reached = reaching(starts, by_path | {path: _read(str(path)) for path in starts}, import_roots)
    return tuple(file for file in texts if real_path(Path(file)) in reached)


def _imported(
    named: Sequence[str], texts: Mapping[str, str], import_roots: "Sequence[Path]"
) -> tuple[str, ...]:
    """The files with these texts that import a library with tracers, and that named files without
    such an import reach.
    """
    bearing = [file for file, text in texts.items() if sieve.names_library(text)]
    starts = {file: text for file in named if not sieve.names_library(text := _read(file))}
    if not bearing or not starts:
        return ()
    from pathlib import Path

    from oakum_lint.text.imports.import_graph import reached_from
    from oakum_lint.text.source import real_path

    everything = {**texts, **starts}
    by_path = {real_path(Path(file)): text for file, text in everything.items()}
    reached = reached_from([real_path(Path(file)) for file in starts], by_path, import_roots)
    return tuple(file for file in bearing if real_path(Path(file)) in reached)


_FEW = 20
"""So many names are looked for one by one before the import lines of all files are read."""


def _imported_as(file: str) -> str:
    """The last part of the name by which a file is imported."""
    stem = os.path.splitext(os.path.basename(file))[0]
    return os.path.basename(os.path.dirname(file)) if stem == "__init__" else stem


def _is_any_said(words: Iterable[str], texts: Iterable[str]) -> bool:
    joined = list(texts)
    return any(word in text for word in words for text in joined)


def _read(file: str) -> str:
    """The text of a file as far as import lines need it; "" where it cannot be read."""
    try:
        data = read_regular(file, _LARGEST)
    except (OSError, ValueError):
        return ""
    if is_notebook(file):
        from oakum_lint.text.source import Undecodable, decode_file

        text = decode_file(file, data)
        return "" if isinstance(text, Undecodable) else text
    return data.decode(errors="replace")


_LARGEST = 8 * 1024 * 1024
