"""What code keeps on its first run alone: `if self.table is None: self.table = ...`.

Where no call of the traced function is seen, other code may have run it before, outside the trace:
then nothing of the trace is kept.
"""

from collections.abc import Iterator, Sequence

from oakum_lint.analyses.closed_world.paths import Path
from oakum_lint.domain.frames import Frame, is_seen_to_run
from oakum_lint.domain.project import location_of
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location
from oakum_lint.text.names import has_word


def kept_once(frame: Frame, path: Path) -> Iterator[tuple[Location, str]]:
    """Yields the tests, in code that is traced, that have what stands at the end of a path run
    once.
    """
    if (
        frame.trace is None
        or is_seen_to_run(frame)
        or not path
        or not isinstance(path[-1][0], nodes.Assignment)
    ):
        return
    names = {
        target.attribute if isinstance(target, nodes.Attribute) else frame.text(target.value)
        for target in path[-1][0].targets
        if isinstance(target, nodes.Attribute | nodes.Subscript)
    }
    for statement, before in path:
        for test in _tests(statement, before):
            text = frame.text(test)
            kept = next((name for name in sorted(names) if has_word(text, name)), None)
            if kept is not None:
                at = location_of(frame.site(test))
                yield at, f"`{kept}` is bound on the first run alone, and no run of it is seen"


def _tests(statement: nodes.Node, before: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
    """Yields what is asked before a statement runs."""
    if isinstance(statement, nodes.If):
        yield statement.test
    for earlier in before:
        if isinstance(earlier, nodes.If) and isinstance(earlier.body[-1], nodes.Return):
            yield earlier.test
