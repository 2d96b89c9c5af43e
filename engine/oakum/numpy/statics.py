"""Arguments that have to be known while a function is traced: axes, counts and other choices."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING, Any, cast

from oakum.array import Array
from oakum.numpy import arguments
from oakum.tracing import concretization_errors
from oakum.tracing.trace import Tracer, as_operand, aval_of, full_lower
from oakum.values import host, integer_arguments
from oakum.values.lazy_modules import Namespace
from oakum.values.uses import Use

if TYPE_CHECKING:
    from oakum.api import device_functions
else:
    device_functions = Namespace("oakum.api.device_functions")


def known(value: Any, construct: str, use: Use = Use.OPTION, *, final: bool = False) -> Any:
    """A value as it is, and the array of a tracer that has one; an error for other tracers.

    The error is put in terms of the declaration of the function, unless its text is final.
    """
    value = full_lower(as_operand(value))
    if isinstance(value, Tracer):
        error = concretization_errors.concretization_error(value, use, construct)
        error.__dict__["names_parameter"] = final
        raise error
    return value


def integer(value: Any, construct: str, use: Use = Use.OPTION, *, final: bool = False) -> int:
    """A Python integer."""
    return integer_arguments.index(known(value, construct, use, final=final), construct)


def number(value: Any, construct: str, use: Use = Use.SIZE, *, final: bool = False) -> Any:
    """A number of the host: a Python number, or the element of a scalar array."""
    value = known(value, construct, use, final=final)
    if isinstance(value, Array):
        return host.np.asarray(value)[()]
    return value


def axes(function: str, axis: Any) -> int | tuple[int, ...] | None:
    """An axis argument of a function: all axes, one, or several, none of them traced."""
    if axis is None:
        return None
    construct = f"the axis of jnp.{function}()"
    if isinstance(axis, (tuple, list, range, Set)):
        given = cast("Iterable[Any]", axis)
        return tuple(integer(each, construct) for each in given)
    value = known(axis, construct)
    if isinstance(value, (Array, host.np.ndarray)) and arguments.rank_of(value) == 1:
        return tuple(int(each) for each in host.np.asarray(value))
    return integer_arguments.index(value, construct)


def sizes(value: Any, construct: str) -> tuple[int, ...]:
    """A shape argument: one size, or a sequence of them."""
    return arguments.sizes(value, construct)


def placed(array: Any, function: str, device: Any = None, out_sharding: Any = None) -> Any:
    """An array moved to the device or sharding that a function was asked for."""
    if device is not None and out_sharding is not None:
        raise ValueError(
            f"Only one of `device` or `out_sharding` can be set in jnp.{function}; got {device=} "
            f"and {out_sharding=}"
        )
    wanted = device if device is not None else out_sharding
    return array if wanted is None else device_functions.device_put(array, wanted)


def described(function: str, value: Any) -> tuple[tuple[int, ...], Any]:
    """The shape and aval of an array, or of an object that has a shape and a dtype."""
    if not (hasattr(value, "shape") and hasattr(value, "dtype")):
        arguments.check_arrays(function, value)
        value = as_operand(value)
        return arguments.shape_of(value), aval_of(value)
    return tuple(value.shape), value
