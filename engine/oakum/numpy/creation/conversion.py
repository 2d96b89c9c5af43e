"""Arrays of what may stand for one, of files, buffers and text, and conversion to other dtypes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from oakum import dlpack, dtypes, errors, lax, primitives
from oakum import numpy as jnp
from oakum.abstract import creation, reshaping, results
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import ShapeError
from oakum.lax import conversion
from oakum.numpy import arguments, coercion
from oakum.runtime.arrays import wrap
from oakum.tracing.dtype_requests import canonical, requested, warn
from oakum.tracing.trace import Tracer, as_operand, aval_of, is_evaluating, scalar_aval
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values import codes, host
from oakum.values.avals import ShapedArray
from oakum.values.declarations import public


@public("numpy.array", creation.array, static=("copy", "order", "ndmin"), edge="linear")
def array(
    object: Any,
    dtype: DTypeLike | None = None,
    *args: Any,
    copy: bool = True,
    order: str | None = "K",
    ndmin: int = 0,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array from numbers, sequences and arrays; it is a copy."""
    if args:
        copy, order, ndmin = _positional_options(args, copy, order, ndmin)
    if order not in (None, "K"):
        raise NotImplementedError("Only implemented for order='K'")
    wanted = None if dtype is None else requested(dtype, "array")
    result = make(object, wanted, copy=copy)
    if ndmin > result.ndim:
        result = lax.expand_dims(result, tuple(range(ndmin - result.ndim)))
    return arguments.placed(result, "array", device, out_sharding)


def make(value: Any, dtype: DType | None, *, copy: bool) -> Any:
    """Returns the array of a value, of its own dtype or of one that is asked for."""
    value = as_operand(value)
    if isinstance(value, Array):
        return _of_array(value, dtype, copy)
    if isinstance(value, _NUMBERS) and not hasattr(value, "dtype"):
        return conversion.staged_number(_of_number(value, dtype))
    if isinstance(value, (list, tuple)):
        return _of_sequence(cast("list[Any] | tuple[Any, ...]", value), dtype)
    return conversion.staged_number(_of_host(_host_array(value), dtype))


def _host_array(value: object) -> Any:
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


def _of_host(value: Array, dtype: DType | None) -> Any:
    """Returns the array of one of the host, which is copied: the user may change it later."""
    own = _element_type(value)
    target = canonical(own) if dtype is None else dtype
    with host.np.errstate(all="ignore"):
        raw = value.astype(host.dtype(target))
    return wrap(raw, ShapedArray(raw.shape, target))


def _element_type(value: Array) -> DType:
    try:
        return host.read_dtype(value.dtype)
    except errors.DTypeError:
        raise errors.InvalidValueError(
            f"Value {value!r} with dtype {value.dtype} is not a valid JAX array type. Only arrays "
            "of numeric types are supported by JAX",
            hint="Give numbers; keep text and objects in Python's containers.",
        ) from None


def _of_sequence(value: list[Any] | tuple[Any, ...], dtype: DType | None) -> Any:
    leaves = [_leaf(item) for item in _leaves(value)]
    if dtype is None:
        dtype = _common_dtype(leaves)
    if any(isinstance(leaf, Array) for leaf in leaves):
        return _stack(_map(value, iter(leaves)), dtype)
    raw = host.np.asarray(_map(value, iter(leaves)), host.dtype(dtype))
    return coercion.staged(wrap(raw, ShapedArray(raw.shape, dtype)))


def _map(value: object, results: Iterator[Any]) -> Any:
    """Returns nested lists with the leaves of a value replaced by results, in order."""
    if isinstance(value, (list, tuple)):
        return [_map(item, results) for item in cast("Iterable[Any]", value)]
    return next(results)


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


def _common_dtype(leaves: list[Any]) -> DType:
    if not leaves:
        return canonical(dtypes.float64)
    for leaf in leaves:
        if isinstance(leaf, host.np.ndarray):
            _element_type(leaf)
    avals = dict.fromkeys(aval_of(leaf).update(shape=()) for leaf in leaves)
    return coercion.common_type_of(list(avals))[0]


