"""Arrays made of Python data: numbers, nested sequences, arrays of the host and of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from oakum import dtypes, errors, lax, primitives
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.lax import conversion
from oakum.numpy import arguments, promoting
from oakum.runtime.arrays import wrap
from oakum.tracing.dtype_requests import canonical, requested, warn
from oakum.tracing.trace import Tracer, as_operand, aval_of, is_evaluating, scalar_aval
from oakum.values import host
from oakum.values.avals import ShapedArray

_NUMBERS: Final = (bool, int, float, complex)


def make(value: Any, dtype: DType | None, *, copy: bool) -> Any:
    """The array of a value, of its own dtype or of one that is asked for."""
    value = as_operand(value)
    if isinstance(value, Array):
        return _of_array(value, dtype, copy)
    if isinstance(value, _NUMBERS) and not hasattr(value, "dtype"):
        return conversion.staged_number(_of_number(value, dtype))
    if isinstance(value, (list, tuple)):
        return _of_sequence(cast("list[Any] | tuple[Any, ...]", value), dtype)
    return conversion.staged_number(_of_host(_host_array(value), dtype))


def _of_array(value: Any, dtype: DType | None, copy: bool) -> Any:
    own = value.aval.dtype
    if dtype is not None and (dtype is not own or value.aval.weak_type):
        return arguments.convert(value, dtype)
    if not copy:
        return value
    if isinstance(value, Tracer) or not is_evaluating():
        return primitives.conversion.copy_p.bind(value)
    return wrap(host.np.array(value.raw), value.aval)


def _of_number(value: Any, dtype: DType | None) -> Any:
    if dtype is None:
        if type(value) is int:
            promoting.check_python_int(value)
        aval = scalar_aval(value)
        assert aval.dtype is not None
        return promoting.constant(value, aval.dtype, bool(aval.weak_type))
    return wrap(host.np.asarray(value, host.dtype(dtype)), ShapedArray((), dtype))


def _of_host(value: Any, dtype: DType | None) -> Any:
    """The array of one of the host, which is copied: the user may change it later."""
    own = _element_type(value)
    target = canonical(own) if dtype is None else dtype
    with host.np.errstate(all="ignore"):
        raw = value.astype(host.dtype(target))
    return wrap(raw, ShapedArray(raw.shape, target))


def _element_type(value: Any) -> DType:
    try:
        return host.read_dtype(value.dtype)
    except errors.DTypeError:
        raise errors.InvalidValueError(
            f"Value {value!r} with dtype {value.dtype} is not a valid JAX array type. Only arrays "
            "of numeric types are supported by JAX",
            hint="Give numbers; keep text and objects in Python's containers.",
        ) from None


def _host_array(value: Any) -> Any:
    np = host.np
    if value is None:
        raise errors.InvalidValueError(
            "None is not a valid value for jnp.array", hint="Give an array or numbers."
        )
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    found = np.asarray(value)
    if found.dtype == object:
        raise errors.InvalidValueError(
            f"Unexpected input type for array: {type(value)}",
            hint="Give numbers, arrays, or nested lists and tuples of them.",
        )
    return found


def _leaves(value: Any) -> Iterator[Any]:
    """The items of nested lists and tuples that are neither."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, (list, tuple)):
            pending.extend(reversed(cast("list[Any]", item)))
        else:
            yield item


def _map(value: Any, results: Iterator[Any]) -> Any:
    """Nested lists with the leaves of a value replaced by results, in order."""
    if isinstance(value, (list, tuple)):
        return [_map(item, results) for item in cast("Iterable[Any]", value)]
    return next(results)


def _of_sequence(value: list[Any] | tuple[Any, ...], dtype: DType | None) -> Any:
    leaves = [_leaf(item) for item in _leaves(value)]
    if dtype is None:
        dtype = _common_dtype(leaves)
    if any(isinstance(leaf, Array) for leaf in leaves):
        return _stack(_map(value, iter(leaves)), dtype)
    raw = host.np.asarray(_map(value, iter(leaves)), host.dtype(dtype))
    return promoting.staged(wrap(raw, ShapedArray(raw.shape, dtype)))


def _leaf(value: Any) -> Any:
    value = as_operand(value)
    if isinstance(value, (Array, *_NUMBERS, host.np.generic)):
        return value
    return _host_array(value)


def _common_dtype(leaves: list[Any]) -> DType:
    if not leaves:
        return canonical(dtypes.float64)
    for leaf in leaves:
        if isinstance(leaf, host.np.ndarray):
            _element_type(leaf)
    avals = dict.fromkeys(aval_of(leaf).update(shape=()) for leaf in leaves)
    return promoting.common_type_of(list(avals))[0]


def _stack(value: Any, dtype: DType) -> Any:
    """Joins nested lists of arrays and numbers along new first axes."""
    if not isinstance(value, list):
        return (
            arguments.convert(value, dtype)
            if isinstance(value, Array)
            else make(value, dtype, copy=False)
        )
    items = cast("list[Any]", value)
    if not items:
        return wrap(host.np.zeros((0,), host.dtype(dtype)), ShapedArray((0,), dtype))
    parts = [lax.expand_dims(_stack(item, dtype), (0,)) for item in items]
    return lax.concatenate(parts, 0)


def astype(x: Any, dtype: Any, *, copy: bool) -> Any:
    """An array converted to a dtype, which is the default float where none is given."""
    (array,) = arguments.arrays("astype", x)
    target = requested(float if dtype is None else dtype, "astype")
    if arguments.is_complex(array) and target.kind is not Kind.COMPLEX:
        if target is dtypes.bool_:
            array = lax.ne(array, promoting.like(array, 0))
        else:
            warn(
                "Casting from complex to real dtypes will soon raise a ValueError; take the real "
                "or imaginary part first, with jnp.real or jnp.imag",
                DeprecationWarning,
            )
            array = lax.real(array)
    return make(array, target, copy=copy)


def positional_options(
    args: tuple[Any, ...], copy: bool, order: str | None, ndmin: int
) -> tuple[bool, str | None, int]:
    """The options of `array` where they are given by position, as they were once."""
    if len(args) > 3:
        raise TypeError(
            f"array() takes at most 5 positional arguments but {len(args) + 2} were given"
        )
    for name, option, default in zip(
        ("copy", "order", "ndmin")[: len(args)],
        (copy, order, ndmin),
        (True, "K", 0),
        strict=False,
    ):
        if option != default:
            raise TypeError(f"array() got multiple values for argument '{name}'")
    warn(
        "Passing the copy, order, and ndmin arguments to jnp.array positionally is deprecated. Use "
        "keyword arguments instead.",
        DeprecationWarning,
    )
    given: tuple[Any, ...] = (*args, *(copy, order, ndmin)[len(args) :])
    return given[0], given[1], given[2]
