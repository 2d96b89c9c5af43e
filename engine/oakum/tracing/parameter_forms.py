"""The objects that stand in the parameters of programs, as named fields that text can hold.

Options, dimension numbers, generators of random bits and shardings are written as calls,
`GatherDimensionNumbers(offset_dims=(0,), ...)`, enumerations as `GatherScatterMode.CLIP`. The
module of a class registers it here; the printer takes objects apart, and the parser makes them.

Invariants:
- `make(name, fields_of(value))` equals the value, for every value that has a form.
- Functions have no form, nor have objects of classes that are not registered.
"""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

from oakum.tracing.trace import Primitive
from oakum.values.records import dataclass, fields

T = TypeVar("T")
K = TypeVar("K", bound=type[Any])


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """Reads the fields of objects of a class, and makes an object from fields."""

    kind: type[T]
    fields: Callable[[T], dict[str, Any]]
    make: Callable[..., T]


FORMS: Final[dict[str, Form[Any]]] = {}
"""The forms of classes, by the names of these."""

ENUMERATIONS: Final[dict[str, type[enum.Enum]]] = {}
"""The enumerations whose members stand in parameters, by name."""


def register(kind: K) -> K:
    """Has objects of a class written by its fields, or members of an enumeration by their names; a
    decorator.
    """
    if issubclass(kind, enum.Enum):
        ENUMERATIONS[kind.__name__] = kind
    else:
        FORMS[kind.__name__] = Form(kind, _record_fields, kind)
    return kind


def register_form(
    kind: type[T], fields: Callable[[T], dict[str, Any]], make: Callable[..., T] | None = None
) -> None:
    """Has objects of a class written by these fields and made of them; by default, by the class."""
    FORMS[kind.__name__] = Form(kind, fields, kind if make is None else make)


def _record_fields(value: Any) -> dict[str, Any]:
    names = getattr(value, "_fields", None) or [each.name for each in fields(value)]
    return {name: getattr(value, name) for name in names}


def name_of(value: object) -> str | None:
    """Returns the name under which an object is written; None where it has no form."""
    name = type(value).__name__
    form = FORMS.get(name)
    return name if form is not None and form.kind is type(value) else None


def fields_of(value: object) -> dict[str, Any]:
    """Returns the fields of an object that has a form."""
    return FORMS[type(value).__name__].fields(value)


def make(name: str, fields: Mapping[str, Any]) -> Any:
    """Returns the object of this name with these fields; TypeError or KeyError where
    there is none.
    """
    return FORMS[name].make(**fields)


def find_member(name: str) -> enum.Enum | None:
    """Returns the member of an enumeration by its full name; None where there is none."""
    kind, _, member = name.partition(".")
    found = ENUMERATIONS.get(kind)
    return found.__members__.get(member) if found is not None else None


@functools.cache
def parameters(primitive: Primitive) -> frozenset[str]:
    """Returns the names of the parameters that a primitive has to be given, None at the least.

    >>> from oakum.primitives.conversion import convert_element_type_p
    >>> sorted(parameters(convert_element_type_p))
    ['new_dtype', 'weak_type']
    """
    rules = [primitive.abstract, primitive.evaluate, primitive.jvp, primitive.transpose]
    rules += [primitive.batch, primitive.partial, primitive.interpret, primitive.effects]
    rules += primitive.derivatives or ()
    return frozenset(
        name for rule in rules if rule is not None for name in _required_parameters(rule)
    )


def _required_parameters(rule: Callable[..., object]) -> list[str]:
    return [
        each.name
        for each in inspect.signature(rule).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.default is each.empty
    ]