def _leaves(value: object) -> Iterator[Any]:
    """Yields the items of nested lists and tuples that are neither."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, (list, tuple)):
            pending.extend(reversed(cast("list[Any]", item)))
        else:
            yield item


def _leaf(value: object) -> Any:
    value = as_operand(value)
    if isinstance(value, (Array, *_NUMBERS, host.np.generic)):
        return value
    return _host_array(value)


_NUMBERS: Final = (bool, int, float, complex)


def _of_number(value: Any, dtype: DType | None) -> Any:
    if dtype is None:
        if type(value) is int:
            coercion.check_python_int(value)
        aval = scalar_aval(value)
        assert aval.dtype is not None
        return coercion.constant(value, aval.dtype, bool(aval.weak_type))
    return wrap(host.np.asarray(value, host.dtype(dtype)), ShapedArray((), dtype))


def _of_array(value: Any, dtype: DType | None, copy: bool) -> Any:
    own = value.aval.dtype
    if dtype is not None and (dtype is not own or value.aval.weak_type):
        return arguments.convert(value, dtype)
    if not copy:
        return value
    if isinstance(value, Tracer) or not is_evaluating():
        return primitives.conversion.copy_p.bind(value)
    return wrap(host.np.array(value.raw), value.aval)


def _positional_options(
    args: tuple[Any, ...], copy: bool, order: str | None, ndmin: int
) -> tuple[bool, str | None, int]:
    """Returns the options of `array` where they are given by position, as they were once."""
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


@public(
    "numpy.asarray",
    creation.array,
    static=("order", "copy"),
    edge="linear",
    hands_through="own",
)
def asarray(
    a: Any,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    copy: bool | None = None,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array from numbers, sequences and arrays, without a copy where that is possible."""
    if order not in (None, "K"):
        raise NotImplementedError("Only implemented for order='K'")
    wanted = None if dtype is None else requested(dtype, "asarray")
    result = make(a, wanted, copy=bool(copy))
    return arguments.placed(result, "asarray", device, out_sharding)


@public("numpy.copy", reshaping.keeps, static=("order",))
def copy(a: ArrayLike, order: str | None = None) -> Array:
    """Copies an array."""
    arguments.check_arrays("copy", a)
    return array(a, copy=True, order=order)


@public("numpy.astype", creation.astype, static=("copy",), edge="linear", hands_through="own")
def astype(
    x: ArrayLike, dtype: DTypeLike | None, /, *, copy: bool = False, device: Placement | None = None
) -> Array:
    """Converts an array to a dtype."""
    converted = coercion.owned(_astype(x, dtype, copy=copy), x)
    return arguments.placed(converted, "astype", device)


def _astype(x: object, dtype: object, *, copy: bool) -> Any:
    """Returns an array converted to a dtype, which is the default float where none is given."""
    (array,) = arguments.arrays("astype", x)
    target = requested(float if dtype is None else dtype, "astype")
    if arguments.is_complex(array) and target.kind is not Kind.COMPLEX:
        if target is dtypes.bool_:
            array = lax.ne(array, coercion.like(array, 0))
        else:
            warn(
                "Casting from complex to real dtypes will soon raise a ValueError; take the real "
                "or imaginary part first, with jnp.real or jnp.imag",
                DeprecationWarning,
            )
            array = lax.real(array)
    return make(array, target, copy=copy)


def axes_of(args: tuple[Any, ...]) -> Any:
    """Returns the axes that `x.transpose` was given, one by one or as a sequence."""
    if len(args) != 1:
        return args or None
    return args if hasattr(args[0], "__index__") else args[0]


def byteswap(array: Array) -> Any:
    """Returns the elements with their bytes in reverse order."""
    if arguments.is_complex(array):
        return lax.complex(byteswap(lax.real(array)), byteswap(lax.imag(array)))
    if array.itemsize == 1:
        return copy(array)
    own = array.dtype
    octets = lax.bitcast_convert_type(array, host.dtype(dtypes.uint8))
    return lax.bitcast_convert_type(lax.rev(octets, (array.ndim,)), own)


def view(array: Array, dtype: object, kind: object) -> Any:
    """Returns the bytes of the elements read as another dtype; the last axis changes its size with
    it.
    """
    if kind is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    return array if dtype is None else _viewed(array, requested(dtype, "view"))


def _viewed(array: Array, dtype: DType) -> Any:
    own = arguments.dtype_of(array)
    _check_sizes(array, own, dtype)
    if array.ndim == 0:
        return lax.squeeze(_viewed(lax.expand_dims(array, (0,)), dtype), (0,))
    if own is dtype:
        return array
    if own is dtypes.bool_:
        return _viewed(arguments.convert(array, dtypes.uint8), dtype)
    if dtype is dtypes.bool_:
        return arguments.convert(_viewed(array, dtypes.uint8), dtype)
    if own.kind is Kind.COMPLEX:
        parts = jnp.stack((lax.real(array), lax.imag(array)), -1)
        return _viewed(jnp.reshape(parts, (*array.shape[:-1], -1)), dtype)
    if dtype.kind is Kind.COMPLEX:
        real = dtypes.to_real(dtype)
        assert real is not None
        parts = _viewed(array, real)
        return lax.complex(parts[..., 0::2], parts[..., 1::2])
    return _recast(array, own, dtype)


