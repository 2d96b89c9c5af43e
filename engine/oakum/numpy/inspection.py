"""Shapes, dtypes and other properties of arrays, and how arrays are printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, cast

from oakum import dtypes
from oakum import numpy as jnp
from oakum.abstract import inspection, results
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, coercion
from oakum.numpy.dtypes import DTypeGroup, ScalarType
from oakum.tracing.dtype_requests import canonical, narrowed, requested, warn
from oakum.tracing.trace import as_operand, aval_of
from oakum.typing import DTypeLike
from oakum.values import host, promotion
from oakum.values.avals import ShapedArray
from oakum.values.declarations import public


@public("numpy.shape", inspection.shape, static_result=True)
def shape(a: Any) -> tuple[int, ...]:
    """Returns the shape of an array."""
    found = getattr(a, "shape", None)
    return _measured("shape", a).shape if found is None else found


def _measured(function: str, value: object) -> Any:
    """Returns the host's array of a value without a shape; lists are taken with a warning."""
    value = as_operand(value)
    if not arguments.is_array_like(value):
        warn(
            f"{function} requires ndarray or scalar arguments, got {type(value)} at position 0. In "
            "a future JAX release this will be an error.",
            DeprecationWarning,
        )
    return host.np.asarray(value) if not isinstance(value, Array) else value


@public("numpy.ndim", inspection.ndim, static_result=True)
def ndim(a: Any) -> int:
    """Returns the number of dimensions of an array."""
    found = getattr(a, "ndim", None)
    return _measured("ndim", a).ndim if found is None else found


@public("numpy.size", inspection.size, static=("axis",), static_result=True)
def size(a: Any, axis: int | Sequence[int] | None = None) -> int:
    """Returns the number of elements of an array, in all or along axes."""
    if axis is None and getattr(a, "size", None) is not None:
        return a.size
    sizes = a.shape if hasattr(a, "shape") else _measured("size", a).shape
    return math.prod(sizes[each] for each in arguments.axes(axis, len(sizes)))


@public("numpy.result_type", inspection.result_type, static_result=True)
def result_type(*args: Any) -> DTypeLike:
    """Returns the dtype that operands promote to."""
    return host.visible_dtype(promoted_dtype(args)[0])


def promoted_dtype(values: Sequence[Any]) -> tuple[DType, bool]:
    """Returns the dtype and the weak type that arrays, numbers and dtypes promote to."""
    if not values:
        raise ValueError("at least one array or dtype is required")
    default = ShapedArray((), canonical(dtypes.float64))
    avals = [default if value is None else described(value) for value in values]
    dtype, weak_type = coercion.common_type_of(avals)
    if weak_type and dtype.kind in _DEFAULTS:
        dtype = canonical(_DEFAULTS[dtype.kind])
    return dtype, weak_type


_DEFAULTS: Final = {
    Kind.INT: dtypes.int64,
    Kind.UINT: dtypes.uint64,
    Kind.FLOAT: dtypes.float64,
    Kind.COMPLEX: dtypes.complex128,
}


def described(value: object) -> ShapedArray:
    """Returns the dtype and weak type of an array, a number, or what names a dtype, as a scalar."""
    value = as_operand(value)
    if any(value is kind for kind in _WEAK):
        return ShapedArray((), requested(value), weak_type=True)
    if isinstance(value, (str, type, DType, host.np.dtype)) or hasattr(value, "element"):
        return ShapedArray((), _named(value))
    if isinstance(value, (bool, int, float, complex, Array)):
        return aval_of(value).update(shape=())
    if hasattr(value, "dtype"):
        return ShapedArray((), canonical(host.read_dtype(value)))
    raise DTypeError(
        f"Cannot determine dtype of {value!r}", hint="Make an array of it with jnp.asarray."
    )


def _named(value: object) -> DType:
    if value is bool:
        return dtypes.bool_
    return narrowed(host.read_dtype(value), "dtype")


_WEAK: Final[dict[Any, Kind]] = {int: Kind.INT, float: Kind.FLOAT, complex: Kind.COMPLEX}


@public("numpy.promote_types", inspection.result_type, static_result=True)
def promote_types(a: DTypeLike, b: DTypeLike) -> DTypeLike:
    """Returns the dtype that two dtypes promote to."""
    return host.dtype(_promote_types(a, b))


def _promote_types(left: object, right: object) -> DType:
    """Returns the dtype that two dtypes promote to; it is not narrowed."""
    return promotion.promote_dtypes(_node(left), _node(right))


def _node(value: object) -> DType | Kind:
    if isinstance(value, type) and value in _WEAK:
        return _WEAK[value]
    return host.read_dtype(value)


@public("numpy.can_cast", inspection.python_bool, static_result=True)
def can_cast(from_: object, to: DTypeLike, casting: str = "safe") -> bool:
    """Tells whether a dtype converts to another under a casting rule."""
    source = from_.dtype if isinstance(from_, ScalarType) else from_
    return bool(host.np.can_cast(source, host.dtype(host.read_dtype(to)), casting=casting))


@public("numpy.issubdtype", inspection.is_subdtype, static_result=True)
def issubdtype(arg1: DTypeLike, arg2: DTypeLike | DTypeGroup) -> bool:
    """Tells whether a dtype belongs to a group of dtypes."""
    return is_subdtype(arg1, arg2)


