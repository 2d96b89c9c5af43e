"""The folders that are open in the editor, and which project a document belongs to.

Invariants:
- A folder that the editor names is the root of a project, as `oakum check --project` names one;
  where it names none, the root is looked for above the document.
- The user's home directory and the root of the file system are no project: all that is below them
  would be read.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Final

from oakum_lint.app.project_context import find_root
from oakum_lsp.documents import Document, is_file, path_of
from oakum_lsp.parameters import Reader
from oakum_lsp.protocol import Registration

WATCHED: Final = ("**/*.py", "**/pyproject.toml", "**/setup.cfg", "**/.gitignore")
"""The files on which findings depend: modules, what configures a check or import roots, and what
says which files are looked at."""

WATCHING: Final[Registration] = {
    "id": "oakum-watched-files",
    "method": "workspace/didChangeWatchedFiles",
    "registerOptions": {"watchers": [{"globPattern": each} for each in WATCHED]},
}


class Workspace:
    """The folders of one editor."""

    def __init__(self) -> None:
        self._folders: list[str] = []

    def initialize(self, params: Reader) -> None:
        """Takes the folders from the parameters of `initialize`."""
        if params.has("workspaceFolders"):
            self._add(params.member("workspaceFolders"))
        elif params.has("rootUri"):
            self._folders += _folders(params.member("rootUri").text())
        elif params.has("rootPath"):
            self._folders.append(os.path.abspath(params.member("rootPath").text()))

    def change(self, event: Reader) -> None:
        """Adds and removes folders."""
        gone = list(_paths(event.member("removed")))
        self._folders = [folder for folder in self._folders if folder not in gone]
        self._add(event.member("added"))

    def _add(self, folders: Reader) -> None:
        self._folders += _paths(folders)

    def roots(self) -> list[str]:
        """The folders that are projects, without those that lie in another one."""
        known = sorted({folder for folder in self._folders if _may_be_root(folder)}, key=len)
        return [
            folder
            for place, folder in enumerate(known)
            if not any(_lies_in(folder, other) for other in known[:place])
        ]

    def roots_of(self, documents: Iterable[Document]) -> dict[str, str]:
        """The root of the project of each document that lies in one, by its URI."""
        roots: dict[str, str | None] = {}
        found: dict[str, str] = {}
        for document in documents:
            if is_file(document.file_uri):
                folder = os.path.dirname(os.path.abspath(document.path))
                if folder not in roots:
                    roots[folder] = self._find(folder)
                root = roots[folder]
                if root is not None:
                    found[document.uri] = root
        return found

    def _find(self, folder: str) -> str | None:
        around = [root for root in self._folders if _lies_in(folder, root) and _may_be_root(root)]
        # The widest: a folder that is open by itself too is a part of what surrounds it.
        return min(around, key=len) if around else find_root(folder)


def _paths(folders: Reader) -> Iterator[str]:
    for folder in folders.items():
        yield from _folders(folder.member("uri").text())


def _folders(uri: str) -> Iterator[str]:
    """The folder that a URI names; none where it is on another machine, or in an archive."""
    if is_file(uri):
        yield os.path.abspath(path_of(uri))


def _lies_in(folder: str, root: str) -> bool:
    return f"{folder}{os.sep}".startswith(os.path.join(root, ""))


def _may_be_root(folder: str) -> bool:
    return folder != os.path.expanduser("~") and os.path.dirname(folder) != folder
