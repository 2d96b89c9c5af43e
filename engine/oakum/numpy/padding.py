"""Padding of arrays in all of NumPy's modes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import padding
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments, coercion
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import public


@public("numpy.pad", padding.pad, static=("pad_width", "mode"))
def pad(
    array: ArrayLike, pad_width: object, mode: str | Callable[..., Any] = "constant", **kwargs: Any
) -> Array:
    """Adds elements at the ends of the axes."""
    return coercion.staged(_pad(array, pad_width, mode, kwargs))


def _pad(array: Any, pad_width: Any, mode: Any, options: Mapping[str, Any]) -> Any:
    """Returns the array with elements added at the ends of its axes."""
    if isinstance(array, (list, tuple)):
        array = jnp.asarray(array)
    (array,) = arguments.arrays("pad", array)
    rank = arguments.rank_of(array)
    widths = [
        (arguments.size(a, "jnp.pad()"), arguments.size(b, "jnp.pad()"))
        for a, b in _pairs(pad_width, rank, "pad_width")
    ]
    if any(each < 0 for pair in widths for each in pair):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        return _by_function(array, widths, mode, options)
    _check_options(mode, options)
    result = _FORMS[mode](array, widths, mode, options)
    return arguments.convert(result, arguments.dtype_of(array), bool(array.weak_type))


def _statistic(array: ArrayLike, widths: _Widths, mode: str, options: Mapping[str, Any]) -> Any:
    function: Callable[..., Any] = getattr(jnp, _STATISTICS[mode])
    rank = arguments.rank_of(array)
    lengths: Sequence[tuple[Any, Any]] = [(None, None)] * rank
    if options.get("stat_length") is not None:
        lengths = _pairs(options["stat_length"], rank, "stat_length")
    dtype = arguments.dtype_of(array)
    for axis, ((before, after), (first, last)) in enumerate(zip(widths, lengths, strict=True)):
        size = arguments.shape_of(array)[axis]
        _need_elements(size, before + after, axis, mode)
        counts = [size if n is None else min(_stat_length(n), size) for n in (first, last)]
        pieces = [
            lax.slice_in_dim(array, 0, counts[0], axis=axis),
            lax.slice_in_dim(array, size - counts[1], size, axis=axis),
        ]
        ends = [_rounded(function(each, axis=axis, keepdims=True), dtype) for each in pieces]
        wide = [
            jnp.repeat(end, count, axis=axis)
            for end, count in zip(ends, (before, after), strict=True)
        ]
        array = lax.concatenate([wide[0], array, wide[1]], axis)
    return array


def _rounded(values: ArrayLike, dtype: DType) -> Any:
    if dtype.kind in (Kind.INT, Kind.UINT):
        values = jnp.round(values)
    return arguments.convert(values, dtype)


def _stat_length(value: Array) -> int:
    length = arguments.size(value, "stat_length of jnp.pad()")
    if length < 1:
        raise ValueError(f"stat_length of {length} is not allowed: it must be a positive integer")
    return length


def _need_elements(size: int, added: int, axis: int, mode: str) -> None:
    if size == 0 and added:
        raise ValueError(
            f"Cannot apply '{mode}' padding to empty axis {axis}: can't extend empty axis using "
            "modes other than 'constant' or 'empty'"
        )


def _pairs(value: Array, rank: int, name: str) -> list[tuple[Any, Any]]:
    """Returns one pair of values for each axis, from a number, a pair, or pairs."""
    shaped: Any = value
    if arguments.is_array_like(shaped):
        data = arguments.array(shaped)
        rank_of_value = arguments.rank_of(data)
        if rank_of_value == 0:
            return [(shaped, shaped)] * rank
        shaped = [data[i] for i in range(arguments.shape_of(data)[0])]
        if rank_of_value == 2:
            shaped = [[row[i] for i in range(arguments.size_of(row))] for row in shaped]
        if isinstance(value, host.np.ndarray):
            shaped = value.tolist()
    return _pairs_of_list(list(shaped), rank, name)


def _pairs_of_list(given: list[Any], rank: int, name: str) -> list[tuple[Any, Any]]:
    def listed(each: Array) -> list[Any]:
        return list(each) if hasattr(each, "__len__") and not _is_scalar(each) else [each]

    rows = [listed(each) for each in given]
    if all(_is_scalar(each) for each in given):
        if len(given) == 1:
            return [(given[0], given[0])] * rank
        if len(given) == 2:
            return [(given[0], given[1])] * rank
    elif len(given) == 1 and len(rows[0]) == 2:
        return [(rows[0][0], rows[0][1])] * rank
    elif len(given) == 1 and len(rows[0]) == 1:
        return [(rows[0][0], rows[0][0])] * rank
    elif len(given) == rank and all(len(row) in (1, 2) for row in rows):
        return [(row[0], row[-1]) for row in rows]
    raise errors.ShapeError(
        f"jnp.pad: {name} with nd={len(given)} has unsupported shape. Valid shapes are "
        f"({rank}, 2), (1, 2), (2,), (1,), or ()."
    )


def _is_scalar(value: object) -> bool:
    return arguments.is_array_like(value) and arguments.rank_of(value) == 0


_STATISTICS: Final = {"maximum": "max", "minimum": "min", "mean": "mean", "median": "median"}


_Widths = list[tuple[int, int]]


def _linear_ramp(array: ArrayLike, widths: _Widths, mode: str, options: Mapping[str, Any]) -> Any:
    values = _pairs(options.get("end_values", 0), arguments.rank_of(array), "end_values")
    for axis, ((before, after), (first, last)) in enumerate(zip(widths, values, strict=True)):
        size = arguments.shape_of(array)[axis]
        _need_elements(size, before + after, axis, mode)
        parts = [array]
        if before:
            parts.insert(0, _ramp(first, array, 0, axis, before))
        if after:
            parts.append(jnp.flip(_ramp(last, array, size - 1, axis, after), axis))
        if len(parts) > 1:
            array = lax.concatenate(parts, axis)
    return array


def _ramp(value: ArrayLike, array: ArrayLike, place: int, axis: int, count: int) -> Any:
    """Returns steps from a value to what stands at a place of an axis, without that."""
    edge = lax.index_in_dim(array, place, axis, keepdims=False)
    dtype = host.dtype(arguments.dtype_of(array))
    return jnp.linspace(value, edge, count, endpoint=False, dtype=dtype, axis=axis)


def _reflect(array: Array, widths: _Widths, mode: str, options: Mapping[str, Any]) -> Any:
    kind = options.get("reflect_type", "even")
    if kind not in ("even", "odd"):
        raise ValueError(f"reflect_type must be 'even' or 'odd', got {kind!r}")
    for axis, (before, after) in enumerate(widths):
        _need_elements(arguments.shape_of(array)[axis], before + after, axis, mode)
        if before + after:
            array = _reflect_axis(array, axis, (before, after), mode == "symmetric", kind == "odd")
    return array


def _reflect_axis(
    array: Array, axis: int, widths: tuple[int, int], symmetric: bool, odd: bool
) -> Any:
    """Mirrors an axis at its ends as often as it takes."""
    np = host.np
    size = arguments.shape_of(array)[axis]
    places = np.arange(-widths[0], size + widths[1])
    period = size if symmetric else size - 1
    if period == 0:
        return _picked(array, np.zeros_like(places), axis)
    turn, offset = np.divmod(places, period)
    last = size - 1
    at = np.where(turn % 2 == 0, offset, (last if symmetric else period) - offset)
    mirrored = _picked(array, at, axis)
    if not odd:
        return mirrored
    # Each turn continues the values: those of odd turns hang upside down on the ends.
    first = lax.slice_in_dim(array, 0, 1, axis=axis)
    final = lax.slice_in_dim(array, last, last + 1, axis=axis)
    shape = [1] * arguments.rank_of(array)
    shape[axis] = len(places)
    turns = turn.reshape(shape)
    even = np.where(turns % 2 == 0, 1, -1)
    lift_last = np.where(turns % 2 == 0, turns, turns + 1)
    lift_first = np.where(turns % 2 == 0, -turns, -turns + 1)
    dtype = arguments.dtype_of(array)
    scaled = [jnp.asarray(each, dtype=host.dtype(dtype)) for each in (even, lift_last, lift_first)]
    return mirrored * scaled[0] + final * scaled[1] + first * scaled[2]


def _picked(array: Any, places: Any, axis: int) -> Any:
    """Returns the elements at known places along an axis."""
    runs = list(_runs(places))
    if len(runs) > _MOST_RUNS:
        return jnp.take(array, places.astype("int32"), axis=axis, mode="clip")
    return lax.concatenate([_piece(array, *run, axis) for run in runs], axis)


def _piece(array: ArrayLike, first: int, step: int, count: int, axis: int) -> Any:
    """Returns so many elements along an axis, from one place on by a step."""
    if step == 0:
        edge = lax.slice_in_dim(array, first, first + 1, axis=axis)
        shape = list(arguments.shape_of(array))
        shape[axis] = count
        return lax.broadcast_in_dim(edge, tuple(shape), tuple(range(len(shape))))
    last = first + step * (count - 1)
    piece = lax.slice_in_dim(array, min(first, last), max(first, last) + 1, axis=axis)
    return piece if step > 0 else lax.rev(piece, (axis,))


_MOST_RUNS: Final = 8
"""Of more pieces an axis is not put together: its elements are looked up one by one."""


def _runs(places: Sequence[Any]) -> Iterator[tuple[int, int, int]]:
    """Yields what places go on evenly by 1, by 0 or by -1: the first of them, the step, their
    number.
    """
    steps = host.np.diff(places)
    changes = [*(host.np.flatnonzero(host.np.diff(steps)) + 1).tolist(), len(steps)]
    start = 0
    for change in changes:
        if change <= start:
            continue
        step = int(steps[start]) if start < len(steps) else 0
        end = change + 1 if step in (-1, 0, 1) else start + 1
        yield int(places[start]), step, end - start
        start = end
    for place in places[start:]:
        yield int(place), 0, 1


def _wrap(array: Array, widths: _Widths, mode: str, options: Mapping[str, Any]) -> Any:
    for axis, (before, after) in enumerate(widths):
        size = arguments.shape_of(array)[axis]
        _need_elements(size, before + after, axis, mode)
        if before + after:
            array = _picked(array, host.np.arange(-before, size + after) % size, axis)
    return array


def _edge(array: Array, widths: _Widths, mode: str, options: Mapping[str, Any]) -> Any:
    for axis, (before, after) in enumerate(widths):
        size = arguments.shape_of(array)[axis]
        _need_elements(size, before + after, axis, mode)
        at = host.np.clip(host.np.arange(-before, size + after), 0, max(size - 1, 0))
        array = _picked(array, at, axis) if before + after else array
    return array


def _zeros(array: ArrayLike, widths: _Widths, mode: str, options: Mapping[str, Any]) -> Any:
    return _constant(array, widths, mode, {})


def _constant(array: ArrayLike, widths: _Widths, mode: str, options: Mapping[str, Any]) -> Any:
    rank = arguments.rank_of(array)
    dtype = arguments.dtype_of(array)
    values = _pairs(options.get("constant_values", 0), rank, "constant_values")
    flat = [each for pair in values for each in pair]
    if flat and all(each is flat[0] for each in flat):
        config = tuple((before, after, 0) for before, after in widths)
        return lax.pad(array, arguments.convert(flat[0], dtype), config)
    for axis, ((before, after), (first, last)) in enumerate(zip(widths, values, strict=True)):
        for amounts, value in (((before, 0, 0), first), ((0, after, 0), last)):
            if any(amounts):
                config = [(0, 0, 0)] * rank
                config[axis] = amounts
                array = lax.pad(array, arguments.convert(value, dtype), tuple(config))
    return array


_FORMS: Final[dict[str, Callable[[Any, _Widths, str, Mapping[str, Any]], Any]]] = {
    "constant": _constant,
    "empty": _zeros,
    "edge": _edge,
    "wrap": _wrap,
    "reflect": _reflect,
    "symmetric": _reflect,
    "linear_ramp": _linear_ramp,
    **dict.fromkeys(_STATISTICS, _statistic),
}


def _check_options(mode: Any, options: Mapping[str, Any]) -> None:
    if mode not in _OPTIONS:
        raise NotImplementedError(
            f"Unimplemented padding mode '{mode}' for np.pad: the modes are {', '.join(_OPTIONS)}"
        )
    unknown = [key for key in options if key not in _OPTIONS[mode]]
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")


_OPTIONS: Final = {
    "constant": ("constant_values",),
    "edge": (),
    "linear_ramp": ("end_values",),
    "maximum": ("stat_length",),
    "mean": ("stat_length",),
    "median": ("stat_length",),
    "minimum": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "wrap": (),
    "empty": (),
}
"""The options that each mode takes."""


def _by_function(
    array: ArrayLike, widths: _Widths, function: Callable[..., Any], options: Mapping[str, Any]
) -> Any:
    """Returns padding by a function, which gets each vector padded with zeros and gives it back
    filled.
    """
    padded = _constant(array, widths, "constant", {})
    for axis in range(arguments.rank_of(padded)):
        pair = widths[axis]
        padded = jnp.apply_along_axis(function, axis, padded, pair, axis, dict(options))
    return padded
