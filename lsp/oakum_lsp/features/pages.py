"""The pages that the codes of diagnostics link to: files of Markdown in the user's cache.

An editor opens such a link beside the code, without a network. A page is written when a diagnostic
first links to it; where that is not possible, or other users could replace it, there is no link.
"""

import os
from functools import cache
from pathlib import Path

from oakum.values import file_ownership
from oakum.version import __version__
from oakum_lint.rules import catalogue, page


@cache
def href(code: str) -> str | None:
    """The URI of the page of a code."""
    entry = catalogue.find(code)
    if entry is None:
        return None
    try:
        directory = _cache_directory() / "pages" / __version__
        if file_ownership.find_fault(str(directory), create=True) is not None:
            return None
        file = directory / f"{entry.code}.md"
        # Written aside and moved: another server may be writing the same page.
        draft = directory / f"{entry.code}.{os.getpid()}.tmp"
        draft.write_text(f"# {page.text(entry)}", encoding="utf-8")
        draft.replace(file)
    except (OSError, RuntimeError, ValueError):  # no home directory, or no right to write there
        return None
    return file.as_uri()


def _cache_directory() -> Path:
    chosen = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(chosen) if chosen else Path.home() / ".cache") / "oakum"
