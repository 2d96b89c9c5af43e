"""Masks and labels of optax: trees that say of each parameter what becomes of it.

They have the structure of the parameters, or of their upper part, and each label names one of the
transformations.
"""

from typing import Final

from oakum.errors import TreeError
from oakum.values.records import dataclass
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute, entries_of
from oakum_lint.domain.values import NONE, UNKNOWN, Array, Constant, HeapObject, TupleValue, Value
from oakum_lint.jax.carries import Node, node_of
from oakum_lint.models.frameworks.optax import LABELLED, TOP
from oakum_lint.syntax import nodes

MAX_PARTS: Final = 256
HINT: Final = (
    "Make it by `jax.tree.map` or `jax.tree_util.tree_map_with_path` of the parameters, or pass "
    "a function that does."
)


@dataclass(frozen=True, slots=True)
class _Mismatch:
    """Where labels and parameters differ: both in words, and the part."""

    labels: str
    parameters: str
    part: str


def check_labels(
    machine: Machine, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports labels, the first argument, that do not fit the parameters that a transformation of
    this name is made for, the third, or its transformations, the second.
    """
    labels, transforms, parameters = (*arguments.positional, UNKNOWN)[:3]
    what = LABELLED[name].what
    called = _called(machine, labels)
    if called:
        message = f"the {what} are a {called}, which optax calls, as it has `__call__`"
        _report(machine, message, f"Pass a function that returns the {what}.", name, frame, node)
        return
    found = _mismatch(machine, labels, parameters)
    if found is not None:
        at = f" at `{found.part}`" if found.part else ""
        message = f"the {what} are {found.labels}{at}, the parameters {found.parameters}"
        _report(machine, message, HINT, name, frame, node)
        return
    unnamed = _unnamed(machine, labels, transforms)
    if unnamed is not None:
        message = f"no transformation is called {unnamed!r}"
        hint = "Give each label a transformation; `optax.set_to_zero()` keeps its parameters."
        _report(machine, message, hint, name, frame, node)


def _called(machine: Machine, labels: Value) -> str:
    """The class of labels that are a tree, and that can be called; "" of any others: what is no
    tree is meant to be called.
    """
    match labels:
        case HeapObject(kind="instance", cls=ClassValue(pytree=True) as cls):
            return "" if class_attribute(machine, cls, "__call__") is None else cls.name
        case _:
            return ""


def _report(
    machine: Machine, message: str, hint: str, name: str, frame: Frame, node: nodes.Node
) -> None:
    report(machine, TreeError(message, hint=hint), f"{TOP}{name}", (), frame, node)


def _mismatch(machine: Machine, labels: Value, parameters: Value) -> _Mismatch | None:
    """The first place where labels are no upper part of the tree of the parameters."""
    stack = [(labels, parameters, "")]
    steps = 0
    while stack and steps < MAX_PARTS:
        label, parameter, path = stack.pop()
        steps += 1
        if label == NONE or parameter == NONE:
            continue
        match node_of(machine, label), node_of(machine, parameter):
            case Node() as one, Node() as other:
                if (one.kind, one.keys) != (other.kind, other.keys):
                    return None if one.may_be(other) else _Mismatch(str(one), str(other), path)
                pairs = zip(one.keys, one.parts, other.parts, strict=True)
                stack.extend((a, b, f"{path}[{key!r}]") for key, a, b in reversed([*pairs]))
            case Node() as one, None if isinstance(parameter, Array):
                return _Mismatch(str(one), str(parameter.aval), path)
            case _:
                pass
    return None


def _unnamed(machine: Machine, labels: Value, transforms: Value) -> str | None:
    """A label that is the name of no transformation."""
    if not isinstance(transforms, HeapObject) or transforms.kind != "dict":
        return None
    entries = entries_of(machine, transforms)
    if entries.rest is not None:
        return None
    names = {key for key, _ in entries.known}
    stack = [labels]
    steps = 0
    while stack and steps < MAX_PARTS:
        label = stack.pop()
        steps += 1
        if isinstance(label, Constant):
            if isinstance(label.value, str) and label.value not in names:
                return label.value
            continue
        node = node_of(machine, label)
        stack.extend(() if node is None else reversed(node.parts))
    return None


def labelled_parts(name: str, arguments: Arguments) -> TupleValue | None:
    """The labels of a transformation, and its transformations; None where it has none."""
    row = LABELLED.get(name)
    labels = None if row is None else arguments.get(*row.labels)
    if row is None or labels is None:
        return None
    transforms = UNKNOWN if row.transforms is None else arguments.get(*row.transforms) or UNKNOWN
    return TupleValue((labels, transforms))
