"""What objects hold, and what the user calls the place that a value is kept in: `self.outs`,
`KEPT['list'][1]`.

Invariants:
- Attributes and items are read past `__getattr__`, properties and `__eq__`: nothing runs.
"""

from __future__ import annotations

import collections
import gc
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeGuard, cast

from oakum.pytrees.node_types import NodeKind
from oakum.values import host
from oakum.values.records import dataclass
from oakum.values.user_frames import is_internal


@dataclass(frozen=True, slots=True)
class Chain:
    """The objects from a root to a value, the root first, and how a user reaches it.

    `names` are the identifiers on the way and `keys` those of dicts, to be compared with
    statements; `metadata` is the class in whose structure the value is.
    """

    objects: tuple[object, ...]
    name: str
    names: frozenset[str]
    keys: frozenset[str]
    is_named: bool
    metadata: str | None = None


UNKNOWN: Final = Chain((None,), "", frozenset(), frozenset(), is_named=False)
"""What is said of a value where looking for its holder has failed."""


class ObjectArray(Protocol):
    """An array of NumPy's whose items are Python objects."""

    shape: tuple[int, ...]
    flat: Iterable[object]


def is_object_array(value: object) -> TypeGuard[ObjectArray]:
    """Whether it is an array of Python objects: Python's collector does not know what it holds."""
    if type(value) is not host.np.ndarray:
        return False
    return bool(getattr(value, "dtype", None) == host.np.dtype("O"))


def held_by(value: object) -> list[object]:
    """Returns what an object refers to."""
    return list(value.flat) if is_object_array(value) else gc.get_referents(value)


def is_class(value: object) -> TypeGuard[type]:
    """Whether it is a class, and not only called one: `isinstance(jnp.float32, type)` is true."""
    return issubclass(type(value), type)


def is_holder(value: object) -> bool:
    """Whether an object can refer to a leaked value."""
    return gc.is_tracked(value) or is_object_array(value)


def is_namespace(value: object) -> bool:
    """Whether a dict has the global variables of a module, or of code that is in none."""
    return type(value) is dict and "__builtins__" in value and "__name__" in value


def describe(path: Sequence[object]) -> Chain:
    """Returns how a user reaches the last object of a path of which each refers to the next."""
    spelling = _Spelling()
    for at in range(len(path) - 1):
        if _is_structure(path[at]):
            kind: Any = path[at]
            spelling.metadata = kind[0].container.__qualname__
        spelling.step(path, at)
    if not spelling.text:
        first = path[0]
        known = _variable_of(first)
        if known is not None:
            spelling.root(known)
    return Chain(
        tuple(path),
        spelling.text + spelling.rest if spelling.text else spelling.rest.lstrip(" "),
        frozenset(spelling.names),
        frozenset(spelling.keys),
        bool(spelling.text) or spelling.metadata is not None,
        spelling.metadata,
    )


class _Spelling:
    """The text of a path, as far as it is known: the variable, and what follows it."""

    __slots__ = ("keys", "metadata", "names", "rest", "text")

    def __init__(self) -> None:
        self.text = self.rest = ""
        self.names: set[str] = set()
        self.keys: set[str] = set()
        self.metadata: str | None = None

    def root(self, name: str) -> None:
        self.text = name
        self.names.add(name)

    def variable(self, name: str) -> None:
        """Begins with a variable: what led to the function that has it is not part of it."""
        self.root(name)
        self.rest = ""

    def attribute(self, name: str) -> None:
        self.rest += f".{name}"
        self.names.add(name)

    def step(self, path: Sequence[object], at: int) -> None:
        """Adds how an object of a path refers to the next."""
        before, holder, held = path[at - 1] if at else None, path[at], path[at + 1]
        match holder:
            case types.CellType():
                function = path[at - 2] if at > 1 else None
                name = _variable_in(holder, before, function) or _cell_name(holder)
                if name is not None:
                    self.variable(name)
            case dict():
                self._item(before, cast("dict[Any, Any]", holder), held)
            case types.FunctionType() if is_internal(holder.__code__.co_filename):
                pass
            case _ if isinstance(holder, types.FunctionType) or is_class(holder):
                if not self.text:
                    self.root(holder.__qualname__.rpartition(".")[2])
            case tuple() if isinstance(before, types.FunctionType):
                self.rest += "" if before.__closure__ is holder else ".__defaults__"
            case list() | tuple() | collections.deque():
                self._place(cast("Sequence[object]", holder), held)
            case _ if is_object_array(holder):
                self._element(holder, held)
            case _:
                self._other(holder, held)

    def _place(self, holder: Sequence[object], held: object) -> None:
        index = next((i for i, each in enumerate(holder) if each is held), None)
        self.rest += "" if index is None else f"[{index}]"

    def _element(self, holder: ObjectArray, held: object) -> None:
        at = next(i for i, each in enumerate(holder.flat) if each is held)
        indices = map(str, host.np.unravel_index(at, holder.shape))
        self.rest += f"[{', '.join(indices)}]"

    def _other(self, holder: object, held: object) -> None:
        name = _attribute_of(holder, held)
        if name is not None:
            self.attribute(name)
        elif not _is_attributes(held, holder):
            self.rest += f" (in a {type(holder).__name__})"

    def _item(self, before: object, holder: dict[Any, Any], held: object) -> None:
        key = next((k for k, each in list(holder.items()) if each is held), None)
        if is_namespace(holder):
            if key is not None:
                self.variable(str(key))
        elif key is None:
            self.rest += " (a key)"
        elif _is_attributes(holder, before):
            self.attribute(str(key))
        elif type(key) in (str, int, bool, float, bytes):
            self.rest += f"[{key!r}]"
            self.keys.add(str(key))
        else:
            self.rest += "[...]"


