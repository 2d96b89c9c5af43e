"""Kinds of public names: function, constant, scalar type, class, namespace.

`oakum.values.declarations.find` returns the declaration of a function; this module answers for the
other names too.
"""

import functools
import importlib
from collections.abc import Callable
from typing import Any, Final, Literal

from oakum.array import Array
from oakum.numpy.dtypes import DTypeGroup, ScalarType
from oakum.values.declarations import PublicFunction
from oakum.values.namespaces import ALIASES, NAMESPACES

NameKind = Literal[
    "namespace",  # `numpy.linalg`
    "transform",  # `jit`, `lax.scan`
    "scalar type",  # `numpy.float32`: a call converts, also a tracer
    "function",
    "dtype group",  # `numpy.floating`
    "class",  # `Array`, `errors.ConcretizationTypeError`
    "constant",  # `numpy.pi`
    "object",  # `numpy.s_`
]

MISSING: Final = object()
"""What `lookup` returns for a name that does not exist."""


@functools.cache
def lookup(name: str) -> Any:
    """Returns the object that a canonical name stands for, or `MISSING`.

    >>> lookup("numpy.newaxis") is None, lookup("numpy.no_such_name") is MISSING
    (True, True)
    """
    parts = ALIASES.get(name, name).split(".")
    for count in range(len(parts), -1, -1):
        namespace = ".".join(parts[:count])
        if namespace not in NAMESPACES:
            continue
        try:
            value: Any = importlib.import_module(f"oakum.{namespace}" if namespace else "oakum")
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("oakum."):
                return MISSING  # A public namespace in which oakum declares nothing.
            raise
        for part in parts[count:]:
            value = getattr(value, part, MISSING)
        return value
    return MISSING


def kind(name: str) -> NameKind | None:
    """Returns the kind of a canonical name; None if the name is not known.

    >>> kind("numpy.sum"), kind("jit"), kind("numpy.pi"), kind("numpy.float32")
    ('function', 'transform', 'constant', 'scalar type')
    >>> kind("numpy.linalg"), kind("numpy.ndarray"), kind("numpy.no_such_name")
    ('namespace', 'class', None)
    """
    if name in NAMESPACES:
        return "namespace"
    value = lookup(name)
    if value is MISSING:
        return None
    tests: tuple[tuple[NameKind, Callable[[Any], bool]], ...] = (
        ("scalar type", lambda each: isinstance(each, ScalarType)),
        ("transform", _is_transform),
        ("function", lambda each: isinstance(each, PublicFunction)),
        ("dtype group", lambda each: isinstance(each, DTypeGroup)),
        ("class", lambda each: each is Array or isinstance(each, type)),
        ("constant", lambda each: each is None or isinstance(each, (bool, int, float, str))),
    )
    for found, test in tests:
        if test(value):
            return found
    return "object"


def _is_transform(value: object) -> bool:
    return isinstance(value, PublicFunction) and value.facts.transform is not None
