"""Displays and comprehensions: expressions that make containers."""

from collections.abc import Sequence

from oakum_lint.domain import events
from oakum_lint.domain.budget import MAX_ITERATIONS
from oakum_lint.domain.callables import Scope
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.values import UNKNOWN, Constant, Entries, Items, TupleValue, Value
from oakum_lint.python.expressions.narrowing import narrow
from oakum_lint.python.expressions.truth import evaluate_test
from oakum_lint.python.objects.containers import (
    MAX_ELEMENTS,
    constant_key,
    iterate,
    make_dict,
    make_list,
    one_of_several,
)
from oakum_lint.python.objects.hashing import check_hash
from oakum_lint.python.statements.assignments import assign
from oakum_lint.python.statements.look_ahead import look_ahead
from oakum_lint.syntax import nodes

UNROLLED = 16
"""A comprehension over at most so many known items is followed item by item."""


def display(machine: Machine, node: nodes.Display, frame: Frame) -> Value:
    """Evaluates a tuple, list or set display."""
    elements: list[Value] = []
    rest: Value | None = None
    for element in node.elements:
        if isinstance(element, nodes.Starred):
            value = machine.evaluate(element.value, frame)
            items = iterate(machine, value, frame, element.value)
            if items.elements is not None and rest is None:
                elements.extend(items.elements)
            else:
                rest = element_of(items) if rest is None else join(rest, element_of(items))
        else:
            value = machine.evaluate(element, frame)
            elements.append(value)
    known = None if rest is not None or len(elements) > MAX_ELEMENTS else tuple(elements)
    length = None if rest is not None or known is not None else len(elements)
    if known is None:
        rest = join_all((*elements, *(() if rest is None else (rest,))))
    if node.kind == "tuple":
        return TupleValue(known, rest or UNKNOWN, length=length)
    if node.kind == "set":
        for element, value in zip(node.elements, elements, strict=False):
            check_hash(machine, value, frame, element, "set")
    return make_list(machine, known, rest or UNKNOWN, frame, node.kind, length)


def dict_display(machine: Machine, node: nodes.DictDisplay, frame: Frame) -> Value:
    """Evaluates a dict display."""
    known: dict[object, Value] = {}
    rest: Value | None = None
    # What came under other keys since the last known one. All that is known is joined with it, so
    # one value more of its kind changes nothing: a table of 20,000 numbers took ten seconds.
    after: Value | None = None
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = machine.evaluate(value_node, frame)
        if key_node is None:
            content = entries_of(machine, value)
            if content.rest is not None:
                # What is not known of it may stand under any key that came before.
                known = {each: join(held, content.rest) for each, held in known.items()}
                rest = content.rest if rest is None else join(rest, content.rest)
            known.update(content.known)
            after = None
            continue
        key_value = machine.evaluate(key_node, frame)
        check_hash(machine, key_value, frame, key_node, "dict key")
        constant = constant_key(key_value)
        if constant is not None and len(known) < MAX_ELEMENTS:
            known[constant.value] = value
            after = None
        else:
            wider = value if after is None else join(after, value)
            if wider != after:
                known = {each: join(held, value) for each, held in known.items()}
            after = wider
            rest = value if rest is None else join(rest, value)
    return make_dict(machine, Entries(tuple(known.items()), rest), frame)