def _is_attributes(value: object, owner: object) -> bool:
    """Whether a dict holds the attributes of an object."""
    if type(value) is not dict or owner is None:
        return False
    if is_class(owner):
        return True
    try:
        return object.__getattribute__(owner, "__dict__") is value
    except AttributeError:
        return False


def _attribute_of(holder: object, held: object) -> str | None:
    try:
        own: dict[str, object] = object.__getattribute__(holder, "__dict__")
    except AttributeError:
        own = {}
    if type(own) is dict:
        name = next((name for name, each in own.items() if each is held), None)
        if name is not None:
            return name
    return next((name for name, each in _slots(holder) if each is held), None)


def _slots(holder: object) -> Iterator[tuple[str, object]]:
    for base in type(holder).__mro__:
        for name, each in list(vars(base).items()):
            if isinstance(each, types.MemberDescriptorType) and not is_builtin(base):
                try:
                    yield name, each.__get__(holder)
                except AttributeError:
                    continue


def is_builtin(kind: type) -> bool:
    """Whether a class is written in C."""
    return not kind.__flags__ & 1 << 9


def _cell_name(cell: types.CellType) -> str | None:
    """Returns the variable that functions share by a cell; that of a running function where those
    that shared it have ended.
    """
    for closure in gc.get_referrers(cell):
        if not _is_tuple(closure):
            continue
        for function in gc.get_referrers(closure):
            name = _variable_in(cell, closure, function)
            if name is not None:
                return name
    return _variable_of(cell.cell_contents)


def _variable_in(cell: types.CellType, closure: object, function: object) -> str | None:
    """Returns the variable that a function of the user's has in a cell of its closure."""
    if not isinstance(function, types.FunctionType) or function.__closure__ is not closure:
        return None
    code = function.__code__
    if is_internal(code.co_filename):
        return None
    pairs = zip(code.co_freevars, function.__closure__ or (), strict=True)
    return next((name for name, each in pairs if each is cell), None)


def _variable_of(value: object) -> str | None:
    """Returns the local variable of a running function that has a value."""
    for frame in list(sys._current_frames().values()):  # pyright: ignore[reportPrivateUsage]
        now: types.FrameType | None = frame
        while now is not None:
            if not is_internal(now.f_code.co_filename):
                for name, each in now.f_locals.items():
                    if each is value and name.isidentifier():
                        return name
            now = now.f_back
    return None


def namespace_with(value: object) -> dict[str, object] | None:
    """Returns the variables of a module of the user's one of which is a value: `gc.freeze` hides
    them from the walk over all objects.
    """
    for module in list(sys.modules.values()):
        space: dict[str, object] | None = getattr(module, "__dict__", None)
        if space is None or is_internal(str(space.get("__file__"))):
            continue
        if any(each is value for each in list(space.values())):
            return space
    return None


def _is_structure(value: object) -> bool:
    """Whether it is a node of a pytree's structure, of which the last part is the metadata."""
    return _is_tuple(value) and len(value) == 3 and isinstance(value[0], NodeKind)


def _is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    return type(value) is tuple
