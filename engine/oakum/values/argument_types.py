"""Checks arguments against the annotations of a public function: arrays, integers, shapes.

Invariants:
- An annotation is read only where all of its alternatives are known ones; what any of them may take
  is not refused.
- Only a value that is certainly of a wrong type is refused; traced values are of any.
- No array has a negative size, whatever function the size was given to.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, cast

from oakum.errors import InvalidValueError, OakumError, ShapeError
from oakum.values import codes
from oakum.values.avals import UNKNOWN, ShapedArray, scalar_kind
from oakum.values.dims import SymbolicDim, UnknownDim
from oakum.values.facts import Facts
from oakum.values.records import dataclass

Taken = Literal["array", "number", "integer", "integers", "text", "nothing"]

_ALTERNATIVES: Final[dict[str, tuple[Taken, ...]]] = {
    "ArrayLike": ("array", "number"),
    "Array": ("array", "number"),
    "int": ("integer",),
    "float": ("array", "number"),
    "str": ("text",),
    "None": ("nothing",),
    "Axis": ("nothing", "integer", "integers"),
    "Shape": ("integer", "integers"),
    "Sequence[int]": ("integers",),
    "tuple[int, ...]": ("integers",),
    "tuple[int, int]": ("integers",),
}


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of which it is known what it takes."""

    name: str
    takes: frozenset[Taken]
    position: int
    """Its position among those that take arrays."""
    several: bool = False
    """Whether it takes any number of arguments (`*arrays`)."""


def check(facts: Facts, arguments: Mapping[str, Any]) -> None:
    """Raises a coded error for an argument that certainly is of a type that is not taken."""
    for parameter in _parameters(facts):
        given = arguments[parameter.name]
        values = _several(given) if parameter.several else (given,)
        for at, value in enumerate(values):
            if value is not UNKNOWN and not _is_taken(value, parameter.takes):
                raise _type_error(facts.name, parameter, value, parameter.position + at)


def refusals(facts: Facts) -> dict[codes.Code, list[str]]:
    """Returns what `check` refuses, in words, by the code of the error.

    >>> import oakum.numpy
    >>> refusals(oakum.numpy.eye.facts)[codes.SHAPE_MISMATCH]
    ['`N` or `M` is no integer']
    """
    named: dict[tuple[codes.Code, str], list[str]] = {}
    for parameter in _parameters(facts):
        takes = parameter.takes
        if "array" in takes:
            wanted = "random key" if parameter.name == "key" else "array or number"
            found = [(codes.DTYPE_MISMATCH, f"no {wanted}")]
            if parameter.name != "key" and "integers" not in takes:
                found.append((codes.SEQUENCE_OPERAND, "a list or tuple"))
        elif takes <= {"text", "nothing"}:
            continue  # a number passes there
        elif "integer" in takes:
            also = " or sequence of integers" if "integers" in takes else ""
            found = [(codes.SHAPE_MISMATCH, f"no integer{also}")]
        else:
            found = [(codes.SHAPE_MISMATCH, "no sequence of integers")]
        for kind in found:
            named.setdefault(kind, []).append(f"`{parameter.name}`")
    sentences: dict[codes.Code, list[str]] = {}
    for (code, what), names in named.items():
        listed = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        sentences.setdefault(code, []).append(f"{listed} is {what}")
    return sentences


def _several(given: object) -> Iterable[Any]:
    """Returns the arguments of a parameter that takes any number, where they are known."""
    return cast("Iterable[Any]", given) if isinstance(given, tuple) else ()


_read: Final[dict[str, tuple[inspect.Signature, tuple[_Parameter, ...]]]] = {}
"""What was read of the signature of a function."""


def _parameters(facts: Facts) -> tuple[_Parameter, ...]:
    known = _read.get(facts.name)
    if known is None or known[0] is not facts.signature:
        known = _read[facts.name] = facts.signature, _read_parameters(facts)
    return known[1]


