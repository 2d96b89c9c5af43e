"""The texts of a run: each file is read once, whatever asks for it."""

import time
from collections.abc import Mapping
from pathlib import Path

from oakum_lint.app.index.file_states import FileStates, RealPaths
from oakum_lint.text.reads import digest_of_text
from oakum_lint.text.source import Source, Unreadable, read_source, real_path


class Texts:
    """The files of a run, from the disk or as an editor has changed them.

    Invariant: of one file, all parts of a run see the same text.
    """

    __slots__ = (
        *("_digests", "_overlay", "_paths", "_real", "_seen", "_since", "_sources", "_states"),
        "listed",
    )

    def __init__(self, overlay: Mapping[Path, str], states: FileStates | None = None) -> None:
        self._since = time.time_ns()
        """When the run began: none of the files was read before."""
        self._states = FileStates() if states is None else states
        self._paths = RealPaths()
        self._overlay = {real_path(path): text for path, text in overlay.items()}
        self._seen = {*map(str, self._overlay)}
        """The real paths of the files whose texts do not come from the disk as it is."""
        self._real: dict[Path, Path] = {}
        self._sources: dict[Path, Source | Unreadable] = {}
        self._digests: dict[Path, str] = {}
        self.listed: dict[str, frozenset[str]] = {}
        """What the folders hold in which modules were looked for."""

    def real_path(self, path: Path) -> Path:
        """The path without links, looked up once."""
        found = self._real.get(path)
        if found is None:
            found = self._real[path] = Path(self._paths.look(str(path))[0])
        return found

    def source(self, path: Path) -> Source | Unreadable:
        """The text of a file, under the name by which it is asked for first."""
        resolved = self.real_path(path)
        found = self._sources.get(resolved)
        if found is None:
            text = self._overlay.get(resolved)
            found = Source.from_text(text, path) if text is not None else read_source(path)
            self._sources[resolved] = found
            self._seen.add(str(resolved))
        return found

    def text(self, path: Path) -> str | None:
        """The text of a file; None where it cannot be read."""
        source = self.source(path)
        return None if isinstance(source, Unreadable) else source.text

    def digest(self, path: Path) -> str:
        """What stands for the text of a file, or for the one that the run has read of it; "" where
        it cannot be read.
        """
        resolved = self.real_path(path)
        if resolved not in self._sources and resolved not in self._overlay:
            return self._states.digest(str(resolved), self._since)
        if resolved not in self._digests:
            text = self.text(path)
            self._digests[resolved] = "" if text is None else digest_of_text(text)
        return self._digests[resolved]

    def digest_at(self, path: str) -> str:
        """The digest of a file by its real path as text. An editor's check asks for that of each
        file which its documents import.
        """
        if path in self._seen:
            return self.digest(Path(path))
        return self._states.digest(path, self._since)
