"""What a compiled function reads of a parameter: JAX leaves the rest out of the program, and
nothing takes the memory of that.
"""

from oakum.values.records import dataclass
from oakum_lint.domain.callables import FunctionValue, Transformed
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import called_name
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import Array, Constant, Entries, HeapObject, TupleValue, Value
from oakum_lint.models.attributes import FORM
from oakum_lint.models.operations import ASK_FORM, MADE_LIKE
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in

MAPS = frozenset({"map", "tree_map"})
Part = str | int


@dataclass(frozen=True, slots=True)
class Reads:
    """What is read of a parameter: all of it, or the items and attributes of these names."""

    whole: bool
    parts: frozenset[Part] = frozenset()


def is_read(machine: Machine, function: Transformed, name: str, value: Value) -> bool:
    """Whether the program of a function gets each part of what is passed as a parameter."""
    made = function.function
    kept = function.option("keep_unused")
    if not isinstance(made, FunctionValue) or (kept is not None and kept != Constant(False)):
        return True
    definition = made.definition
    body = (definition.body,) if isinstance(definition, nodes.Lambda) else definition.body
    reads = _reads(body, name)
    if reads.whole:
        return True
    parts = _parts(machine, value)
    # What is no part is a method, which may read them all.
    return not reads.parts <= parts or (bool(parts) and parts <= reads.parts)


def _parts(machine: Machine, value: Value) -> frozenset[Part]:
    """The keys, positions or attributes of a container; none where they are not known."""
    if isinstance(value, HeapObject) and value.kind == "instance":
        held = machine.store.held_by(value)
        return frozenset(name for name, part in held if isinstance(part, Array))
    content = machine.read(value, CONTENT) if isinstance(value, HeapObject) else value
    match content:
        case TupleValue(elements) if elements is not None:
            return frozenset(range(len(elements)))
        case Entries(known, None):
            return frozenset(key for key, _ in known if isinstance(key, str | int))
        case _:
            return frozenset()


def _reads(body: tuple[nodes.Node, ...], name: str) -> Reads:
    pending: list[nodes.Node] = [*body]
    parts: set[Part] = set()
    while pending:
        node = pending.pop()
        match node:
            case nodes.Name(identifier=identifier) if identifier == name:
                return Reads(whole=True)
            case nodes.Attribute(value=nodes.Name(identifier=identifier), attribute=attribute) if (
                identifier == name
            ):
                if attribute not in FORM:
                    parts.add(attribute)
            case nodes.Subscript(
                value=nodes.Name(identifier=identifier),
                index=nodes.Constant(value=str() | int() as key),
            ) if identifier == name:
                parts.add(key)
            case nodes.Call(function=called, arguments=(nodes.Name(identifier=identifier),)) if (
                identifier == name and called_name(called) in ASK_FORM
            ):
                pass
            case nodes.Call(
                function=called, arguments=(mapped, nodes.Name(identifier=identifier))
            ) if (
                identifier == name
                and called_name(called) in MAPS
                and called_name(mapped) in MADE_LIKE
            ):
                pass
            case _:
                pending.extend(parts_in(node))
    return Reads(whole=False, parts=frozenset(parts))
