"""Keys for the random streams of a module: `model.apply(variables, x, rngs={"dropout": key})`.

Flax folds the path of a layer and a count into the key of a stream, so that the layers of one call
draw different numbers, and two calls with one key draw the same. What `init` makes of the same key
differs from both.

Invariants:
- A module whose flags have values with which it does not draw (`train=False`, `deterministic=True`,
  a rate of zero) uses up no key. Which arguments are such flags, the settings say.
- A module draws nothing if nothing that draws is named in its code and in that around it.
- Otherwise it is presumed that a module draws from the streams that are passed to it.
"""

from collections.abc import Mapping
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.analyses.keys.reused_keys import consume_key
from oakum_lint.domain.arguments import Arguments, bind_parameters
from oakum_lint.domain.callables import ClassValue, FunctionValue, Method, Transformed
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import (
    Constant,
    Entries,
    HeapObject,
    LibraryObject,
    Tree,
    Unknown,
    Value,
)
from oakum_lint.models.frameworks.flax_linen import may_apply
from oakum_lint.models.frameworks.layers import SAYS_DRAWING, is_layer, may_draw
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.walk import walk


@dataclass(slots=True)
class DrawingModules:
    """Whether modules of the project, and those around them, draw random numbers."""

    forgotten: ClassVar = True
    by_module: dict[Module, bool] = field(default_factory=dict[Module, bool])


def _consume_streams(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes that a call of a module uses up the keys of the streams that are passed to it."""
    rngs, place = arguments.keywords.get("rngs"), arguments.keyword_places.get("rngs")
    if rngs is None or place is None or not _may_draw(machine, arguments.keywords):
        return
    if not isinstance(rngs, HeapObject | Entries):
        return
    places: dict[object, nodes.Node] = {}
    if isinstance(place, nodes.DictDisplay):
        for key, value in zip(place.keys, place.values, strict=True):
            if isinstance(key, nodes.Constant):
                places[key.value] = value
    for stream, held in entries_of(machine, rngs).known:
        if isinstance(stream, str) and stream != "params":
            at = places.get(stream, place)
            consume_key(machine, held, frame, node, at, stream=stream)


def _module_draws(
    machine: Machine, owner: HeapObject, target: FunctionValue | Transformed, arguments: Arguments
) -> bool:
    """Whether a method of a module may draw for such a call, as far as its flags say."""
    cls = owner.cls
    if isinstance(cls, ClassValue):
        if not _says_drawing(machine, cls.module):
            return False
        held = {field.name: machine.read(owner, field.name) for field in cls.fields or ()}
        if not _may_draw(
            machine, {name: value for name, value in held.items() if value is not None}
        ):
            return False
    if not isinstance(target, FunctionValue):
        return True
    bound = bind_parameters(target, arguments.prepended(owner))
    for name, default in target.defaults.items():
        bound[name] = default if bound.get(name) is None else bound[name]
    return _may_draw(machine, bound)


def _says_drawing(machine: Machine, module: Module) -> bool:
    """Whether the code of a module, or of one that imports connect with it, names what draws."""
    known = machine.state_of(DrawingModules).by_module
    if module not in known:
        units = machine.project.units_that_say(module, SAYS_DRAWING)
        known[module] = any(map(_names_drawing, units))
    return known[module]


def _names_drawing(unit: UnitFacts) -> bool:
    for node in walk(unit.body):
        match node:
            case nodes.Name(identifier=name) | nodes.Attribute(attribute=name):
                pass
            case nodes.Keyword(name=str(name)) | nodes.ImportName(path=name):
                pass
            case _:
                continue
        if may_draw(name):
            return True
    return False


def _is_apply(function: Value, node: nodes.Call) -> bool:
    """Whether a call is of a method `apply`, or of an unknown function of that name, also one that
    is held by a tree of which nothing is known: a train state.
    """
    match node.function:
        case nodes.Name(identifier=name) | nodes.Attribute(attribute=name):
            return isinstance(function, Unknown | Tree) and may_apply(name)
        case _:
            return False


def _may_draw(machine: Machine, flags: Mapping[str, Value | None]) -> bool:
    """Whether no flag has a value with which nothing is drawn."""
    for name, value in flags.items():
        draws = machine.assumptions.draws_by(name)
        # None is merged with the other of the two places where a flag may be set.
        if draws is None or not isinstance(value, Constant) or value.value is None:
            continue
        if isinstance(value.value, bool | int | float) and bool(value.value) is not draws:
            return False
    return True


def _call_unknown(
    machine: Machine, function: Value, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    if "rngs" in arguments.keywords and isinstance(node, nodes.Call) and _is_apply(function, node):
        _consume_streams(machine, arguments, frame, node)


def _call_method(
    machine: Machine, method: Method, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    receiver = method.receiver
    if method.name == "apply" and isinstance(receiver, LibraryObject) and is_layer(receiver.path):
        _consume_streams(machine, arguments, frame, node)


def _apply_module(
    machine: Machine,
    owner: HeapObject,
    target: FunctionValue | Transformed,
    passed: Arguments,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    if _module_draws(machine, owner, target, arguments):
        _consume_streams(machine, passed, frame, node)


GUEST = Guest(
    "flax_rngs",
    Moments(
        unknown_call=(_call_unknown,),
        method_call=(_call_method,),
        module_applied=(_apply_module,),
    ),
    after=("reused_keys",),
)
