"""Where this installation came from, if that is a repository of the net.

An installation from a URL records it with its commit (PEP 610). Reports of such a one lead to the
pages of the codes as they were then, and `oakum init` writes the same version into a project. Those
of any other installation have no links; `oakum explain` shows the same pages.
"""

import functools
import json
from collections.abc import Mapping
from typing import cast

from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """A repository, and the commit that was installed from it."""

    url: str
    commit: str

    @property
    def requirement(self) -> str:
        """What pip installs the linter alone from."""
        return f"git+{self.url}@{self.commit}#subdirectory=lint"


def page_link(code: str) -> str:
    """The address of a code's page; "" where none is known."""
    found = origin()
    if found is None:
        return ""
    home = found.url.removesuffix("/").removesuffix(".git")
    return f"{home}/blob/{found.commit}/rules.md#{code.lower()}"


@functools.cache
def origin() -> Origin | None:
    """Where this installation came from; None where that is not known, or not on the net."""
    from importlib.metadata import PackageNotFoundError, distribution

    for name in ("oakum", "oakum-lint"):
        try:
            recorded = distribution(name).read_text("direct_url.json")
        except PackageNotFoundError:
            continue
        if recorded:
            return recorded_origin(recorded)
    return None


def recorded_origin(recorded: str) -> Origin | None:
    """What an installation has recorded of its origin.

    >>> git = '{"vcs": "git", "commit_id": "12ab"}'
    >>> recorded_origin('{"url": "https://example.org/me/oakum", "vcs_info": ' + git + '}')
    Origin(url='https://example.org/me/oakum', commit='12ab')
    >>> recorded_origin('{"url": "file:///home/me/oakum", "dir_info": {}}')
    """
    try:
        record = cast("Mapping[str, object]", json.loads(recorded))
        repository = cast("Mapping[str, object]", record["vcs_info"])
        found = Origin(str(record["url"]), str(repository["commit_id"]))
    except (ValueError, KeyError, TypeError):
        return None
    return found if found.url.startswith("https://") else None
