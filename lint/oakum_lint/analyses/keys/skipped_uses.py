"""Uses of a random key that a path leads past: `if noise: normal(key)`, and another use behind it.

Where the second use stands behind no test of its own, the key is used twice wherever the first one
runs. Behind another test it is, where both hold: tests of names that they do not share.
"""

from collections.abc import Iterable, Sequence

from oakum.values.records import dataclass, field
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
    other = [each for each in first if each not in second]
    if _exclude_each_other(body, earlier.start, node.start):
        return False
    tests = [_test(each) for each in own]
    left = _leaving(body, earlier.start, node.start)
    bound = _bound_by(other)
    if bound and bound & _names((*tests, *left)):
        return False
    others = [_test(each) for each in other]
    if not own:
        return not left or None in others or not _share(body, left, others)
    if not other or None in tests or None in others:
        return False
    return not _share(body, (*tests, *left), others)


def _share(
    body: Sequence[nodes.Node],
    tests: Sequence[nodes.Expression | None],
    others: Sequence[nodes.Expression | None],
) -> bool:
    """Whether tests ask for something that the other ones ask for, too, by whatever name."""
    return bool(_asked(body, tests) & _asked(body, others))


def _asked(body: Sequence[nodes.Node], tests: Iterable[nodes.Expression | None]) -> set[str]:
    """The names that tests ask for, and those by which the names of truth values were found."""
    names = _names(tests)
    pending = [*names]
    while pending:
        name = pending.pop()
        for node in walk(body):
            match node:
                case nodes.Assignment(targets=(nodes.Name(identifier=target),), value=value) if (
                    target == name and isinstance(value, _TRUTHS)
                ):
                    found = _names((value,)) - names
                    names |= found
                    pending += found
                case _:
                    pass
    return names


_TRUTHS = nodes.Comparison | nodes.BooleanOperation | nodes.UnaryOperation
"""What says whether something is so: `is_train = mode == "train"`."""


def _bound_by(branches: Sequence["Branch"]) -> set[str]:
    """The names and attributes that branches bind: a test of one says which branch has run."""
    return {
        name
        for branch in branches
        for part in walk(branch.body)
        if isinstance(part, nodes.Assignment)
        for name in _names(part.targets)
    }


def _leaving(body: Sequence[nodes.Node], start: int, end: int) -> list[nodes.Expression]:
    """The tests between two places behind which a function, or an iteration, is left."""
    return [
        node.test
        for node in walk(body)
        if isinstance(node, nodes.If) and start < node.start and node.end <= end
        if any(_leaves(branch) for branch in (node.body, node.orelse))
    ]


def _leaves(body: Sequence[nodes.Node]) -> bool:
    leaving = nodes.Return | nodes.Raise | nodes.Continue | nodes.Break
    return bool(body) and isinstance(body[-1], leaving)


def _exclude_each_other(body: Sequence[nodes.Node], start: int, end: int) -> bool:
    """Whether the second place is reached where the first one was not passed: behind what a `try`
    returns, and in the `else` of a loop that the first one leaves by `break`.
    """
    for node in walk(body):
        match node:
            case nodes.Try(body=tried) if _is_in(start, tried) and not _is_in(end, (node,)):
                if _leaves(tried):
                    return True
            case nodes.For(body=loop, orelse=orelse) | nodes.While(body=loop, orelse=orelse) if (
                _is_in(start, loop) and _is_in(end, orelse)
            ):
                return True
            case _:
                pass
    return False


@dataclass(frozen=True, slots=True)
class Branch:
    """A statement or expression that decides what runs, and what it has run of it."""

    node: nodes.Node
    index: int
    body: Sequence[nodes.Node] = field(compare=False)


def _is_in(position: int, body: Sequence[nodes.Node]) -> bool:
    return bool(body) and body[0].start <= position < body[-1].end


def _around(body: Sequence[nodes.Node], position: int) -> list[Branch]:
    """What decides whether a place is reached, and which branch of it the place is in."""
    found: list[Branch] = []
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
            if _is_in(position, branch):
                found.append(Branch(node, index, branch))
    return found


def _test(around: Branch) -> nodes.Expression | None:
    """The test that a place stands behind; None where something else decides."""
    match around.node:
        case nodes.If(test=test) | nodes.Conditional(test=test):
            return test
        case _:
            return None


def _names(tests: Iterable[nodes.Node | None]) -> set[str]:
    """The names and attributes that tests ask for."""
    names: set[str] = set()
    for part in walk(test for test in tests if test is not None):
        match part:
            case nodes.Name(identifier=name) | nodes.Attribute(attribute=name):
                names.add(name)
            case _:
                pass
    return names - {"self"}
