"""Shapes and dtypes that do not fit an operation, by the abstract rules that the engine has too.

A rule raises only where every completion of what is known is an error, so what it raises is
certain wherever the avals are: on every path that reaches the operation.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from oakum import dtypes
from oakum.errors import OakumError, ShapeError
from oakum.values import avals, codes
from oakum_lint.arrays.context_free import is_closed
from oakum_lint.arrays.expected_failures import Expectation, decorators_expect
from oakum_lint.domain import events
from oakum_lint.domain.callables import ModuleValue, Scope
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import look_up
from oakum_lint.domain.reporting import describe
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import (
    NONE,
    Array,
    Constant,
    External,
    Items,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.syntax import nodes
from oakum_lint.text.names import SAYS_GLOBAL, VARIABLE, declares_global

Placed = tuple[Value, nodes.Node | None]
"""A value, and where it stands in the program, if it is known to stand there."""

REPORTED = {codes.SHAPE_MISMATCH: "shape", codes.DTYPE_MISMATCH: "dtype"}
EXPECTED = "a test may expect the error"
CALLERS = "callers may pass what fits where their tests let them"
MAX_OPERANDS = 4
"""A message names no more operands than these."""


def answer(
    machine: Machine,
    rule: Callable[[], Any],
    function: str,
    given: Iterable[Placed],
    frame: Frame,
    node: nodes.Node,
) -> Any:
    """Asks an abstract rule; where it certainly fails, that is reported, and the answer is
    Unknown.
    """
    try:
        return rule()
    except OakumError as error:
        report(machine, error, function, given, frame, node)
        return avals.UNKNOWN


def host_result(machine: Machine, rule: Callable[[], Any], frame: Frame, node: nodes.Node) -> Any:
    """Asks an abstract rule about arrays of NumPy, whose errors are not JAX's, and whose
    dtypes may have 64 bits. Shapes that do not fit for JAX do likely not for NumPy: that is noted.
    """
    try:
        with dtypes.assume_x64(True):
            return rule()
    except OakumError as error:
        if error.code == codes.SHAPE_MISMATCH:
            note_stop(machine, frame, node, "perhaps")
        return avals.UNKNOWN


def report(
    machine: Machine,
    error: OakumError,
    function: str,
    given: Iterable[Placed],
    frame: Frame,
    node: nodes.Node,
    doubt: str = "",
) -> None:
    """Reports the failure of a rule, with the operands that it is about; `doubt` says why it may
    work all the same.
    """
    if error.code not in REPORTED:
        return
    expected = _expected(machine, frame)
    if expects_misfits(machine, frame) or "failure" in expected:
        return
    varies = _may_be_otherwise(machine, frame)
    # What callers pass, through traces too, they pass where their tests let them.
    depends = frame.is_guarded or (bool(machine.epoch) and _takes_default(machine, frame))
    closed = is_closed(machine, node, frame)
    if varies and not closed:
        return
    given = list(given)
    if frame.guards and any(at is not None and _is_nothing(value) for value, at in given):
        # Where it is left out, the test may not hold.
        return
    arrays = _arrays(given)
    value = next((value for value, _ in arrays if is_tracer(value)), None)
    if value is None:
        value = arrays[0][0] if arrays else NONE
    place = next((place for one, place in arrays if one is value), None) or node
    texts = [frame.text(at) for _, at in given if at is not None]
    if not closed and _is_asked_about(machine, texts, frame):
        return
    machine.emit(
        events.Misfit,
        frame,
        node,
        value,
        place,
        EXPECTED if "perhaps" in expected else CALLERS if depends and not closed else doubt,
        problem=REPORTED[error.code],
        function=function,
        given=tuple(
            describe(one, text)
            for (one, _), text in zip(
                arrays[:MAX_OPERANDS], _texts(arrays, given, frame), strict=False
            )
        ),
        reason=error.message.rstrip("."),
        detail=error.detail.rstrip("."),
        hint=error.hint,
    )


def unpacking_error(rows: int, targets: Sequence[nodes.Expression]) -> OakumError | None:
    """Returns what Python says of an array that is unpacked into names; None where there is one for
    each row.
    """
    starred = any(isinstance(target, nodes.Starred) for target in targets)
    names = len(targets) - starred
    if rows == names or (starred and rows > names):
        return None
    return ShapeError(
        f"{rows} rows are unpacked into {'at least ' * starred}{names} names",
        detail="Too many values to unpack" if rows > names else "Not enough values to unpack",
        hint="Ask for as many rows as there are names; `*rest` takes all that are left.",
    )


def _texts(arrays: Sequence[Placed], given: Sequence[Placed], frame: Frame) -> Iterator[str]:
    """Yields how the user wrote some arrays; those in `*xs` are `xs[0]` and so on, if all are."""
    counts = Counter(id(at) for _, at in given)
    shown = Counter(id(at) for _, at in arrays)
    seen = Counter[int]()
    for _, at in arrays:
        if not isinstance(at, nodes.Starred):
            yield "" if at is None else frame.text(at)
        elif isinstance(at.value, nodes.Name) and counts[id(at)] == shown[id(at)]:
            yield f"{at.value.identifier}[{seen[id(at)]}]"
            seen[id(at)] += 1
        else:
            yield frame.text(at)


def _is_nothing(value: Value) -> bool:
    """Whether a value says that there is none: None, or nothing in a list."""
    return value == NONE or (isinstance(value, TupleValue | Items) and value.elements == ())


def _may_be_otherwise(machine: Machine, frame: Frame) -> bool:
    """Whether what is known here of values that come from elsewhere may be but one of several
    cases: of the iterations of a loop, of the callers of a decorated function, of a variable, of an
    argument that is left out.
    """
    if frame.is_premature or any(_is_decorated(caller) for caller in frame.callers()):
        return True
    return bool(machine.epoch) and (_reads_rebound(machine) or _lacks_argument(machine, frame))


def _is_decorated(frame: Frame) -> bool:
    """Whether a decorator of the running function may pass it anything."""
    return frame.called.function is not None and frame.called.function.decorated


def _expected(machine: Machine, frame: Frame) -> set[Expectation]:
    """What decorators of the running functions say: that they fail, or do not run."""
    return {
        decorators_expect(machine, caller.called.function.definition, caller)
        for caller in frame.callers()
        if caller.called.function is not None
        and isinstance(caller.called.function.definition, nodes.FunctionDefinition)
    }


def _is_asked_about(machine: Machine, texts: Iterable[str], frame: Frame) -> bool:
    """Whether a test that this stands behind is about one of the operands: what is known of them
    here may be what the test excludes.
    """
    tested = {name for guard in frame.guards for name in VARIABLE.findall(guard)}
    named = {name for text in texts for name in VARIABLE.findall(text)} & tested
    values = (look_up(machine, name, frame) for name in named)
    return any(not isinstance(value, External | ModuleValue) for value in values)


def _reads_rebound(machine: Machine) -> bool:
    """Whether what runs has read a variable from outside that is bound more than once: who calls
    it, and when, is not seen.
    """
    recorder = machine.recorder
    while recorder is not None:
        for owner, name in recorder.reads:
            if (owner, name) in machine.rebound:
                return True
            if isinstance(owner, Scope) and owner.kind == "module" and _is_global(owner, name):
                return True
        recorder = recorder.parent
    return False


def _is_global(scope: Scope, name: str) -> bool:
    """Whether functions of a module bind one of its variables."""
    units = scope.module.facts.units_that_say(SAYS_GLOBAL)
    return any(declares_global(unit.text, name) for unit in units)


def _defaults_taken(machine: Machine, frame: Frame) -> list[Value]:
    """The default values with which the function runs that nobody is seen to call."""
    called = [caller for caller in frame.callers() if caller.called.site is not None]
    function = called[-1].called.function if called else None
    if function is None:
        return []
    scope = called[-1].scope
    return [
        default
        for name, default in function.defaults.items()
        if machine.read(scope, name) is default
    ]


def _lacks_argument(machine: Machine, frame: Frame) -> bool:
    """Whether an argument is left out whose default is None: callers pass one of several."""
    return NONE in _defaults_taken(machine, frame)


def _takes_default(machine: Machine, frame: Frame) -> bool:
    """Whether a default value counts: one that is neither None nor a flag."""
    return any(
        default != NONE and not (isinstance(default, Constant) and isinstance(default.value, bool))
        for default in _defaults_taken(machine, frame)
    )


def _arrays(given: Iterable[Placed]) -> list[Placed]:
    """The arrays among some operands, those in tuples and lists too."""
    found: list[Placed] = []
    stack = list(given)[::-1]
    while stack:
        value, place = stack.pop()
        match value:
            case Array(aval) if aval.shape is not None or aval.dtype is not None:
                found.append((value, place))
            case TupleValue(elements) | Items(elements) if elements is not None:
                inside: Sequence[nodes.Node | None] = (None,) * len(elements)
                if isinstance(place, nodes.Display) and len(place.elements) == len(elements):
                    inside = place.elements
                stack.extend(reversed(list(zip(elements, inside, strict=True))))
            case _:
                pass
    return found
