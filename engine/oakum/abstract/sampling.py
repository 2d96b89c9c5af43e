"""Random keys and draws from them, as `jax.random` has them."""

from collections.abc import Callable
from typing import Final

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.creation import check_shape
from oakum.abstract.elementwise import result_type
from oakum.abstract.operands import Arguments
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.values.avals import UNKNOWN, Dim, Shape, ShapedArray

KEY_WORDS: Final = 2
"""How many unsigned integers a raw threefry key has."""


def key(_arguments: Arguments) -> ShapedArray:
    """`key`: a typed key."""
    return ShapedArray((), dtypes.key_fry)


def raw_key(_arguments: Arguments) -> ShapedArray:
    """`PRNGKey`: a raw key, two unsigned integers."""
    return ShapedArray((KEY_WORDS,), dtypes.uint32)


def _batch(aval: ShapedArray) -> Shape | None:
    """Returns the shape of an array of keys, without the words of raw ones."""
    if aval.dtype is None or aval.shape is None:
        return None
    return aval.shape if aval.dtype.kind is Kind.KEY else aval.shape[:-1]


def _check_key(aval: ShapedArray) -> None:
    if aval.dtype is None or aval.dtype.kind is Kind.KEY:
        if aval.shape:
            raise ShapeError(
                "the function accepts a single key, but was given a key array of shape "
                f"{aval.shape} != ()",
                hint="Use jax.vmap for batching, or index the array.",
            )
        return
    if aval.dtype is not dtypes.uint32:
        raise DTypeError(
            f"JAX encountered invalid PRNG key data: {aval} is not a random key",
            hint="Make one with jax.random.key.",
        )
    if aval.shape == ():
        raise DTypeError(
            "JAX encountered invalid PRNG key data: expected key_data.ndim >= 1; got ndim=0",
            detail="It is one word of a raw key.",
            hint="To map over keys, make as many by jax.random.split(key, n).",
        )
    if aval.shape is not None and len(aval.shape) > 1:
        raise ShapeError(
            "the function accepts a single key, but was given a key array of shape "
            f"{aval.shape} != ()",
            hint="Use jax.vmap for batching, or index the array.",
        )


def split(arguments: Arguments) -> ShapedArray:
    """`split`: as many new keys as asked for.

    >>> from oakum.values.avals import parse_aval
    >>> print(split({"key": parse_aval("key<fry>[]"), "num": 3}))
    key<fry>[3]
    >>> print(split({"key": parse_aval("u32[2]"), "num": (2, 5)}))
    u32[2,5,2]
    """
    given = operands.operand(arguments)
    if given.dtype is not None:
        _check_key(given)
    count = arguments.get("num", 2)
    leading = operands.shape(count)
    if leading is None or given.shape is None or given.dtype is None:
        return given.update(shape=None)
    return given.update(shape=leading + given.shape)


def same_key(arguments: Arguments) -> ShapedArray:
    """`fold_in`, `clone`: a key like the one given."""
    return operands.operand(arguments).update()


def key_data(arguments: Arguments) -> ShapedArray:
    """`key_data`: the words of keys."""
    given = operands.operand(arguments)
    batch = _batch(given)
    if given.dtype is dtypes.key_fry and batch is not None:
        return ShapedArray((*batch, KEY_WORDS), dtypes.uint32)
    return ShapedArray(given.shape if given.dtype is dtypes.uint32 else None, dtypes.uint32)


def wrap_key_data(arguments: Arguments) -> ShapedArray:
    """`wrap_key_data`: typed keys of raw words."""
    given = operands.operand(arguments)
    return ShapedArray(None if given.shape is None else given.shape[:-1], None)


def sample(
    *parameters: str, dtype: str = "float", event: int = 0
) -> Callable[[Arguments], ShapedArray]:
    """Returns the rule of a draw whose distribution has these array parameters.

    The shape asked for is that of the result; if none is, it is what the parameters broadcast to.
    `dtype` is the default: "float", "int", "bool", or "parameters" for the promoted one of them.
    `event` is the number of trailing dimensions that belong to one draw.

    >>> from oakum.values.avals import parse_aval
    >>> print(sample()({"key": parse_aval("key<fry>[]"), "shape": (3,), "dtype": None}))
    f32[3]
    """

    def rule(arguments: Arguments) -> ShapedArray:
        given = operands.operand(arguments)
        if given.dtype is not None:
            _check_key(given)
        arrays = [operands.array(arguments[name]) for name in parameters if name in arguments]
        default = {
            "float": dtypes.canonicalize(dtypes.float64),
            "int": dtypes.canonicalize(dtypes.int64),
            "uint": dtypes.canonicalize(dtypes.uint64),
            "bool": dtypes.bool_,
        }.get(dtype)
        if dtype == "parameters" and arrays:
            default, _ = result_type(arrays, "inexact")
        kind, _ = operands.dtype_option(arguments.get("dtype"), (default, False))
        asked = arguments.get("shape")
        batch = [_without_event(each, event) for each in arrays]
        shape = operands.broadcast_shapes(batch) if asked is None else check_shape(asked)
        if event and shape is not None:
            tail = _event_shape(arrays, event)
            shape = None if tail is None else shape + tail
        return ShapedArray(shape, kind, weak_type=False)

    return rule


_draw = sample()


def uniform(arguments: Arguments) -> ShapedArray:
    """`uniform`: a draw of the shape asked for. A single one has the dimensions of its lower end,
    which are of size 1 then.

    >>> from oakum.values.avals import parse_aval
    >>> key, low = parse_aval("key<fry>[]"), parse_aval("f32[1]")
    >>> print(uniform({"key": key, "shape": (), "minval": low}))
    f32[1]
    """
    drawn = _draw(arguments)
    low = arguments.get("minval", 0.0)
    return drawn if drawn.shape != () else drawn.update(shape=operands.array(low).shape)


