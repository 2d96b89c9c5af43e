"""Reuses of a random key that may be meant: evidence around them, which makes them likely."""

from collections.abc import Iterator
from typing import Literal

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.reporting import location_of
from oakum_lint.models.habits import BENCHMARK, SAYS_SAME_DRAWS, TEST_FILE
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location

Evidence = Literal["", "test", "comment"]
"""What says that a reuse may be meant: that it stands in a test or a benchmark, which compares
draws of one key; or a comment at one of the uses.
"""
LINES_ABOVE = 4
"""A comment about two statements stands above the first of them, and may be this long."""


def evidence_of(frame: Frame, node: nodes.Node, first: Location) -> Evidence:
    """What says that a reuse may be meant, which `frame` sees at `node` after that at `first`."""
    compares = TEST_FILE.match(frame.module.path.stem) is not None
    if compares or any(BENCHMARK.match(name) for name in _functions(frame)):
        return "test"
    return "comment" if _says_so(frame, node, first) else ""


def _functions(frame: Frame) -> Iterator[str]:
    """The names of the functions that run."""
    for caller in frame.callers():
        if caller.called.function is not None:
            yield caller.called.function.name


def _says_so(frame: Frame, node: nodes.Node, first: Location) -> bool:
    """Whether a comment above the two uses, at them or between them says that the draws are to be
    the same.
    """
    text = frame.unit.module.source.text
    here = location_of(frame.site(node))
    above = here.line - first.line if first.file == here.file else 0
    begin = frame.unit.base + node.start
    for _ in range(max(above, 0) + LINES_ABOVE):
        begin = max(0, text.rfind("\n", 0, begin))
    end = text.find("\n", frame.unit.base + node.end)
    lines = text[begin : end if end >= 0 else len(text)].split("\n")
    comments = " ".join(line.partition("#")[2] for line in lines if "#" in line)
    return SAYS_SAME_DRAWS.search(comments) is not None