def is_subdtype(given: Any, group: Any) -> bool:
    """Returns whether a dtype, or a group of them, belongs to a group or is a dtype."""
    wanted, own = _group_of(group), _group_of(given)
    if own is not None:
        inside = dtypes.GROUPS.get(own, frozenset())
    else:
        found = dtypes.float64 if given is None else host.read_dtype(given)
        if wanted is None:
            return found is _dtype_or_none(group)
        inside = frozenset((found.kind,))
    if wanted is None or wanted not in dtypes.GROUPS:
        return own is not None and own == wanted
    return inside <= dtypes.GROUPS[wanted]


def _dtype_or_none(value: object) -> DType | None:
    """Returns the dtype that a value names; None of NumPy's dtypes that arrays do not have."""
    if value is None:
        return dtypes.float64
    try:
        return host.read_dtype(value)
    except DTypeError:
        host.np.dtype(value)
        return None


def _group_of(value: Any) -> str | None:
    """Returns the name of the group of dtypes that a value is; None of a single dtype."""
    name = getattr(value, "__name__", None)
    if isinstance(value, type):
        return name if issubclass(value, host.np.generic) and name in dtypes.GROUPS else None
    return value.name if type(value).__name__ == "DTypeGroup" else None


@public("numpy.isdtype", inspection.python_bool, static_result=True)
def isdtype(dtype: DTypeLike, kind: str | DTypeLike | tuple[str | DTypeLike, ...]) -> bool:
    """Tells whether a dtype is of a kind such as "real floating"."""
    return is_of_kind(dtype, kind)


def is_of_kind(dtype: object, kinds: object) -> bool:
    """Returns whether a dtype is of a kind that a word names, or one of several dtypes and
    kinds.
    """
    found = host.read_dtype(dtype)
    options = cast("tuple[Any, ...]", kinds if isinstance(kinds, tuple) else (kinds,))
    matches = [_matches(found, kind) for kind in options]  # Each is checked, also after a match.
    return any(matches)


def _matches(dtype: DType, kind: object) -> bool:
    if isinstance(kind, str) and kind in _KINDS:
        return dtype.kind in _KINDS[kind]
    try:
        return dtype is host.read_dtype(kind)
    except DTypeError:
        if not isinstance(kind, str):
            raise TypeError(f"Expected kind to be a dtype, string, or tuple; got {kind=}") from None
    raise ValueError(
        f"Unrecognized {kind=} expected one of {list(_KINDS)}, or a compatible input for "
        "jnp.dtype()"
    )


_KINDS: Final[dict[str, tuple[Kind, ...]]] = {
    "bool": (Kind.BOOL,),
    "signed integer": (Kind.INT,),
    "unsigned integer": (Kind.UINT,),
    "integral": (Kind.INT, Kind.UINT),
    "real floating": (Kind.FLOAT,),
    "complex floating": (Kind.COMPLEX,),
    "numeric": (Kind.INT, Kind.UINT, Kind.FLOAT, Kind.COMPLEX),
}


@public("numpy.isscalar", inspection.python_bool, static_result=True)
def isscalar(element: Any) -> bool:
    """Tells whether a value is a number or an array without dimensions."""
    if isinstance(element, (Array, host.np.ndarray)):
        return element.ndim == 0
    if hasattr(element, "__jax_array__"):
        return isscalar(element.__jax_array__())
    return bool(host.np.isscalar(element))


@public("numpy.iterable", inspection.python_bool, static_result=True)
def iterable(y: Any) -> Any:
    """Tells whether a value can be iterated."""
    return host.np.iterable(y)


@public(
    "numpy.iscomplexobj",
    inspection.of_dtype(lambda dtype: dtype.kind is Kind.COMPLEX),
    static_result=True,
)
def iscomplexobj(x: Any) -> bool:
    """Tells whether an array has a complex dtype."""
    return _is_complex(x)


def _is_complex(value: Any) -> bool:
    """Returns whether a value has complex elements."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return False
    if isinstance(value, complex):
        return True
    if not hasattr(value, "dtype"):
        value = jnp.asarray(value)
    return host.read_dtype(value.dtype).kind is Kind.COMPLEX


@public(
    "numpy.isrealobj",
    inspection.of_dtype(lambda dtype: dtype.kind is not Kind.COMPLEX),
    static_result=True,
)
def isrealobj(x: Any) -> bool:
    """Tells whether an array has a dtype that is not complex."""
    return not _is_complex(x)


@public(
    "numpy.broadcast_shapes", inspection.broadcast_shapes, shapes=("shapes",), static_result=True
)
def broadcast_shapes(*shapes: Any) -> Any:
    """Returns the shape that shapes broadcast to."""
    sizes = [arguments.sizes(each, "a shape of jnp.broadcast_shapes()") for each in shapes]
    return arguments.broadcast_shapes(*sizes)


@public("numpy.get_printoptions", static_result=True)
def get_printoptions() -> Any:
    """Returns the options with which arrays are printed."""
    return host.np.get_printoptions()


@public("numpy.set_printoptions", results.nothing)
def set_printoptions(*args: Any, **kwargs: Any) -> Any:
    """Sets the options with which arrays are printed."""
    return host.np.set_printoptions(*args, **kwargs)


@public("numpy.printoptions")
def printoptions(*args: Any, **kwargs: Any) -> Any:
    """Sets the options with which arrays are printed in a block."""
    return host.np.printoptions(*args, **kwargs)
