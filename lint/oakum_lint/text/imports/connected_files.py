"""The files that imports connect with a file: its callers, and what Python runs along with it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from oakum_lint.text.imports.import_graph import (
    Files,
    hooks_before,
    imported_files,
    initialisers,
)


class ConnectedFiles:
    """The files of a project by what they import. All paths are real."""

    def __init__(
        self,
        checked: Collection[Path],
        text: Callable[[Path], str],
        disk: Files,
        real_path: Callable[[Path], Path],
    ) -> None:
        self._checked = checked
        """The files under analysis."""
        self._text = text
        self._disk = disk
        self._real_path = real_path
        self._imported: dict[Path, tuple[Path, ...]] = {}
        """The files that a file imports."""
        self._run: dict[Path, tuple[Path, ...]] = {}
        """Those, and what runs before the file itself."""
        self._connected: set[Path] = set()
        self._neighbours: defaultdict[Path, dict[Path, None]] = defaultdict(dict)
        """The files that those of `_connected` import, and those that import them; in an order that
        is that of each run, as who asks stops at the first that answers."""
        self._run_with: dict[Path, tuple[Path, ...]] = {}
        """What runs with a file: one answer for all files that imports connect."""

    def around(self, asked: Path) -> Iterator[Path]:
        """A file, and the files under analysis that imports connect with it."""
        yield asked
        # A file that is not under analysis counts where it is asked for.
        if not self._connected:
            for path in self._checked:
                self._connect(path)
        self._connect(asked)
        seen = {asked}
        stack = list(self._neighbours[asked])
        while stack:
            path = stack.pop()
            if path not in seen and path in self._checked:
                yield path
                seen.add(path)
                stack.extend(self._neighbours[path])

    def run_with(self, asked: Path) -> tuple[Path, ...]:
        """What is around a file, the packages that these are in, and what all of that imports:
        under analysis or not, Python runs it with them. No two answers begin with the same file.
        """
        if asked not in self._run_with:
            around = [*self.around(asked)]
            # Who stops at the first that answers stops at the same one, whoever asks first. In
            # 100,000 files that imports connect, to go over all of them for each one that asks
            # took more than fifteen minutes.
            shared = sorted(around) if asked in self._checked else around
            found = dict.fromkeys(shared)
            stack = [*found]
            while stack:
                for path in self._runs(stack.pop()):
                    if path not in found:
                        found[path] = None
                        stack.append(path)
            answer = (*found,)
            for path in shared if asked in self._checked else (asked,):
                self._run_with[path] = answer
        return self._run_with[asked]

    def _connect(self, path: Path) -> None:
        """Notes which files a file imports."""
        if path not in self._connected:
            self._connected.add(path)
            for other in self._imports(path):
                self._neighbours[path][other] = None
                self._neighbours[other][path] = None

    def _runs(self, path: Path) -> Sequence[Path]:
        """The files that a file imports, and those that run before it where it is imported, or
        where it is tested.
        """
        found = self._run.get(path)
        if found is None:
            before = (*initialisers(path, self._disk), *hooks_before(path, self._disk))
            found = (*self._imports(path), *before)
            self._run[path] = found
        return found

    def _imports(self, path: Path) -> Sequence[Path]:
        """The files that a file imports."""
        found = self._imported.get(path)
        if found is None:
            imported = imported_files(path, self._text(path), self._disk)
            real = (each if each in self._checked else self._real_path(each) for each in imported)
            found = self._imported[path] = tuple(real)
        return found
