"""What the linter finds in a cell before it runs: the cells that were run are its program.

The linter is a command of its own, which reads the cells as a notebook; it runs none of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

_SECONDS: Final = 5.0
"""A cell waits so long for what is found in it, and then runs without."""
_OPTIONS: Final = (
    *("--isolated", "--no-cache", "--min-confidence", "proved"),
    *("--output-format", "json"),
)


class Cells:
    """The cells of a session in the order in which they were run."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self._texts: Final = list(texts)

    def check(self, text: str) -> list[str]:
        """Adds a cell that is going to run, and returns what is found in it, each as a text."""
        self._texts.append(text)
        with tempfile.TemporaryDirectory(prefix="oakum-") as folder:
            path = os.path.join(folder, "session.ipynb")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(_notebook(self._texts), file)
            command = [sys.executable, "-P", "-m", "oakum", "check", *_OPTIONS, path]
            try:
                done = subprocess.run(
                    command, cwd=folder, capture_output=True, timeout=_SECONDS, check=False
                )
                found: Any = json.loads(done.stdout)
                return list(_texts_of(found, len(self._texts)))
            except (OSError, ValueError, KeyError, subprocess.TimeoutExpired):
                return []  # The cell runs, and what it does is checked.


def _texts_of(found: Sequence[Mapping[str, Any]], cell: int) -> Iterator[str]:
    """Yields what was found in a cell; what a check says of itself is left out."""
    for each in found:
        if each.get("cell") == cell and not each["code"].startswith("OAK0"):
            first = f"cell {cell}, line {each['line']}: {each['code']} {each['message']}"
            yield "\n".join([first, *each["notes"], each["help"]])


def _notebook(texts: Sequence[str]) -> dict[str, object]:
    """Returns cells in the form of notebooks."""
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": text,
        }
        for number, text in enumerate(texts)
    ]
    metadata = {"language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