def comprehension(machine: Machine, node: nodes.Comprehension, frame: Frame) -> Value:
    """Evaluates a comprehension or generator expression."""
    first = node.clauses[0]
    iterable = machine.evaluate(first.iterable, frame)  # once, and in the scope around, as it runs
    items = iterate(machine, iterable, frame, first.iterable)
    scope = Scope("comprehension", frame.scope, frame.level, frame.module)
    scope.names = _bound_by(node)
    outer, guards = frame.scope, frame.guards
    frame.scope = scope
    try:
        known = _unrolled(machine, node, items, frame)
        if known is not None:
            elements, entries = known
            if node.kind == "dict":
                return make_dict(machine, entries or Entries(()), frame)
            kind = "iterator" if node.kind == "generator" else node.kind
            return make_list(machine, tuple(elements), UNKNOWN, frame, kind)
        begun = _begun(machine, node, items, frame)
        scope.repeats = True
        if isinstance(node.element, nodes.Starred):
            _begin_iteration(machine, node, items, frame)
            return _unpacked(machine, node, node.element, frame)
        element, value, length = _perhaps_iterated(machine, node, items, frame)
        element = one_of_several(machine, element, scope.uid)
        if node.kind == "dict":
            value = one_of_several(machine, value, scope.uid)
            known_first = () if begun is None or begun[1] is None else begun[1].known
            return make_dict(machine, Entries(known_first, value), frame)
        kind = "iterator" if node.kind == "generator" else node.kind
        known_elements = () if begun is None else tuple(begun[0])
        return make_list(machine, None, element, frame, kind, length, known_elements)
    finally:
        frame.scope, frame.guards = outer, guards


def _perhaps_iterated(
    machine: Machine, node: nodes.Comprehension, items: Items, frame: Frame
) -> tuple[Value, Value, int | None]:
    """One iteration that stands for all: its element, the value beside it in a dict, and how many
    there are, if that is known. Behind a test it may not happen: what the test shows holds in it.
    """
    if not any(clause.tests for clause in node.clauses):
        return _iterated(machine, node, items, frame)
    found: list[tuple[Value, Value, int | None]] = []

    def run() -> bool:
        found.append(_iterated(machine, node, items, frame))
        return True

    _, written = machine.run_path(run)
    machine.store.merge([{}, written])
    return found[0]


def _iterated(
    machine: Machine, node: nodes.Comprehension, items: Items, frame: Frame
) -> tuple[Value, Value, int | None]:
    _begin_iteration(machine, node, items, frame)
    element = machine.evaluate(node.element, frame)
    length = None
    if len(node.clauses) == 1 and not node.clauses[0].tests:
        length = None if _is_reported(machine, node, items, element, frame) else items.count
    value: Value = UNKNOWN
    if node.value is not None:
        check_hash(machine, element, frame, node.element, "dict key")
        value = machine.evaluate(node.value, frame)
    if _goes_again(machine, frame.scope):
        _begin_iteration(machine, node, items, frame)
        if node.value is not None:
            machine.evaluate(node.value, frame)
        else:
            element = join(element, machine.evaluate(node.element, frame))
    if node.kind == "set":
        check_hash(machine, element, frame, node.element, "set")
    return element, value, length


def _bound_by(node: nodes.Comprehension) -> frozenset[str]:
    """The names that a comprehension binds in its own scope."""
    names: list[str] = []
    targets = [clause.target for clause in node.clauses]
    while targets:
        match targets.pop():
            case nodes.Name(identifier=name):
                names.append(name)
            case nodes.Display(elements=elements):
                targets.extend(elements)
            case nodes.Starred(value=value):
                targets.append(value)
            case _:
                pass
    return frozenset(names)


def _is_reported(
    machine: Machine, node: nodes.Comprehension, items: Items, element: Value, frame: Frame
) -> bool:
    """Announces the elements that a comprehension makes; whether a guest has reported how many."""
    heard = machine.moments.comprehended
    reported = [hears(machine, node, items, element, frame) for hears in heard]
    return any(reported)


def _unpacked(
    machine: Machine, node: nodes.Comprehension, element: nodes.Starred, frame: Frame
) -> Value:
    """Evaluates `[*a for a in b]` and `{**a for a in b}`: how many there will be is not known."""
    value = machine.evaluate(element.value, frame)
    if node.kind == "dict":
        return make_dict(machine, Entries((), UNKNOWN), frame)
    items = iterate(machine, value, frame, element.value)
    kind = "iterator" if node.kind == "generator" else node.kind
    return make_list(machine, None, element_of(items), frame, kind)


