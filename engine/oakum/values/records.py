"""Data classes that are quick to make: `dataclass`, `field`, `fields` and `replace`.

They mean what the standard library means by these names. There each class takes a millisecond, as
the source of all its methods is written and compiled when the class is made, and a first result
needs more than a hundred classes. Here a method is compiled when it is first looked up, which for
most of them is never.

Invariants:
- What a class defines itself stays.
- The standard library's `fields`, `replace` and `is_dataclass` take these classes as its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, Final

__all__ = ["dataclass", "field", "fields", "replace"]

_MISSING: Final = object()
_FIELDS: Final = "__oakum_fields__"
_EQUALITY: Final = {"__eq__": "=="}
_ORDER: Final = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_assign: Final = object.__setattr__


class Field:
    """A field of a class, as `field` describes it."""

    __slots__ = ("compare", "default", "default_factory", "init", "name", "repr", "type")

    def __init__(
        self,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        *,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        self.name = ""
        self.type: Any = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare

    def options(self) -> dict[str, Any]:
        """Returns the arguments that `field` was called with, with defaults."""
        found = {"init": self.init, "repr": self.repr, "compare": self.compare}
        given = {"default": self.default, "default_factory": self.default_factory}
        return found | {name: value for name, value in given.items() if value is not _MISSING}


_PLACE: Final[type] = Field.__dict__["name"].__class__
"""The class of what a class holds for each of its slots."""


def _declared_fields(body: Mapping[str, Any]) -> Iterator[Field]:
    """Yields the fields that the body of a class declares."""
    for name, annotation in body.get("__annotations__", {}).items():
        plain = getattr(annotation, "__origin__", annotation)
        if plain is ClassVar or str(plain).startswith(("ClassVar", "typing.ClassVar")):
            continue
        given = body.get(name, _MISSING)
        found = given if isinstance(given, Field) else Field(given)
        found.name, found.type = name, annotation
        yield found


def _fields_of(of: object) -> tuple[Field, ...]:
    return getattr(of, _FIELDS)


class _Later:
    """A method until it is looked up: then its source is compiled, and the method takes this place.

    Where two threads compile it, either one is right.
    """

    def __init__(self, write: Callable[[type], tuple[str, dict[str, Any]]]) -> None:
        self._write = write

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        kind, name = self._owner, self._name
        source, names = self._write(kind)
        exec(compile(source, __file__, "exec"), names)  # No frame of the user's.
        made: Any = names[name]
        made.__qualname__, made.__module__ = f"{kind.__qualname__}.{name}", kind.__module__
        setattr(kind, name, made)
        return made if instance is None else made.__get__(instance, owner)


def _initialiser(kind: type, *, frozen: bool) -> tuple[str, dict[str, Any]]:
    parameters, lines = ["self"], list[str]()
    names: dict[str, Any] = {"_assign": _assign, "_MISSING": _MISSING}
    for each in _fields_of(kind):
        name, value = each.name, each.name
        default = f"_default_{name}"
        if each.default_factory is not _MISSING:
            names[default] = each.default_factory
            value = f"{default}()"
            if each.init:
                parameters.append(f"{name}=_MISSING")
                value += f" if {name} is _MISSING else {name}"
        elif each.default is not _MISSING:
            names[default] = each.default
            if each.init:
                parameters.append(f"{name}={default}")
            else:
                value = default
        elif each.init:
            parameters.append(name)
        else:
            continue
        place: Any = getattr(kind, name, None)
        if frozen and type(place) is _PLACE:
            names[f"_set_{name}"] = place.__set__  # a third quicker than by its name
            lines.append(f"_set_{name}(self, {value})")
        elif frozen:
            lines.append(f"_assign(self, {name!r}, {value})")
        else:
            lines.append(f"self.{name} = {value}")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines or ["pass"])
    return f"def __init__({', '.join(parameters)}):\n {body}", names


def _values(kind: type, of: str) -> str:
    """Returns the source of the tuple of what is compared of an object."""
    return f"({''.join(f'{of}.{each.name}, ' for each in _fields_of(kind) if each.compare)})"


def _comparison(kind: type, *, name: str, sign: str) -> tuple[str, dict[str, Any]]:
    source = f"""def {name}(self, other):
    if other.__class__ is self.__class__:
        return {_values(kind, "self")} {sign} {_values(kind, "other")}
    return NotImplemented"""
    return source, {}


def _hash(kind: type) -> tuple[str, dict[str, Any]]:
    return f"def __hash__(self):\n return hash({_values(kind, 'self')})", {}


class _StandardFields:
    """`__dataclass_fields__`: the fields as the standard library describes them."""

    def __get__(self, instance: object, owner: type) -> Any:
        import dataclasses

        described = [
            (each.name, each.type, dataclasses.field(**each.options()))
            for each in _fields_of(owner)
        ]
        made: Any = dataclasses.make_dataclass(owner.__name__, described)
        return made.__dataclass_fields__


_standard_fields: Final = _StandardFields()


@recursive_repr("...")
def _repr(self: object) -> str:
    shown = [f"{e.name}={getattr(self, e.name)!r}" for e in _fields_of(self) if e.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, value: object = None) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"the field {name!r} of {self!r} cannot be changed")


def _state(self: object) -> list[Any]:
    return [getattr(self, each.name) for each in _fields_of(self)]


def _restore(self: object, state: list[Any]) -> None:
    for each, value in zip(_fields_of(self), state, strict=True):
        _assign(self, each.name, value)


def _methods(*, frozen: bool, slots: bool, eq: bool, order: bool) -> dict[str, Any]:
    """Returns the methods that a class gets unless it defines them itself."""
    made: dict[str, Any] = {"__init__": _Later(partial(_initialiser, frozen=frozen))}
    made["__repr__"] = _repr
    signs = (_EQUALITY if eq else {}) | (_ORDER if order else {})
    for name, sign in signs.items():
        made[name] = _Later(partial(_comparison, name=name, sign=sign))
    if eq:
        made["__hash__"] = _Later(_hash) if frozen else None
    if frozen:
        made |= {"__setattr__": _refuse, "__delattr__": _refuse}
    if frozen and slots:
        made |= {"__getstate__": _state, "__setstate__": _restore}
    return made


def _slots_of(kind: type) -> Iterable[str]:
    found: Any = kind.__dict__.get("__slots__", ())
    return (found,) if isinstance(found, str) else found


def _dataclass(
    *, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False
) -> Callable[[type], type]:
    def make(given: type) -> type:
        body = {n: v for n, v in given.__dict__.items() if n not in ("__dict__", "__weakref__")}
        own = list(_declared_fields(body))
        bases = given.__mro__[:0:-1]
        known = [each for base in bases for each in base.__dict__.get(_FIELDS, ())]
        fields = tuple({each.name: each for each in (*known, *own)}.values())
        for each in own:
            body.pop(each.name, None)
            if not slots and each.default is not _MISSING:
                body[each.name] = each.default
        if body.get("__hash__") is None:  # also what defining `__eq__` alone leaves there
            body.pop("__hash__", None)
        made = _methods(frozen=frozen, slots=slots, eq=eq, order=order)
        if slots:
            taken = {name for base in bases for name in _slots_of(base)}
            made["__slots__"] = tuple(e.name for e in own if e.name not in taken)
        made["__match_args__"] = tuple(each.name for each in fields if each.init)
        made[_FIELDS], made["__dataclass_fields__"] = fields, _standard_fields
        made["__qualname__"] = given.__qualname__
        return type(given)(given.__name__, given.__bases__, made | body)

    return make


def _replace(value: object, /, **changes: object) -> Any:
    for each in _fields_of(value):
        if not each.init:
            if each.name in changes:
                raise ValueError(f"{each.name} is not among the parameters: it cannot be replaced")
        elif each.name not in changes:
            changes[each.name] = getattr(value, each.name)
    return value.__class__(**changes)


if TYPE_CHECKING:
    from dataclasses import dataclass, field, fields, replace
else:
    dataclass, field, fields, replace = _dataclass, Field, _fields_of, _replace
