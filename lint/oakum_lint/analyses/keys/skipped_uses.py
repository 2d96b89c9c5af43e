"""Uses of a random key that a path leads past: `if noise: normal(key)`, and another use behind it.

Where the second use stands behind no test of its own, the key is used twice wherever the first one
runs. Behind another test it is, where both hold: tests of names that they do not share.
"""

from collections.abc import Iterable, Sequence

from oakum_lint.domain.callables import Site
from oakum_lint.domain.frames import Frame
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

SKIPPED = "a path leads past the first use: whether both run, a test decides"


def may_both_run(
    frame: Frame, node: nodes.Node, earlier: Site, led_to: Iterable[tuple[Frame, nodes.Node]]
) -> bool:
    """Whether a use that a frame sees runs where an earlier one has run that a path leads past, as
    far as the tests say behind which they stand; `led_to` are the frames that the call at the node
    has led to, and where they go on.
    """
    if earlier.unit is not frame.unit or earlier.start >= node.start:
        return False
    if any(each.guards for each, _ in led_to if each is not frame):
        return False
    function = frame.called.function
    body = frame.unit.body if function is None else (function.definition,)
    first, second = _around(body, earlier.start), _around(body, node.start)
    own = [each for each in second if each not in first]
    if not own:
        return True
    tests = [_test(each) for each in own]
    other = [_test(each) for each in first if each not in second]
    if not other or None in tests or None in other:
        return False
    return not _names(tests) & _names(other)


def _around(body: Sequence[nodes.Node], position: int) -> list[tuple[nodes.Node, int]]:
    """What decides whether a place is reached, and which branch of it the place is in."""
    found: list[tuple[nodes.Node, int]] = []
    for node in walk(body):
        if not node.start <= position < node.end:
            continue
        match node:
            case nodes.If(body=one, orelse=other):
                branches: Sequence[Sequence[nodes.Node]] = (one, other)
            case nodes.Conditional(body=one, orelse=other):
                branches = ((one,), (other,))
            case nodes.BooleanOperation(operands=(_, *others)):
                branches = (others,)
            case nodes.Match(cases=cases):
                branches = [(case,) for case in cases]
            case nodes.Try(handlers=handlers):
                branches = [(handler,) for handler in handlers]
            case _:
                continue
        for index, branch in enumerate(branches):
            if branch and branch[0].start <= position < branch[-1].end:
                found.append((node, index))
    return found


def _test(around: tuple[nodes.Node, int]) -> nodes.Expression | None:
    """The test that a place stands behind; None where something else decides."""
    match around[0]:
        case nodes.If(test=test) | nodes.Conditional(test=test):
            return test
        case _:
            return None


def _names(tests: Iterable[nodes.Expression | None]) -> set[str]:
    """The names and attributes that tests ask for."""
    names: set[str] = set()
    for part in walk(test for test in tests if test is not None):
        match part:
            case nodes.Name(identifier=name) | nodes.Attribute(attribute=name):
                names.add(name)
            case _:
                pass
    return names - {"self"}
