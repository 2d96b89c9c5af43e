"""What a layer of Linen asks of the variables and keys with which its module is run: averages that
are there, or may be made, and a key for what it draws.

Invariants:
- What `apply` got is read from the store, where the module finds it: a call that is remembered is
  one that got the same.
- A transform of the framework's own may hand other collections to the layers in it.
"""

from typing import Final, Literal

from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.doubts import BEHIND_TEST, doubts_of
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Constant,
    HeapObject,
    LibraryObject,
    TupleValue,
    Value,
)
from oakum_lint.libraries.linen_scopes import MADE, Handed, handed
from oakum_lint.models.frameworks.flax_linen import (
    AVERAGES,
    DROPOUT,
    PARAMETER_STREAM,
    SAYS_INTERCEPTING,
)
from oakum_lint.models.frameworks.static_parameters import FLAGS
from oakum_lint.syntax import nodes

Lack = Literal["variables", "mutable", "rngs"]
OWN_KEY: Final = (2, "rng")
"""Where a call of a layer gets a key of its own: its position and its name."""
INTERCEPTED: Final = "`intercept_methods` may have something else run in place of the layer"
WITHOUT: Final = "apply"
"""The method that makes no variables."""


@dataclass(frozen=True, slots=True)
class MissingCollection(Event):
    """A module is run without what one of its layers asks for: a collection of the variables, that
    it may be changed, or the key of a stream. `layer` is the user's text for the layer.
    """

    lack: Lack
    layer: str
    collection: str


def _check_layer(
    machine: Machine, layer: LibraryObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports the call of `apply` that lacks what a layer needs, which runs in it."""
    row = FLAGS.get(layer.path)
    if row is None or any(trace.lifted for trace in traces(frame.trace)):
        return
    flag = _flag(layer, arguments, row)
    if flag is None or not arguments.complete or arguments.get(*OWN_KEY) is not None:
        return
    if frame.silence != "none":
        return
    inner = frame
    for caller in frame.callers():
        if caller.called.rooted:
            break
        inner = caller
    else:
        return
    at, outside = inner.called.node, inner.caller
    if at is None or outside is None or outside.called.rooted != WITHOUT:
        return
    got = handed(machine)
    if got.variables == MADE:
        return
    lack = _lack_of_key(machine, got) if layer.path == DROPOUT else _lack(machine, got, flag)
    if lack is None or (layer.path == DROPOUT and (flag or layer.draws is not True)):
        return
    if expects_misfits(machine, frame):
        return
    collection = "dropout" if layer.path == DROPOUT else AVERAGES
    details = {"lack": lack, "layer": frame.text(node), "collection": collection}
    doubt = _doubt_within(machine, frame, node, outside, at)
    machine.emit(MissingCollection, outside, at, UNKNOWN, at, doubt, **details)


def _doubt_within(
    machine: Machine, frame: Frame, node: nodes.Node, outside: Frame, at: nodes.Node
) -> str:
    """What is uncertain of the way from the call of `apply` to the layer: of the call itself alone
    is asked where it is reported.
    """
    for caller in frame.callers():
        if caller is outside:
            break
        if caller.guards:
            return f"the layer {BEHIND_TEST}: `{caller.guards[-1]}`"
    if machine.project.units_that_say(outside.module, SAYS_INTERCEPTING):
        return INTERCEPTED
    at_call, at_layer = (
        [doubt.message for doubt in doubts_of(machine, MissingCollection, each, place, place)]
        for each, place in ((outside, at), (frame, node))
    )
    return next((doubt for doubt in at_layer if doubt not in at_call), "")


def _flag(layer: LibraryObject, arguments: Arguments, row: tuple[int, str]) -> bool | None:
    """The flag of a layer, by its call or as it was made; None where it is not known."""
    passed = arguments.get(*row)
    if passed is None or passed == NONE:
        return layer.flag
    match passed:
        case Constant(bool() as flag):
            return flag
        case _:
            return None


def _lack(machine: Machine, got: Handed, is_fixed: bool) -> Lack | None:
    """What a layer with averages lacks; `is_fixed`: it takes those that are there."""
    may_change = _names(machine, got.mutable, AVERAGES)
    if may_change is not False:
        return None
    if _has_key(machine, got.variables, AVERAGES) is False:
        return "variables"
    return None if is_fixed else "mutable"


def _lack_of_key(machine: Machine, got: Handed) -> Lack | None:
    """Whether a layer that draws lacks a key: that of parameters is taken for another one."""
    if got.rngs == NONE:
        return "rngs"
    has = [_has_key(machine, got.rngs, name) for name in ("dropout", PARAMETER_STREAM)]
    return "rngs" if has == [False, False] else None


def _names(machine: Machine, mutable: Value, collection: str) -> bool | None:
    """Whether `mutable` names a collection; None where that is not known."""
    match mutable:
        case Constant(str(name)):
            return name == collection
        case Constant():
            return None if mutable not in (TRUE, FALSE, NONE) else mutable == TRUE
        case TupleValue(elements):
            parts = elements
        case HeapObject(kind="list"):
            parts = content_of(machine, mutable).elements
        case _:
            return None
    if parts is None or not all(isinstance(part, Constant) for part in parts):
        return None
    return Constant(collection) in parts


def _has_key(machine: Machine, tree: Value, name: str) -> bool | None:
    """Whether a dict has a key; None where that is not known."""
    if not isinstance(tree, HeapObject) or tree.kind != "dict":
        return None
    entries = entries_of(machine, tree)
    if any(key == name for key, _ in entries.known):
        return True
    return False if entries.rest is None else None


GUEST = Guest("missing_collection", Moments(layer_called=(_check_layer,)))
