"""Reading the arguments of NumPy's functions: arrays, axes, shapes and common dtypes, and choices
that have to be known while a function is traced.

Invariants:
- A function of `oakum.numpy` refuses lists and strings where it takes arrays, as JAX does.
- Promotion here is that of `oakum.values.promotion`; weak types are kept where all
  operands are weak.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence, Set
from typing import Any, cast

from oakum import dtypes, errors, lax
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.lax import conversion
from oakum.numpy import coercion
from oakum.primitives.rules.arguments import array as array
from oakum.primitives.rules.arguments import axis as axis
from oakum.primitives.rules.arguments import broadcast_shapes, integer
from oakum.primitives.rules.arguments import dtype_of as dtype_of
from oakum.primitives.rules.arguments import rank_of as rank_of
from oakum.primitives.rules.arguments import shape_of as shape_of
from oakum.runtime.arrays import is_array_like
from oakum.tracing import concretization_errors, dtype_requests
from oakum.tracing.trace import Tracer, as_operand, aval_of, full_lower
from oakum.typing import ArrayLike, Placement
from oakum.values import codes, host, promotion
from oakum.values.uses import Use


def is_list(value: object) -> bool:
    """Returns whether a value is a list or a tuple."""
    return isinstance(value, (tuple, list))


def is_tuple(value: object) -> bool:
    """Returns whether a value is a tuple."""
    return isinstance(value, tuple)


def is_slice(value: object) -> bool:
    """Returns whether a value is a slice."""
    return isinstance(value, slice)


def check_arrays(function: str, *values: object) -> None:
    """Raises TypeError for the first argument that is neither an array nor a number."""
    for position, value in enumerate(values):
        if not is_array_like(value):
            raise no_array(function, value, position)


def no_array(function: str, value: object, position: int) -> errors.InvalidValueError:
    """Returns the error of an argument that is neither an array nor a number."""
    return errors.InvalidValueError(
        f"{function} requires ndarray or scalar arguments, got {type(value)} at position "
        f"{position}",
        code=codes.SEQUENCE_OPERAND if is_list(value) else None,
        hint="Make an array of it with jnp.asarray.",
    )


def check_arrays_or_none(function: str, *values: object) -> None:
    """Like `check_arrays`, for arguments that may be None."""
    check_arrays(function, *(0 if value is None else value for value in values))


def arrays(function: str, *values: object) -> list[Any]:
    """Returns the arrays of the arguments of a function; TypeError for what is none."""
    check_arrays(function, *values)
    return [array(value) for value in values]


def size_of(value: object) -> int:
    """Returns the number of elements of an array-like value."""
    size = 1
    for each in shape_of(value):
        size *= each
    return size


def is_kind(value: object, *kinds: Kind) -> bool:
    """Returns whether the elements of an array-like value are of one of these kinds."""
    return cast("DType", aval_of(value).dtype).kind in kinds


def is_inexact(value: object) -> bool:
    """Returns whether the elements are floats or complex numbers."""
    return is_kind(value, Kind.FLOAT, Kind.COMPLEX)


def is_complex(value: object) -> bool:
    """Returns whether the elements are complex numbers."""
    return is_kind(value, Kind.COMPLEX)


def requested_dtype(dtype: object, function: str = "") -> DType:
    """Returns the canonical dtype of a dtype argument of a function."""
    return dtype_requests.requested(dtype, function)


def canonical_dtype(dtype: object) -> DType:
    """Returns the canonical dtype of what has a dtype already, such as an array of the host."""
    result = dtypes.canonicalize(host.read_dtype(dtype))
    assert result is not None
    return result


def convert(value: object, dtype: DType, weak_type: bool = False) -> Any:
    """Returns the array converted to a dtype and a weak type."""
    return conversion.converted(value, dtype, weak_type)


def strong(value: object) -> Any:
    """Returns the array without weak type."""
    return convert(value, dtype_of(value))


def strong_above_scalars(value: object) -> Any:
    """Returns the array without weak type where it has an axis: what some functions of JAX give."""
    return strong(value) if rank_of(value) else value


def promote(*values: Any) -> list[Any]:
    """Returns arrays converted to their common dtype."""
    return coercion.promote_dtypes(values)


def promote_inexact(*values: Any) -> list[Any]:
    """Returns arrays converted to their common dtype, which for integers is the default float."""
    return coercion.promote_dtypes(values, coercion.to_inexact)


def inexact(dtype: DType) -> DType:
    """Returns the dtype itself if it is inexact, else the default float."""
    if dtype.kind in (Kind.FLOAT, Kind.COMPLEX):
        return dtype
    return canonical_dtype(dtypes.float64)


def promote_dtype(value: object, dtype: DType) -> DType:
    """Returns the dtype that an array and a dtype promote to."""
    common, _ = promotion.promote([aval_of(value).typing, (dtype, False)])
    assert common is not None
    return common


def default_int() -> DType:
    """Returns the dtype of indices and counts."""
    return canonical_dtype(dtypes.int64)


def axes(value: object, rank: int) -> tuple[int, ...]:
    """Returns axes counted from the front; None means all, an integer one. An axis named twice
    raises.
    """
    if value is None:
        return tuple(range(rank))
    several = isinstance(value, (tuple, list, range, Set))
    given = cast("Iterable[Any]", value) if several else (value,)
    result = tuple(axis(each, rank) for each in given)
    if len(set(result)) != len(result):
        raise errors.ShapeError(f"duplicate value in 'axis': {value}", hint="Name each axis once.")
    return result


def sizes(value: Any, what: str = "a shape") -> tuple[int, ...]:
    """Returns the sizes that a shape argument gives: an integer or a sequence of them."""
    if isinstance(value, Tracer):
        raise concretization_errors.concretization_error(value, Use.SHAPE, what)
    given: Iterable[Any] = (value,)
    if isinstance(value, (Array, host.np.ndarray)):
        given = host.np.asarray(value).reshape(-1).tolist()
    elif is_list(value) or hasattr(value, "__iter__"):
        given = value
    return tuple(size(each, what) for each in given)


def size(value: Any, what: str = "a shape") -> int:
    """Returns one size: an integer that is known."""
    if isinstance(value, Tracer):
        raise concretization_errors.concretization_error(value, Use.SHAPE, what)
    try:
        return operator.index(value)
    except TypeError:
        raise errors.ShapeError(
            f"Shapes must be 1D sequences of concrete values of integer type, got {value!r} of "
            f"type {type(value)} in {what}",
            hint="Give integers: divide sizes with `//`, which keeps them so.",
        ) from None


def refuse_out(function: str, out: object) -> None:
    """Raises NotImplementedError when NumPy's `out` is given, which arrays cannot serve."""
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to {function} is not supported.")


