"""Which key an expression is that is used as one: a local name, or what an object holds of which
nothing is known.

Invariants:
- What is held by an object has a cell beside the name at which the way to it begins: `state.rng`
  in the scope of `state`. It is forgotten when that name is bound, when an attribute or an item of
  the same name is assigned, and when a method of the object is called that may change it.
"""

from collections.abc import Iterable, Iterator

from oakum.values.records import dataclass, field, replace
from oakum_lint.analyses.keys.comprehension_keys import note_outside
from oakum_lint.analyses.keys.identities import KEY, UNUSED, KeyIdentity
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Scope
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.names import bound_in
from oakum_lint.domain.store import Key, Store
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    HeapObject,
    Place,
    Tree,
    Unknown,
    Value,
)
from oakum_lint.models.habits import REPLACING
from oakum_lint.syntax import nodes

KEY_LABEL = "key"
"""What owners of keys are called that a call has made, and that nothing else is known of: one of
them may stand for another, in a call that does the same with it."""
NAMED_LABEL = "named key"
"""What owners of keys are called that a name holds of which nothing is known."""
SEEDED_LABEL = "key of a seed again"
"""What owners of keys are called that were made of a seed as another one was."""
HELD_LABEL = "held key"
"""What owners of keys are called that an object holds, which is not seen."""
CONSTANT_LABEL = "constant key"
"""What owners of keys are called that are made of a seed that the code names."""


@dataclass(slots=True)
class HeldKeys:
    """The cells of keys that objects hold, by the scope and the name at which the way to them
    begins.
    """

    by_root: dict[tuple[int, str], set[str]] = field(
        default_factory=dict[tuple[int, str], set[str]]
    )


def is_held(key: KeyIdentity) -> bool:
    """Whether a key is what an object holds that is not seen: each reading may give another one."""
    return key.owner.label == HELD_LABEL


def is_constant(key: KeyIdentity) -> bool:
    """Whether a key is the same wherever its code runs."""
    return key.owner.label == CONSTANT_LABEL


def name_constant(machine: Machine, value: Array, frame: Frame) -> Array:
    """The same array as a key that no trace around its code makes another one."""
    named = name_key(machine, value, frame, CONSTANT_LABEL)
    key = KEY.of(named)
    return named if key is None else KEY.put(named, replace(key, level=0))


def name_key(
    machine: Machine,
    value: Array,
    frame: Frame,
    label: str = KEY_LABEL,
    path: Store | None = None,
) -> Array:
    """The same array as a key of its own, on all paths that have begun on one."""
    if value.place is Place.HOST:
        return value
    kind = "identity" if label == KEY_LABEL else "opaque"
    owner = HeapObject(kind, frame.level, label=label)
    machine.write(owner, "used", UNUSED, path)
    return KEY.put(value, KeyIdentity(owner, (), frame.level))


def identity_of(
    machine: Machine, value: Value, place: nodes.Node, frame: Frame
) -> KeyIdentity | None:
    """Which key a value is; what is used as one gets an identity: a local name, or what is held by
    an object under one, of which nothing is known.
    """
    known = KEY.of(value)
    if known is not None:
        return known
    root = root_of(place)
    if not root or not isinstance(value, Unknown | Tree | Array):
        return None
    scope = bound_in(machine, root, frame)
    if scope is None or not (scope is frame.scope or scope.kind == "function"):
        return None
    is_name = isinstance(place, nodes.Name)
    cell = root if is_name else frame.text(place)
    if not is_name:
        noted = KEY.of(machine.read(scope, cell) or UNKNOWN)
        if noted is not None:
            return noted
        machine.state_of(HeldKeys).by_root.setdefault((scope.uid, root), set()).add(cell)
    level = scope.level if isinstance(value, Unknown) else value.level
    named = _as_array(value)
    holders = [_Holder(scope, cell, _path_of(machine, scope, root, cell, frame), named)]
    holders.extend(_held_by_callers(machine, cell, value, frame) if scope is frame.scope else ())
    path = min((each.path for each in holders), key=lambda each: each.depth)
    label = NAMED_LABEL if is_name else HELD_LABEL
    named = name_key(machine, named, frame, label, path)
    key = KEY.of(named)
    if key is None:
        return None
    key = replace(key, level=level)
    named = KEY.put(named, key)
    for each in holders:
        note_outside(machine, key, each.scope, frame)
        # What a mapped function gets of an array is a row: the caller keeps the array.
        held = KEY.put(each.content, key) if isinstance(each.content, Array) else named
        machine.write(each.scope, each.name, held, each.path)
    return key


def _as_array(value: Unknown | Tree | Array) -> Array:
    """What is used as a key, which is an array."""
    match value:
        case Array():
            return value
        case Tree():
            return Array(UNKNOWN_ARRAY, value.place, value.level, value.origin)
        case Unknown():
            return Array(UNKNOWN_ARRAY, Place.ANY, 0)


