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
from collections.abc import Sequence

from oakum_lint.app.discover import discover
from oakum_lint.app.settings import Settings
from oakum_lint.text.imports.import_roots import CONFIGURED, configures, find_import_roots

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from oakum_lint.app.index.folder import CacheFolder

_REPOSITORY = (".git", ".hg", ".jj", ".svn")


class ProjectContext:
    """What is looked at beside the files that a run names."""

    __slots__ = ("_folders", "dependents", "has_root", "import_roots", "imported", "roots")

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
        self.import_roots: tuple[str, ...] = ()
        """Folders that modules of the project are imported from."""
        self._folders: list[CacheFolder | None] = []

    def open_folder(self) -> "CacheFolder | None":
        """The folder in which runs keep what they find, opened once; None where there is none."""
        if not self._folders:
            from oakum_lint.app.index.folder import open_folder

            self._folders.append(open_folder(self.roots[0]) if self.roots else None)
        return self._folders[0]


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
    named: Sequence[str], settings: Settings, project: str | None = None, *, keeps: bool = False
) -> ProjectContext:
    """The context of the named files; `project` is the root that the user has named. With `keeps`,
    what the files of a large project import is kept for later runs.
    """
    context = ProjectContext()
    folders = {os.path.dirname(os.path.abspath(file)) for file in named}
    found = {os.path.abspath(project)} if project else {find_root(folder) for folder in folders}
    context.has_root = None not in found
    roots = sorted(root for root in found if root is not None)
    context.roots = tuple(roots)
    if not roots:
        return context
    files = discover([_shown(root) for root in roots], settings).files
    import_roots = find_import_roots(roots, files)
    context.import_roots = tuple(import_roots)
    if not set(files).difference(named):
        return context
    from oakum_lint.app.index.import_table import open_table

    folder = context.open_folder() if keeps and len(files) > _MANY else None
    table = open_table((*files, *named), roots, import_roots, folder)
    own = {table.number(file) for file in named}
    further = {file: number for file in files if (number := table.number(file)) not in own}
    importing = table.importing(own)
    context.dependents = tuple(file for file, number in further.items() if number in importing)
    bearing = {number for number in own if table.bears_tracers(number)}
    imported = table.imported_by(own - bearing, closed=bearing)
    context.imported = tuple(
        file
        for file, number in further.items()
        if number in imported and table.bears_tracers(number)
    )
    return context


def _shown(root: str) -> str:
    """A root as names of files begin with it; the working directory is `.`."""
    try:
        return os.path.relpath(root)
    except ValueError:  # another drive on Windows
        return root


_MANY = 100
"""Of so many files, what they import is read in less time than a table of it."""