def _read_parameters(facts: Facts) -> tuple[_Parameter, ...]:
    found: list[_Parameter] = []
    arrays = 0
    for each in facts.signature.parameters.values():
        taken = set(_accepted_kinds(str(each.annotation)))
        if each.kind is each.VAR_KEYWORD or not taken:
            continue
        if each.kind is each.VAR_POSITIONAL and "array" not in taken:
            continue
        if (each.default is not each.empty and "array" not in taken) or each.default is None:
            # JAX takes None for many options that say nothing of it.
            taken.add("nothing")
        several = each.kind is each.VAR_POSITIONAL
        found.append(_Parameter(each.name, frozenset(taken), arrays, several))
        arrays += "array" in taken
    return tuple(found)


def _accepted_kinds(annotation: str) -> frozenset[Taken]:
    """Returns the kinds of values that an annotation accepts; the empty set if not known.

    >>> sorted(_accepted_kinds("int | None")), sorted(_accepted_kinds("int | Any"))
    (['integer', 'nothing'], [])
    """
    parts = annotation.split(" | ")
    if not all(part in _ALTERNATIVES for part in parts):
        return frozenset()
    return frozenset(taken for part in parts for taken in _ALTERNATIVES[part])


def _is_taken(value: object, takes: frozenset[Taken]) -> bool:
    match value:
        case ShapedArray():
            return True
        case SymbolicDim() | UnknownDim():
            return bool(takes & {"array", "integer"})
        case None:
            return "nothing" in takes
        case tuple() | list() | range():
            items = cast("Iterable[Any]", value)
            return "integers" in takes and all(map(_may_be_integer, items))
        case dict():
            return False
        case _:
            kind = scalar_kind(value)
            if kind is None:
                return True
            if kind == "str":
                return "text" in takes
            if kind in ("int", "bool"):
                return bool(takes & {"number", "integer"}) or takes <= {"text", "nothing"}
            return "number" in takes or takes <= {"text", "nothing"}


def _may_be_integer(value: object) -> bool:
    """Whether an item of a sequence of integers may be one."""
    if value is None or isinstance(value, (tuple, list, dict)):
        return False
    kind = scalar_kind(value)
    return kind in (None, "int", "bool")


def _type_error(name: str, parameter: _Parameter, value: object, position: int) -> OakumError:
    namespace, _, function = name.rpartition(".")
    kind = _kind(value)
    if "array" in parameter.takes:
        if namespace.startswith("lax"):
            message = f"Argument {parameter.name} of {function} is not a valid JAX type: got {kind}"
        else:
            message = f"{function} requires ndarray or scalar arguments, got {kind} at position"
            message = f"{message} {position}"
        if parameter.name == "key":
            hint = f"Give a random key there: {function}(jax.random.key(0), ...)."
            return InvalidValueError(message, hint=hint)
        if isinstance(value, (tuple, list)):
            hint = "Make an array of it with jnp.asarray."
            return InvalidValueError(message, code=codes.SEQUENCE_OPERAND, hint=hint)
        return InvalidValueError(message, hint="Give an array or a number.")
    if parameter.takes <= {"text", "nothing"}:
        return InvalidValueError(
            f"{parameter.name} of {function} has to be a string, got {kind}", hint="Give a name."
        )
    if "shape" in parameter.name or parameter.name in ("dimensions", "sizes", "new_sizes"):
        return InvalidValueError(
            "Shapes must be 1D sequences of concrete values of integer type",
            detail=f"Got {kind} for {parameter.name} of {function}",
            code=codes.SHAPE_MISMATCH,
            hint="Give a tuple of integers.",
        )
    what = "Integers are" if parameter.takes <= {"integers", "nothing"} else "An integer is"
    return ShapeError(
        f"{what} needed for {parameter.name} of {function}, got {kind}", hint="Give an integer."
    )


def _kind(value: object) -> str:
    """Returns the type of a value as messages show it."""
    if value is None:
        return "<class 'NoneType'>"
    return str(_TYPES.get(scalar_kind(value) or "") or type(value))


_TYPES: Final[dict[str, type]] = {
    "str": str,
    "int": int,
    "bool": bool,
    "float": float,
    "complex": complex,
}


@dataclass(frozen=True, slots=True)
class Slice:
    """The elements `start`, `start + stride`, ... of an axis, `size` of them.

    The start may be traced, the size may not.
    """

    start: Any
    size: int
    stride: int = 1

    def __post_init__(self) -> None:
        if self.stride < 0:
            raise ValueError(f"`stride` must be >= 0, and is {self.stride}")