def root_of(place: nodes.Node) -> str:
    """The local name at which the way to an expression begins, by attributes and items under a
    text: `state` of `state.info["key"]`.
    """
    while True:
        match place:
            case nodes.Name(identifier=name):
                return name
            case nodes.Attribute(value=value):
                place = value
            case nodes.Subscript(value=value, index=nodes.Constant(value=str())):
                place = value
            case _:
                return ""


@dataclass(frozen=True, slots=True)
class _Holder:
    """A cell that holds a key, the path on which it got its content, and that: it is one key on all
    paths that have begun there, and in all iterations of a loop.
    """

    scope: Scope
    name: str
    path: Store
    content: Value


def _path_of(machine: Machine, scope: Scope, root: str, name: str, frame: Frame) -> Store:
    cell = (scope, root if machine.read(scope, name) is None else name)
    path = machine.store.writer_of(cell)
    return machine.store if scope is not frame.scope or path.parent is None else path


def _held_by_callers(machine: Machine, name: str, value: Value, frame: Frame) -> Iterator[_Holder]:
    """Yields the names under which callers hold a key."""
    while name in frame.called.handed and frame.caller is not None:
        handed, place = frame.called.handed[name]
        if not _is_still(value, handed):
            return
        frame, name = frame.caller, place.identifier
        scope = bound_in(machine, name, frame)
        value = UNKNOWN if scope is None else machine.read(scope, name) or UNKNOWN
        if (
            scope is None
            or scope.kind != "function"
            or not isinstance(value, Unknown | Tree | Array)
            or KEY.of(value) is not None
        ):
            return
        yield _Holder(scope, name, _path_of(machine, scope, name, name, frame), value)
        if scope is not frame.scope:
            return


def _is_still(value: Value, handed: Value) -> bool:
    """Whether a parameter still holds its argument; a tree may be known to be an array by now."""
    if isinstance(handed, Tree) and isinstance(value, Array):
        return handed.origin is not None and value.origin is handed.origin
    if isinstance(value, Unknown) and value.bare is not None:
        value = value.bare
    return value is handed


def _rebind(machine: Machine, key: Key, _frame: Frame) -> None:
    """Forgets what was held under a name that is about to stand for something else."""
    owner, root = key
    if isinstance(owner, Scope):
        _forget(machine, owner, machine.state_of(HeldKeys).by_root.get((owner.uid, root), ()))


def _store(
    machine: Machine, _owner: Value, name: str, _value: Value, frame: Frame, _node: nodes.Node
) -> None:
    """Forgets the keys that objects hold in an attribute which is about to be assigned."""
    seen = _scopes_around(frame)
    for (scope, _), cells in machine.state_of(HeldKeys).by_root.items():
        if scope in seen:
            _forget(machine, seen[scope], [each for each in cells if name in each.split(".")])


def _store_item(
    machine: Machine, _owner: Value, _value: Value, frame: Frame, node: nodes.Subscript
) -> None:
    """Forgets the keys that objects hold in an item which is assigned: in items of that text, or,
    where the index is not written as one, in all of the same object.
    """
    items: tuple[str, ...]
    match node.index:
        case nodes.Constant(value=str(name)):
            items, changed_root = (f'["{name}"]', f"['{name}']"), ""
        case _:
            items, changed_root = ("[",), root_of(node.value)
    seen = _scopes_around(frame)
    for (scope, root), cells in machine.state_of(HeldKeys).by_root.items():
        if scope in seen and changed_root in ("", root):
            changed = [cell for cell in cells if any(item in cell for item in items)]
            _forget(machine, seen[scope], changed)


def _scopes_around(frame: Frame) -> dict[int, Scope]:
    """The scopes whose names a frame sees, by their identities."""
    found: dict[int, Scope] = {}
    scope: Scope | None = frame.scope
    while scope is not None:
        found[scope.uid] = scope
        scope = scope.parent
    return found


def _call_unknown(
    machine: Machine, _function: Value, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Forgets what an object holds of which a method is called that is not seen: it may change it,
    unless its name says that it makes another one.
    """
    match node:
        case nodes.Call(function=nodes.Attribute(value=owner, attribute=name)) if (
            name.strip("_") != REPLACING
        ):
            root = root_of(owner)
            scope = bound_in(machine, root, frame) if root else None
            if scope is not None:
                cells = machine.state_of(HeldKeys).by_root.get((scope.uid, root), ())
                _forget(machine, scope, cells)
        case _:
            pass


def _forget(machine: Machine, scope: Scope, cells: Iterable[str]) -> None:
    for cell in cells:
        if machine.read(scope, cell) is not None:
            machine.write(scope, cell, UNKNOWN)


GUEST = Guest(
    "named_keys",
    Moments(
        bound=(_rebind,),
        attribute_stored=(_store,),
        item_stored=(_store_item,),
        unknown_call=(_call_unknown,),
    ),
)
