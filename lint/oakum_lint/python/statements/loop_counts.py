"""How many iterations loops have, and what they count with."""

from oakum_lint.arrays.integer_ranges import integer
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import External, Items
from oakum_lint.models.host.objects import PASSING_ITEMS
from oakum_lint.python.objects.containers import iterate
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import SAYS_RANGE


def count_of(numbers: range) -> int:
    """Returns the length of a range; `len` fails where a machine word does not hold it.

    >>> count_of(range(10**40)), count_of(range(7, 0, -2)), count_of(range(3, 1))
    (10000000000000000000000000000000000000000, 4, 0)
    """
    return max(0, -((numbers.stop - numbers.start) // -numbers.step))


def counted_iterations(machine: Machine, node: nodes.While, frame: Frame) -> int | None:
    """How many iterations `while i < n` has, where the body adds a constant to `i` in each."""
    test = node.test
    if not isinstance(test, nodes.Comparison) or len(test.operators) != 1:
        return None
    counter, step = test.left, None
    if not isinstance(counter, nodes.Name) or test.operators[0] not in ("<", "<=", ">", ">=", "!="):
        return None
    for statement in node.body:
        match statement:
            case nodes.AugmentedAssignment(
                target=nodes.Name(identifier=name), operator="+" | "-" as sign
            ) if name == counter.identifier:
                step = integer(machine.look(statement.value, frame))
                step = -step if step is not None and sign == "-" else step
            case _:
                pass
    start = integer(machine.look(counter, frame))
    end = integer(machine.look(test.comparators[0], frame))
    if start is None or end is None or not step:
        return None
    including = {"<=": 1, ">=": -1}.get(test.operators[0], 0)
    return count_of(range(start, end + including, step))


def count_iterations(machine: Machine, node: nodes.Node, items: Items, frame: Frame) -> int | None:
    """How many iterations a loop over an expression with these items has."""
    if items.count is not None or not isinstance(node, nodes.Call) or not node.arguments:
        return items.count
    function = machine.look(node.function, frame)
    if isinstance(function, External) and function.path in PASSING_ITEMS:
        counted = node.arguments[0]
        with frame.trying():
            return iterate(machine, machine.look(counted, frame), frame, counted).count
    return None


FEW_ITERATIONS = 5
"""A loop of fewer iterations may be over what there are programs for."""


def counters(machine: Machine, node: nodes.For, items: Items, frame: Frame) -> frozenset[str]:
    """The names that a loop of several iterations binds to a running number."""
    call, target = _counted(machine, node.iterable, frame), node.target
    if not (isinstance(call, nodes.Call) and isinstance(call.function, nodes.Name)):
        return frozenset()
    name = call.function.identifier
    if name == "enumerate" and isinstance(target, nodes.Display) and target.elements:
        target = target.elements[0]
    elif name != "range":
        return frozenset()
    iterations = count_iterations(machine, node.iterable, items, frame)
    if not isinstance(target, nodes.Name) or (
        iterations is not None and iterations < FEW_ITERATIONS
    ):
        return frozenset()
    return frozenset({target.identifier})


def _counted(machine: Machine, node: nodes.Node, frame: Frame) -> nodes.Node:
    """What a loop counts with: what stands in a bar that shows the progress, also where a name
    holds it (`bar = tqdm(range(n))`).
    """
    if not isinstance(node, nodes.Name):
        return _within_bar(machine, node, frame)
    function = frame.called.function
    body = frame.unit.body if function is None else (function.definition,)
    if not any(frame.unit.says(SAYS_RANGE, each.start, each.end) for each in body):
        return node  # most loops over a name are in such a text, and need no walk through it
    bound = [
        _within_bar(machine, each.value, frame)
        for each in walk(body)
        if isinstance(each, nodes.Assignment)
        and any(_is_named(target, node.identifier) for target in each.targets)
    ]
    counts = all(_is_range(each) for each in bound)
    return bound[0] if bound and counts else node


def _within_bar(machine: Machine, node: nodes.Node, frame: Frame) -> nodes.Node:
    if not isinstance(node, nodes.Call) or not node.arguments:
        return node
    function = machine.look(node.function, frame)
    passing = isinstance(function, External) and function.path in PASSING_ITEMS
    return node.arguments[0] if passing else node


def _is_range(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and _is_named(node.function, "range")


def _is_named(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.identifier == name
