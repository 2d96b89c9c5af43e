"""Abstract values in words, as `oakum debug values` prints them."""

from collections.abc import Iterable

from oakum_lint.arrays.enums import EnumMember
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    Transformed,
)
from oakum_lint.domain.values import (
    Array,
    Choice,
    Constant,
    Device,
    DTypeValue,
    Entries,
    External,
    HeapObject,
    Items,
    LibraryObject,
    Place,
    Scalar,
    SliceValue,
    Tree,
    TupleValue,
    Unknown,
    UpdateRef,
    Value,
)

DEEPEST = 3
"""Values that are held deeper are not shown."""
MOST = 8
"""So many of the elements of one value are shown."""
_PLACES = {
    Place.HOST: "array of NumPy",
    Place.DEVICE: "array",
    Place.ANY: "array or tracer",
    Place.CONCRETE: "tracer with a value",
    Place.ABSTRACT: "tracer",
}
_MARKS = {
    Place.HOST: "numpy ",
    Place.DEVICE: "",
    Place.ANY: "",
    Place.CONCRETE: "traced ",
    Place.ABSTRACT: "traced ",
}
_MOST_TYPES = 4


def describe(value: Value, depth: int = DEEPEST) -> str:
    """A value in a line: what it is, and what each analysis knows of it.

    >>> describe(TupleValue((Constant(2), External("jax.numpy.sum"))))
    'tuple of 2, `jax.numpy.sum`'
    """
    if depth == 0:
        return "..."
    match value:
        case Array(aval):
            what = (f"{_PLACES[value.place]} {aval}{_level(value.level)}", *_known(value))
            return ", ".join(what)
        case Tree():
            return f"tree of tracers{_level(value.level)}"
        case Constant(EnumMember(cls, name)):
            return f"`{cls.name}.{name}`"
        case Constant():
            return repr(value.value)
        case Scalar():
            return f"{value.kind} of unknown value"
        case Unknown():
            return "unknown"
        case UpdateRef(array):
            return f"`.at` of {describe(array, depth - 1)}"
        case _:
            return _named(value) or _made_of(value, depth) or _several(value, depth)


def type_words(value: Value) -> str | None:
    """What a type checker would write after a name, in JAX's own spelling of avals; None for what
    is no array, nor a short tuple of arrays.

    >>> from oakum.values.avals import parse_aval
    >>> traced, weak = (Array(parse_aval(each), Place.ABSTRACT) for each in ("f32[8,3]", "~f32[]"))
    >>> type_words(traced), type_words(TupleValue((weak, Array(weak.aval, Place.HOST))))
    ('traced f32[8,3]', '(traced ~f32[], numpy ~f32[])')
    """
    match value:
        case Array(aval) if aval.shape is not None or aval.dtype is not None:
            return f"{_MARKS[value.place]}{aval}"
        case TupleValue(tuple() as elements) if 0 < len(elements) <= _MOST_TYPES:
            words = [_array_words(each) for each in elements]
            return f"({', '.join(words)})" if any(each != "?" for each in words) else None
        case _:
            return None


def _array_words(value: Value) -> str:
    known = type_words(value) if isinstance(value, Array) else None
    return known or "?"


def _named(value: Value) -> str:
    """Describes a value that has a name, or a class with one; "" for all else."""
    match value:
        case External(path):
            return f"`{path}`"
        case FunctionValue():
            return f"function `{value.name}`"
        case ClassValue():
            return f"class `{value.name}`"
        case ModuleValue(module):
            return f"module `{module.name}`"
        case LibraryObject(path):
            return f"instance of `{path}`"
        case HeapObject():
            return value.kind if value.cls is None else f"instance of `{value.cls.name}`"
        case _:
            return ""


def _made_of(value: Value, depth: int) -> str:
    """Describes a value made of a function or a method; "" for all else."""
    match value:
        case Method(receiver, name):
            return f"method `{name}` of {describe(receiver, depth - 1)}"
        case BoundMethod(function, receiver):
            return f"bound {describe(function, depth - 1)} of {describe(receiver, depth - 1)}"
        case Partial():
            return f"partial of {describe(value.function, depth - 1)}"
        case Transformed():
            return f"{value.name} of {describe(value.function, depth - 1)}"
        case _:
            return ""


def _several(value: Value, depth: int) -> str:
    """Values that hold others, and what is left."""
    match value:
        case TupleValue(elements, rest) | Items(elements, rest):
            kind = "tuple" if isinstance(value, TupleValue) else "elements"
            if elements is None:
                return f"{kind} of unknown length of {describe(rest, depth - 1)}"
            return f"{kind} of {_listed(elements, depth, ', ')}" if elements else f"empty {kind}"
        case Choice(options):
            return _listed(options, depth, " or ")
        case Entries(known):
            pairs = [f"{key!r}: {describe(held, depth - 1)}" for key, held in known[:MOST]]
            return f"entries {', '.join(pairs)}" if pairs else "no known entries"
        case Device(source, _, number):
            return f"a device of `{source}`" if number is None else f"device {number} of `{source}`"
        case DTypeValue(name):
            return f"dtype {name or 'of unknown name'}"
        case SliceValue(lower, upper, step):
            return f"slice of {_listed((lower, upper, step), depth, ', ')}"
        case _:
            return type(value).__name__


def _listed(values: Iterable[Value], depth: int, separator: str) -> str:
    shown = [describe(each, depth - 1) for each in values]
    return separator.join(shown[:MOST] + ["..."] * (len(shown) > MOST))


def _level(level: int) -> str:
    return f" of level {level}" if level else ""


def _known(array: Array) -> Iterable[str]:
    """Yields the knowledge of each analysis about an array, after the name of its subject."""
    if array.apart:
        yield f"not by what is differentiated at level {array.apart}"
    for facet, content in array.facets:
        yield f"{facet.name}: {facet.words(content)}"