def _begun(
    machine: Machine, node: nodes.Comprehension, items: Items, frame: Frame
) -> tuple[list[Value], Entries | None] | None:
    """Returns the first elements of a comprehension over several devices, if there are."""
    if not items.first or frame.exhausting is node:
        return None
    found: list[tuple[list[Value], Entries | None] | None] = []

    def run() -> bool:
        found.append(_unrolled(machine, node, Items(items.first), frame))
        return True

    look_ahead(machine, run, frame)
    return found[0]


def _begin_iteration(
    machine: Machine, node: nodes.Comprehension, items: Items, frame: Frame
) -> None:
    """Binds what the clauses of a comprehension bind, to what stands for all of their items."""
    for clause in node.clauses:
        if clause is not node.clauses[0]:
            inner = machine.evaluate(clause.iterable, frame)
            items = iterate(machine, inner, frame, clause.iterable)
        assign(machine, clause.target, element_of(items), frame)
        for test in clause.tests:
            _comprehension_test(machine, test, frame)


def _goes_again(machine: Machine, scope: Scope) -> bool:
    """Announces the end of a comprehension's iteration; whether a guest asks for a second one."""
    asked = [hears(machine, scope) for hears in machine.moments.comprehension_iteration]
    return any(asked)


def _unrolled(
    machine: Machine, node: nodes.Comprehension, items: Items, frame: Frame
) -> tuple[list[Value], Entries | None] | None:
    """The elements one by one, where there is one clause over few known items, and its tests are
    decided.
    """
    clause = node.clauses[0]
    outer_iterations = frame.flow.iterations
    if (
        len(node.clauses) != 1
        or items.elements is None
        or len(items.elements) > UNROLLED
        or len(items.elements) * outer_iterations > MAX_ITERATIONS
    ):
        return None
    if isinstance(node.element, nodes.Starred):
        return None
    if clause.tests and node.kind == "generator" and frame.exhausting is not node:
        _test_first(machine, clause, items.elements, frame)
        return None
    elements: list[Value] = []
    known: list[tuple[object, Value]] = []
    rest: Value | None = None
    decided = True
    frame.flow.iterations *= len(items.elements)
    for item in items.elements:
        if machine.budget.is_spent:
            break
        assign(machine, clause.target, item, frame)
        for hears in machine.moments.item_bound:
            hears(machine, clause.iterable, clause.target, frame)
        passes = _passes(machine, clause, frame)
        # What is behind an undecided test is left to the iteration that stands for all, but each
        # element is tested.
        decided = decided and passes is not None
        if not passes or not decided:
            continue
        element = machine.evaluate(node.element, frame)
        if node.kind != "dict" or node.value is None:
            elements.append(element)
            continue
        check_hash(machine, element, frame, node.element, "dict key")
        value = machine.evaluate(node.value, frame)
        if isinstance(element, Constant):
            known.append((element.value, value))
        else:
            rest = value if rest is None else join(rest, value)
    frame.flow.iterations = outer_iterations
    return (elements, Entries(tuple(known), rest)) if decided else None


def _test_first(
    machine: Machine, clause: nodes.ComprehensionFor, elements: Sequence[Value], frame: Frame
) -> None:
    """Tests what a generator tests for its first element. Whether there is a test of what comes
    behind that depends on who asks it.
    """
    for item in elements:
        assign(machine, clause.target, item, frame)
        if _passes(machine, clause, frame) is not False:
            return


def _passes(machine: Machine, clause: nodes.ComprehensionFor, frame: Frame) -> bool | None:
    """Whether an element passes the tests of a clause, as far as that is known."""
    for test in clause.tests:
        outcome = evaluate_test(machine, test, frame, events.Condition, kind="comprehension")
        if not outcome:
            return outcome
    return True


def _comprehension_test(machine: Machine, test: nodes.Expression, frame: Frame) -> None:
    if evaluate_test(machine, test, frame, events.Condition, kind="comprehension") is None:
        frame.guards = (*frame.guards, frame.text(test))
    narrow(machine, test, True, frame)
