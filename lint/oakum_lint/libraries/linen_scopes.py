"""The variables that a module of Linen runs on: what `apply` was passed, or what `init` makes.

They are a cell of the store while a module runs, so that a summary of a method holds where it would
read the same; submodules find those of the module that runs them.

Invariants:
- A parameter is traced as the variables are, not as the call is: closed-over ones are concrete.
- Where parts of the variables are traced and parts are not, only a part that is found by its
  collection is known.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Constant,
    Entries,
    HeapObject,
    Place,
    Tree,
    Value,
)
from oakum_lint.models.frameworks.flax_linen import VARIABLE
from oakum_lint.syntax import nodes

_SCOPE: Final = HeapObject("opaque", 0, label="variables")
"""Owns the cell of the variables on which a module runs now."""
_OPTIONS: Final = ("mutable", "rngs")
MADE: Final = Constant("made")
"""Stands for variables that are being made, by `init`."""
PARAMETERS = "params"
"""The collection of what `self.param` makes."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What a module is run with: variables, the collections that may be made or changed, keys."""

    variables: Value
    mutable: Value
    rngs: Value


@contextmanager
def running_on(machine: Machine, got: Handed) -> Generator[None]:
    """Has modules find these variables and keys in the block."""
    outer = handed(machine)
    _hand(machine, got)
    try:
        yield
    finally:
        _hand(machine, outer)


def _hand(machine: Machine, got: Handed) -> None:
    for name, value in zip(
        (CONTENT, *_OPTIONS), (got.variables, got.mutable, got.rngs), strict=True
    ):
        machine.write(_SCOPE, name, value)


def handed(machine: Machine) -> Handed:
    """What the module that runs now is run with."""
    mutable, rngs = (machine.read(_SCOPE, name) or UNKNOWN for name in _OPTIONS)
    return Handed(_current(machine), mutable, rngs)


def _current(machine: Machine) -> Value:
    return machine.read(_SCOPE, CONTENT) or UNKNOWN


def parameters_of(machine: Machine, frame: Frame, node: nodes.Node) -> Array | Tree | None:
    """What stands for any parameter of the module that runs, where all are traced alike."""
    return _leaf_of(machine, _collection(machine, PARAMETERS), frame, node)


def read_state(
    machine: Machine, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`self.param(name, init, *args)`, or `self.variable(collection, name, init, *args)`."""
    if name == "param":
        made = _make(machine, arguments, 1, True, frame, node)
        return _stored(machine, PARAMETERS, made, frame, node)
    if name == "variable":
        collection = arguments.get(0, "col")
        if not isinstance(collection, Constant) or not isinstance(collection.value, str):
            return UNKNOWN
        made = _make(machine, arguments, 2, False, frame, node)
        variable = HeapObject("instance", frame.level, label=VARIABLE)
        value = _stored(machine, collection.value, made, frame, node)
        machine.write(variable, "value", value)
        return variable
    return UNKNOWN


def _make(
    machine: Machine,
    arguments: Arguments,
    place: int,
    draws: bool,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """What the function that makes a variable returns. Where the variable is there, the function is
    run for its shape alone: `init` shows what it does.
    """
    maker = arguments.get(place, "init_fn")
    if maker is None or not arguments.complete:
        return UNKNOWN
    first = (UNKNOWN,) if draws else ()
    passed = Arguments((*first, *arguments.positional[place + 1 :]))
    if _current(machine) == MADE:
        return machine.call(maker, passed, frame, node)
    made: list[Value] = []

    def run() -> bool:
        made.append(machine.call(maker, passed, frame, node))
        return True

    with frame.trying():
        machine.run_path(run)
    return made[0] if isinstance(made[0], Array) else UNKNOWN


def _stored(
    machine: Machine, collection: str, made: Value, frame: Frame, node: nodes.Node
) -> Value:
    """A variable of the scope, of the shape that it would be made in."""
    if _current(machine) == MADE:
        return made
    found = _leaf_of(machine, _collection(machine, collection), frame, node)
    if found is None or not isinstance(made, Array):
        return UNKNOWN if found is None else found
    aval = ShapedArray(made.aval.shape, None, None)
    return Array(aval, found.place, found.level, found.origin)


def _collection(machine: Machine, name: str) -> Value:
    """A collection of the variables of the scope."""
    variables = _current(machine)
    if not isinstance(variables, HeapObject) or variables.kind != "dict":
        return variables if isinstance(variables, Tree) else UNKNOWN
    content = machine.read(variables, CONTENT)
    if not isinstance(content, Entries):
        return UNKNOWN
    for key, value in content.known:
        if key == name:
            return value
    return UNKNOWN if content.rest is None else content.rest


def _leaf_of(
    machine: Machine, collection: Value, frame: Frame, node: nodes.Node
) -> Array | Tree | None:
    """What stands for any leaf of a collection whose leaves are traced alike; None where they are
    not, or a transform of the framework's own may have traced them again.
    """
    leaves, complete = leaves_of(machine, collection, frame, node)
    if not leaves or not complete:
        return None
    first, *more = leaves
    if not isinstance(first, Array | Tree) or (isinstance(first, Tree) and first.opaque):
        return None
    for leaf in more:
        if not isinstance(leaf, Array | Tree):
            return None
        if (leaf.place, leaf.level) != (first.place, first.level):
            return None
    trace = frame.trace
    while trace is not None and trace.level > first.level:
        if trace.lifted and first.place is not Place.ABSTRACT:
            return None
        trace = trace.parent
    return first