def _without_event(aval: ShapedArray, event: int) -> ShapedArray:
    if aval.shape is None or not event:
        return aval
    return aval.update(shape=aval.shape[: len(aval.shape) - event])


def _event_shape(arrays: list[ShapedArray], event: int) -> Shape | None:
    first = arrays[0].shape if arrays else None
    return None if first is None or len(first) < event else first[len(first) - event :]


def categorical(arguments: Arguments) -> ShapedArray:
    """`categorical`: positions, in the shape of the logits without their axis.

    >>> from oakum.values.avals import parse_aval
    >>> logits = parse_aval("f32[4,9]")
    >>> print(categorical({"key": parse_aval("key<fry>[]"), "logits": logits, "axis": -1}))
    i32[4]
    """
    given, logits = operands.positional(arguments, 2)
    if operands.array(given).dtype is not None:
        _check_key(operands.array(given))
    asked = arguments.get("shape")
    aval, axis = operands.array(logits), arguments.get("axis", -1)
    dtype = dtypes.canonicalize(dtypes.int64)
    if asked is not None:
        return ShapedArray(check_shape(asked), dtype)
    if aval.shape is None or not isinstance(axis, int):
        return ShapedArray(None, dtype)
    at = operands.axis(axis, len(aval.shape))
    return ShapedArray(aval.shape[:at] + aval.shape[at + 1 :], dtype)


def _population(value: object) -> tuple[ShapedArray, bool] | None:
    """Returns an array to draw from, and whether it stands for `arange` of a number."""
    if value is UNKNOWN:
        return None
    aval = operands.array(value)
    return (aval, aval.shape == ()) if aval.shape is not None else None


def choice(arguments: Arguments) -> ShapedArray:
    """`choice`: elements of an axis of an array, or integers below a number.

    >>> from oakum.values.avals import parse_aval
    >>> print(choice({"key": parse_aval("key<fry>[]"), "a": 10, "shape": (3,), "axis": 0}))
    i32[3]
    """
    asked = check_shape(arguments.get("shape", ()))
    population = _population(operands.positional(arguments, 2)[1])
    axis = arguments.get("axis", 0)
    if population is None:
        return ShapedArray(None, None, None)
    aval, is_count = population
    if is_count:
        return ShapedArray(asked, dtypes.canonicalize(dtypes.int64), None)
    if asked is None or not isinstance(axis, int):
        return aval.update(shape=None)
    assert aval.shape is not None
    at = operands.axis(axis, len(aval.shape))
    return aval.update(shape=(*aval.shape[:at], *asked, *aval.shape[at + 1 :]))


def permutation(arguments: Arguments) -> ShapedArray:
    """`permutation`: an array with an axis shuffled, or the integers below a number."""
    value = operands.positional(arguments, 2)[1]
    population = _population(value)
    if population is None:
        return ShapedArray(None, None, None)
    aval, is_count = population
    if is_count:
        size: Dim = operands.dim(value)
        return aval.update(shape=(size,), weak_type=None)
    axis = arguments.get("axis", 0)
    if aval.shape is not None and isinstance(axis, int):
        operands.axis(axis, len(aval.shape))
    return aval.update()


def orthogonal(arguments: Arguments) -> ShapedArray:
    """`orthogonal`: matrices of the batch shape asked for."""
    batch = check_shape(arguments.get("shape", ()))
    rows = operands.dim(arguments["n"])
    columns = arguments.get("m")
    default = (dtypes.canonicalize(dtypes.float64), False)
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), default)
    if batch is None:
        return ShapedArray(None, dtype, weak_type)
    width = rows if columns is None else operands.dim(columns)
    return ShapedArray((*batch, rows, width), dtype, weak_type)


def ball(arguments: Arguments) -> ShapedArray:
    """`ball`: points of a space of `d` dimensions."""
    batch = check_shape(arguments.get("shape", ()))
    default = (dtypes.canonicalize(dtypes.float64), False)
    typing = operands.dtype_option(arguments.get("dtype"), default)
    return ShapedArray(None if batch is None else (*batch, operands.dim(arguments["d"])), *typing)


def multivariate_normal(arguments: Arguments) -> ShapedArray:
    """`multivariate_normal`: vectors of the size of the mean."""
    mean, covariance = (operands.array(arguments[name]) for name in ("mean", "cov"))
    default, _ = result_type([mean, covariance], "inexact")
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), (default, False))
    asked = arguments.get("shape")
    if mean.shape is None or covariance.shape is None or not mean.shape:
        return ShapedArray(None, dtype, weak_type)
    batches = [
        mean.update(shape=mean.shape[:-1]),
        covariance.update(shape=covariance.shape[:-2]),
    ]
    batch = check_shape(asked) if asked is not None else operands.broadcast_shapes(batches)
    return ShapedArray(None if batch is None else (*batch, mean.shape[-1]), dtype, weak_type)


def dirichlet(arguments: Arguments) -> ShapedArray:
    """`dirichlet`: vectors of the size of the concentrations."""
    alpha = operands.array(arguments["alpha"])
    default = dtypes.canonicalize(dtypes.float64)
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), (default, False))
    if not alpha.shape:
        return ShapedArray(None, dtype, weak_type)
    asked = arguments.get("shape")
    batch = check_shape(asked) if asked is not None else alpha.shape[:-1]
    return ShapedArray(None if batch is None else (*batch, alpha.shape[-1]), dtype, weak_type)