def broadcast_to(value: object, shape: Sequence[int]) -> Any:
    """Returns the array broadcast to a shape by NumPy's rule; ValueError when it does not fit."""
    result = array(value)
    have = shape_of(result)
    want = tuple(shape)
    if have == want:
        return result
    lead = len(want) - len(have)
    fits = lead >= 0 and all(n in (1, m) for n, m in zip(have, want[max(lead, 0) :], strict=False))
    if not fits:
        raise errors.ShapeError(
            f"Incompatible shapes for broadcasting: {have} and requested shape {want}",
            hint="Reshape the array, or ask for a shape that its sizes fit.",
        )
    return lax.broadcast_in_dim(result, want, tuple(range(lead, len(want))))


def broadcast(*values: ArrayLike) -> list[Any]:
    """Returns arrays broadcast against each other."""
    if len(values) == 1:
        return [array(values[0])]
    shapes = [shape_of(value) for value in values]
    if all(shape == shapes[0] for shape in shapes):
        return [array(value) for value in values]
    shape = broadcast_shapes(*shapes)
    return [broadcast_to(value, shape) for value in values]


def known(value: object) -> Any:
    """Returns the data of an array that has them while it is traced; None of an abstract tracer."""
    value = full_lower(as_operand(value))
    return None if isinstance(value, Tracer) else array(value).raw


def demand(value: object, construct: str) -> Any:
    """Returns the data of an array that decide the size of a result; an error where they are not
    known.
    """
    data = known(value)
    if data is None:
        assert isinstance(value, Tracer)
        raise concretization_errors.concretization_error(value, Use.DYNAMIC_SIZE, construct)
    return data


def _concrete(value: object, construct: str, use: Use = Use.OPTION, *, final: bool = False) -> Any:
    """Returns a value as it is, and the array of a tracer that has one; an error for other tracers.

    The error is put in terms of the declaration of the function, unless its text is final.
    """
    value = full_lower(as_operand(value))
    if isinstance(value, Tracer):
        error = concretization_errors.concretization_error(value, use, construct)
        error.__dict__["names_parameter"] = final
        raise error
    return value


def static_integer(
    value: object, construct: str, use: Use = Use.OPTION, *, final: bool = False
) -> int:
    """Returns a Python integer."""
    return integer(_concrete(value, construct, use, final=final), construct)


def static_number(
    value: object, construct: str, use: Use = Use.SIZE, *, final: bool = False
) -> Any:
    """Returns a number of the host: a Python number, or the element of a scalar array."""
    value = _concrete(value, construct, use, final=final)
    if isinstance(value, Array):
        return host.np.asarray(value)[()]
    return value


def static_axes(function: str, axis: object) -> int | tuple[int, ...] | None:
    """Returns an axis argument of a function: all axes, one, or several, none of them traced."""
    if axis is None:
        return None
    construct = f"the axis of jnp.{function}()"
    if isinstance(axis, (tuple, list, range, Set)):
        given = cast("Iterable[Any]", axis)
        return tuple(static_integer(each, construct) for each in given)
    value = _concrete(axis, construct)
    if isinstance(value, (Array, host.np.ndarray)) and rank_of(value) == 1:
        return tuple(int(each) for each in host.np.asarray(value))
    return integer(value, construct)


def placed(
    array: ArrayLike,
    function: str,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Any:
    """Returns an array moved to the device or sharding that a function was asked for."""
    if device is not None and out_sharding is not None:
        raise ValueError(
            f"Only one of `device` or `out_sharding` can be set in jnp.{function}; got {device=} "
            f"and {out_sharding=}"
        )
    wanted = device if device is not None else out_sharding
    if wanted is None:
        return array
    from oakum.api import device_functions

    return device_functions.device_put(array, wanted)


def described(function: str, value: Array) -> tuple[tuple[int, ...], Any]:
    """Returns the shape and aval of an array, or of an object that has a shape and a dtype."""
    if not (hasattr(value, "shape") and hasattr(value, "dtype")):
        check_arrays(function, value)
        value = as_operand(value)
        return shape_of(value), aval_of(value)
    return tuple(value.shape), value
