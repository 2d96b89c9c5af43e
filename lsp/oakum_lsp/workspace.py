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

WATCHED: Final = ("**/*.py", "**/pyproject.toml", "**/setup.cfg")
"""The files on which findings depend: modules, and what configures a check or import roots."""

WATCHING: Final[Registration] = {
    "id": "oakum-watched-files",
    "method": "workspace/didChangeWatchedFiles",
    "registerOptions": {"watchers": [{"globPattern": each} for each in WATCHED]},
}


class Workspace:
    """The folders of one editor, and what it can do for them."""

    def __init__(self) -> None:
        self._folders: list[str] = []
        self.can_watch = False
        """Whether the editor says which files change, once it is asked to."""

    def initialize(self, params: Reader) -> None:
        """Takes the folders from the parameters of `initialize`."""
        if params.has("workspaceFolders"):
            self._add(params.member("workspaceFolders"))
        elif params.has("rootUri"):
            self._folders += _folders(params.member("rootUri").text())
        elif params.has("rootPath"):
            self._folders.append(os.path.abspath(params.member("rootPath").text()))
        self.can_watch = _can_watch(params.member("capabilities"))

    def change(self, event: Reader) -> None:
        """Adds and removes folders."""
        gone = list(_paths(event.member("removed")))
        self._folders = [folder for folder in self._folders if folder not in gone]
        self._add(event.member("added"))

    def _add(self, folders: Reader) -> None:
        self._folders += _paths(folders)

    def roots_of(self, documents: Iterable[Document]) -> dict[str, str]:
        """The root of the project of each document that lies in one, by its URI."""
        roots: dict[str, str | None] = {}
        found: dict[str, str] = {}
        for document in documents:
            if is_file(document.uri):
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


def _can_watch(capabilities: Reader) -> bool:
    for name in ("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
        if not capabilities.has(name):
            return False
        capabilities = capabilities.member(name)
    return capabilities.value is True
