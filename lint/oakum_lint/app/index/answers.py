"""Whether the disk still answers as it did when an analysis asked it."""

import os
from collections.abc import Callable

from oakum_lint.text.reads import Answers


class Disk:
    """The disk of today: each question is asked once in a run."""

    __slots__ = ("_digest", "_listed")

    def __init__(self, digest: Callable[[str], str]) -> None:
        self._digest = digest
        self._listed: dict[str, frozenset[str]] = {}

    def answers_so(self, answers: Answers) -> bool:
        """Whether it gives all these answers."""
        return (
            all(os.path.realpath(path) == real for path, real in answers["links"].items())
            and all(self._lists(folder, asked) for folder, asked in answers["names"].items())
            and all(os.path.isfile(path) == known for path, known in answers["places"].items())
            and all(self._digest(path) == known for path, known in answers["files"].items())
        )

    def _lists(self, folder: str, asked: dict[str, bool]) -> bool:
        listed = self._listed.get(folder)
        if listed is None:
            try:
                listed = frozenset(os.listdir(folder))
            except OSError:
                listed = frozenset[str]()
            self._listed[folder] = listed
        return all(
            (name in listed or f"{name}.py" in listed) == known for name, known in asked.items()
        )
