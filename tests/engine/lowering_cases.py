"""More cases for `test_lowering_rules.py`: what only rules for single elements can get wrong."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from tests.engine.primitive_samples import Case, Draw, Params, case

from oakum import dtypes, lax
from oakum.lax.options import GatherScatterMode, RoundingMethod
from oakum.values import host


def _extremes(raw: Any) -> Any:
    """Numbers, the first of which are the least and the greatest of their dtype."""
    flat, info = raw.reshape(-1).copy(), np.iinfo(raw.dtype)
    flat[:2] = (info.min, info.max)[: flat.size]
    return flat.reshape(raw.shape)


def _greatest(raw: Any) -> Any:
    return np.full_like(raw, np.iinfo(raw.dtype).max)


def _special(raw: Any) -> Any:
    """Numbers, and among floats NaN, infinities, zeros of both signs and a subnormal."""
    if raw.dtype.kind != "f":
        return raw
    flat = raw.reshape(-1).copy()
    least = host.ml_dtypes.finfo(raw.dtype).smallest_subnormal
    flat[:6] = [np.nan, -np.inf, np.inf, -0.0, 0.0, least]
    return flat.reshape(raw.shape)


def _halves(raw: Any) -> Any:
    return (np.rint(raw * 2) / 2).astype(raw.dtype)


def _rows(dtype: str, make: Any = None, shape: tuple[int, ...] = (5, 1)) -> Draw:
    return Draw(shape, -3, 7, dtype, make)


_NUMBERS = lax.GatherDimensionNumbers((1,), (0,), (0,))


def _gather(mode: GatherScatterMode, fill_value: Any = None, **given: Any) -> Params:
    return {
        "dimension_numbers": _NUMBERS,
        "slice_sizes": (1, 3),
        "unique_indices": False,
        "indices_are_sorted": False,
        "mode": mode,
        "fill_value": fill_value,
        **given,
    }


_BLOCKS = lax.GatherDimensionNumbers((0, 2), (), (1, 0))
"""Blocks at pairs of positions, of which the first is that along the last axis."""

_GATHERS = [
    *(
        case((4, 3), _rows(dtype, _extremes), params=_gather(mode, 0))
        for dtype in ("int8", "int32", "int64", "uint8", "uint64")
        for mode in (GatherScatterMode.CLIP, GatherScatterMode.FILL_OR_DROP)
    ),
    case((4, 3), _rows("int4"), params=_gather(GatherScatterMode.FILL_OR_DROP, 1)),
    case((4, 3), _rows("int32"), params=_gather(GatherScatterMode.PROMISE_IN_BOUNDS)),
    case(
        (4, 3),
        Draw((5, 2), -2, 5, "int32"),
        params=_gather(
            GatherScatterMode.FILL_OR_DROP, 1, dimension_numbers=_BLOCKS, slice_sizes=(2, 2)
        ),
    ),
    case(
        Draw((4, 3), dtype="key<fry>"),
        _rows("int32"),
        params=_gather(GatherScatterMode.FILL_OR_DROP, 2**32 - 1),
    ),
]

_WORDS = [Draw(shape, 0, 2**32 - 2, "uint32") for shape in ((), (3, 1), (2,), (3, 2))]

MORE: dict[str, list[Case]] = {
    "mul": [
        case((4,), (4,), only="int8 bfloat16 float32", out_dtype=dtypes.DTYPES[new])
        for new in ("int16", "float32", "float64", "bfloat16")
    ],
    "pow": [
        case((6,), Draw((6,), -3, 3, dtype), only="float32 bfloat16")
        for dtype in ("int8", "int64", "uint8")
    ],
    "round": [case(Draw((9,), make=_halves), rounding_method=method) for method in RoundingMethod],
    "clamp": [
        case(Draw((3, 3), make=_special), Draw((3, 3), make=np.transpose), (3, 3)),
        case((3, 3), Draw((3, 3), make=_special), (3, 3)),
    ],
    "select_n": [
        case(Draw((5,), 0, 0, dtype, make), (5,), (5,), (5,))
        for dtype in ("int8", "uint8", "int32", "uint64")
        for make in (_extremes,)
    ]
    + [
        case(Draw((8,), -2, 1, "int2"), *[(8,)] * 5, only="float32"),
        case(Draw((8,), 0, 3, "uint2"), *[(8,)] * 5, only="float32"),
        case(Draw((), 1, 1, "int32"), (2, 2), (2, 2), (2, 2)),
        case(Draw((4,), dtype="bool"), (4,)),
        case(Draw((4,), dtype="bool"), *[Draw((4,), dtype="key<fry>")] * 2),
    ],
    "reduce_max": [case(Draw((3, 6), make=_special), axes=(axis,)) for axis in (0, 1)],
    "reduce_min": [case(Draw((3, 6), make=_special), axes=(axis,)) for axis in (0, 1)],
    "reduce_sum": [
        case(Draw((2, 3, 2), 40, 120), axes=(2, 0), out_sharding=None, only="int8 int4 uint8")
    ],
    "broadcast_in_dim": [
        case((2, 3), shape=(3, 4, 2), broadcast_dimensions=(2, 0), sharding=None),
        case((1, 1), shape=(1, 3), broadcast_dimensions=(0, 1), sharding=None),
    ],
    "tile": [
        case((2, 1, 3), reps=(1, 4, 2)),
        case((2, 0), reps=(2, 3)),
        case((2, 3), reps=(0, 2)),
        case((), reps=()),
    ],
    "rev": [case((2, 1, 3), dimensions=(0, 2))],
    "slice": [
        case((7, 3), start_indices=(1, 1), limit_indices=(7, 3), strides=None),
        case((7, 3), start_indices=(5, 0), limit_indices=(7, 3), strides=(3, 2)),
        case((), start_indices=(), limit_indices=(), strides=None),
    ],
    "name": [case((2, 3), name="values")],
    "squeeze": [case((1, 2, 1, 3), dimensions=(2,)), case((1, 2, 1, 3), dimensions=(0, 2))],
    "iota": [
        case(dtype=dtype, shape=(3, 2), dimension=0, sharding=None)
        for dtype in dtypes.NUMERIC
        if dtype.kind is not dtypes.Kind.BOOL and dtype.bits >= 4
    ],
    "dynamic_slice": [
        *(
            case((4, 3), Draw((), 0, 0, dtype, make), Draw((), 1, 1, dtype), slice_sizes=(2, 2))
            for dtype in ("int8", "uint8", "uint32", "int64", "uint64")
            for make in (_extremes, _greatest)
        ),
        case((), slice_sizes=()),
    ],
    "gather": _GATHERS,
    "threefry2x32_word": [case(*_WORDS, which=which) for which in (0, 1)],
    "concatenate": [
        case((2, 0), (2, 3), (2, 0), dimension=1),
        case((1, 2), (0, 2), (3, 2), dimension=0),
    ],
    "pad": [
        case((size, 2), (), only="int8 float32", padding_config=((low, high, between), (0, 1, 1)))
        for size, low, high, between in itertools.product(
            (0, 1, 4), (-5, -2, -1, 0, 2), (-4, -1, 0, 1), (0, 1, 2)
        )
        if low + high + size + max(size - 1, 0) * between >= 0
    ],
    "bitcast_convert_type": [
        case((2, 8), only=only, new_dtype=dtypes.DTYPES[new])
        for only, new in (
            ("int4 uint4", "uint32"),
            ("int8 float8_e5m2", "float64"),
            ("int64 float64", "int8"),
            ("int64 float64", "bfloat16"),
            ("float32 int32", "int4"),
            ("int4 uint4", "uint4"),
            ("bfloat16 uint16", "int16"),
            ("bool", "bool"),
        )
    ],
}
"""By primitive, in addition to what `cases_of` gives."""
