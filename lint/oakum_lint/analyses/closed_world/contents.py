"""What comes into a variable or an object otherwise than by a statement that binds it: the elements
that a comprehension goes over, what statements of a module put into a container, what the body of a
class or a property says, what `partial` binds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from oakum.values.records import dataclass, field
from oakum_lint.analyses.closed_world.places import Place
from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.domain.callables import ClassValue, FunctionValue, Partial, Wrapper
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import External, Value
from oakum_lint.models.dotted import PARTIAL
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.reading import note_span
from oakum_lint.syntax.walk import walk

Stored = Mapping[str, Sequence[tuple[nodes.Node, UnitFacts]]]
_NOTHING: Final[Stored] = {}


@dataclass(slots=True)
class Stores:
    """What the statements of modules have put into containers, by how many had run: a script of
    1,265 lines with 60 findings took ten times as long where each variable was looked for in all
    of them.
    """

    forgotten: ClassVar = True
    known: dict[Module, tuple[int, Stored]] = field(
        default_factory=dict[Module, tuple[int, Stored]]
    )


def iterated(name: nodes.Name, frame: Frame) -> Iterator[nodes.Node]:
    """Yields what comprehensions around a name go over, of those whose variable it is."""
    for each in walk(frame.unit.body):
        if not isinstance(each, nodes.Comprehension) or not each.start <= name.start < each.end:
            continue
        for clause in each.clauses:
            parts = walk((clause.target,))
            if any(
                isinstance(part, nodes.Name) and part.identifier == name.identifier
                for part in parts
            ):
                yield clause.iterable


def stored_by_statements(
    machine: Machine, module: Module, name: str, last: UnitFacts | None
) -> Iterator[tuple[nodes.Node, UnitFacts]]:
    """Yields what the statements of a module have put into what a variable of it holds, as far as
    one that runs.
    """
    known = machine.state_of(Stores).known
    ran, stored = known.get(module, (0, _NOTHING))
    if ran != len(module.executed):
        stored = _stored_in(module)
        known[module] = len(module.executed), stored
    for node, unit in stored.get(name, ()):
        if last is None or unit.base <= last.base:
            note_span(unit, 0, len(unit.raw))
            yield node, unit


def _stored_in(module: Module) -> Stored:
    found: dict[str, list[tuple[nodes.Node, UnitFacts]]] = {}
    for unit in module.facts.units:
        if unit.kind not in ("import", "definition") and unit in module.executed:
            for name, values in sources_in(unit.body).stored.items():
                found.setdefault(name, []).extend((value, unit) for value in values)
    return found


def declared(cls: ClassValue, name: str) -> Iterator[tuple[nodes.Node, Place]]:
    """Yields what the bodies of a class and of its bases bind an attribute to; what declares a
    field, as `field(converter=jnp.asarray)` does, is no value of it.
    """
    is_field = any(each.name == name for each in cls.fields or ())
    for each in cls.order:
        if isinstance(each, ClassValue) and each.definition is not None:
            inside = Place(Frame(each.body, each.unit, each.module, None))
            for value in sources_in(tuple(each.definition.body)).bound.get(name, ()):
                if not (is_field and isinstance(value, nodes.Call)):
                    yield value, inside


def getter(machine: Machine, cls: ClassValue, name: str) -> FunctionValue | None:
    """The function of the property of a class that has a name."""
    match class_attribute(machine, cls, name):
        case Wrapper("property" | "cached_property", FunctionValue() as function):
            return function
        case _:
            return None


def assigned(machine: Machine, cls: ClassValue, name: str) -> Iterator[tuple[nodes.Node, Place]]:
    """Yields what the methods of a class and of its bases assign to an attribute."""
    for each in cls.order:
        if not isinstance(each, ClassValue) or each.definition is None:
            continue
        for method in each.definition.body:
            if not isinstance(method, nodes.FunctionDefinition):
                continue
            held = machine.read(each.body, method.name)
            if isinstance(held, FunctionValue) and held.definition is method:
                inside = Place(Frame(held.scope, held.unit, held.module, None), method)
                found = sources_in(method.body, method.parameters).attributes
                yield from ((value, inside) for value in found.get(name, ()))


def bound_by_partial(
    call: nodes.Call, place: Place, look: Callable[[nodes.Node, Place], Value | None]
) -> Iterator[nodes.Node]:
    """Yields what has bound arguments of the function that is called, where that is seen."""
    match call.function:
        case nodes.Call(function=made_by, arguments=(_, *bound), keywords=keywords):
            if look(made_by, place) == External(PARTIAL):
                yield from bound
                yield from (each.value for each in keywords)
        case nodes.Name() | nodes.Attribute() as named:
            if isinstance(look(named, place), Partial):
                yield named
        case _:
            pass