def _recast(array: Array, own: DType, dtype: DType) -> Any:
    target = host.dtype(dtype)
    if own.bits < dtype.bits:
        factor = dtype.bits // own.bits
        shape = (*array.shape[:-1], array.shape[-1] // factor, factor)
        return lax.bitcast_convert_type(lax.reshape(array, shape), target)
    result = lax.bitcast_convert_type(array, target)
    if own.bits == dtype.bits:
        return result
    return lax.reshape(result, (*array.shape[:-1], array.shape[-1] * own.bits // dtype.bits))


def _check_sizes(array: Array, own: DType, dtype: DType) -> None:
    if array.ndim == 0:
        if own.bits != dtype.bits:
            raise ShapeError(
                "view() of a 0d array is only supported if the itemsize is unchanged.",
                hint="Give the array an axis first, with x[None].",
            )
    elif array.shape[-1] * own.bits % dtype.bits:
        raise ShapeError(
            "When changing to a larger dtype, its size must be a divisor of the total size in "
            "bytes of the last axis of the array.",
            hint="Pad the last axis.",
        )


@public("numpy.load", results.array)
def load(file: object, *args: Any, **kwargs: Any) -> Array:
    """Reads an array from a file."""
    read = host.np.load(file, *args, **kwargs)
    if not isinstance(read, host.np.ndarray):
        return read
    # NumPy stores bfloat16 as two bytes without a meaning.
    if read.dtype == "V2":
        read = read.view(host.dtype(dtypes.bfloat16))
    return jnp.asarray(read)


@public("numpy.save", results.nothing, needs_concrete={"arr": codes.NUMPY_CALL_ON_TRACER})
def save(file: object, arr: object, allow_pickle: bool = True) -> None:
    """Writes an array to a file; anything else, as a dict of settings, as NumPy pickles it."""
    host.np.save(file, host.np.asarray(arr), allow_pickle=allow_pickle)


@public(
    "numpy.savez",
    results.nothing,
    needs_concrete={"args": codes.NUMPY_CALL_ON_TRACER, "kwds": codes.NUMPY_CALL_ON_TRACER},
)
def savez(file: object, *args: object, allow_pickle: bool = True, **kwds: object) -> None:
    """Writes several arrays to a file."""
    arrays = [host.np.asarray(each) for each in args]
    named = {name: host.np.asarray(each) for name, each in kwds.items()}
    host.np.savez(file, *arrays, allow_pickle=allow_pickle, **named)


@public("numpy.array_repr", needs_concrete={"arr": codes.NUMPY_CALL_ON_TRACER})
def array_repr(
    arr: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Returns an array as text that evaluates to it."""
    return host.np.array_repr(arr, max_line_width, precision, suppress_small)


@public("numpy.array_str", needs_concrete={"a": codes.NUMPY_CALL_ON_TRACER})
def array_str(
    a: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Returns an array as text."""
    return host.np.array_str(host.np.asarray(a), max_line_width, precision, suppress_small)


@public("numpy.from_dlpack", results.array)
def from_dlpack(x: Any, /, *, device: Placement | None = None, copy: bool | None = None) -> Array:
    """Makes an array of one of another library, without a copy."""
    return dlpack.from_dlpack(x, device, copy)


@public("numpy.frombuffer", results.array, needs_concrete={"buffer": codes.NUMPY_CALL_ON_TRACER})
def frombuffer(
    buffer: bytes | Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0
) -> Array:
    """Makes an array of the bytes of a buffer."""
    element = host.visible_dtype(host.read_dtype(dtype))
    return jnp.asarray(host.np.frombuffer(buffer, dtype=element, count=count, offset=offset))


@public("numpy.fromstring", results.array, needs_concrete={"string": codes.NUMPY_CALL_ON_TRACER})
def fromstring(string: str, dtype: DTypeLike = float, count: int = -1, *, sep: str) -> Array:
    """Makes an array of numbers in text."""
    element = host.visible_dtype(host.read_dtype(dtype))
    return jnp.asarray(host.np.fromstring(string, dtype=element, count=count, sep=sep))


@public("numpy.fromfile")
def fromfile(*args: Any, **kwargs: Any) -> Any:
    """Is refused, as reading a raw file is not pure."""
    raise NotImplementedError(
        "jnp.fromfile() is not implemented because it may be non-pure and thus unsafe under "
        "jit and other transformations: it reads a file. Consider using "
        "jnp.asarray(np.fromfile(...)) instead"
    )


@public("numpy.fromiter")
def fromiter(*args: Any, **kwargs: Any) -> Any:
    """Is refused, as consuming an iterator is not pure."""
    raise NotImplementedError(
        "jnp.fromiter() is not implemented because it may be non-pure and thus unsafe under "
        "jit and other transformations: it consumes an iterator. Consider using "
        "jnp.asarray(np.fromiter(...)) instead"
    )
