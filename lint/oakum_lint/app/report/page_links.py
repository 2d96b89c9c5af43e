"""Where the page of a code can be read, for those who installed oakum from a repository of the net.

Such an installation records its URL and commit (PEP 610), so its reports lead to the pages as they
were then. Those of any other installation have no links; `oakum explain` shows the same pages.
"""

import functools
import json
from collections.abc import Mapping
from typing import cast


def page_link(code: str) -> str:
    """The address of a code's page; "" where none is known."""
    pages = _pages()
    return f"{pages}#{code.lower()}" if pages else ""


@functools.cache
def _pages() -> str:
    from importlib.metadata import PackageNotFoundError, distribution

    for name in ("oakum", "oakum-lint"):
        try:
            recorded = distribution(name).read_text("direct_url.json")
        except PackageNotFoundError:
            continue
        if recorded:
            return pages_of(recorded)
    return ""


def pages_of(recorded: str) -> str:
    """The address of rules.md in the repository that an installation has recorded; "" if none.

    >>> git = '{"vcs": "git", "commit_id": "12ab"}'
    >>> pages_of('{"url": "https://example.org/me/oakum.git", "vcs_info": ' + git + '}')
    'https://example.org/me/oakum/blob/12ab/rules.md'
    >>> pages_of('{"url": "file:///home/me/oakum", "dir_info": {}}')
    ''
    """
    try:
        record = cast("Mapping[str, object]", json.loads(recorded))
        repository = cast("Mapping[str, object]", record["vcs_info"])
        url, commit = str(record["url"]), str(repository["commit_id"])
    except (ValueError, KeyError, TypeError):
        return ""
    if not url.startswith("https://"):
        return ""
    return f"{url.removesuffix('/').removesuffix('.git')}/blob/{commit}/rules.md"
