"""Sample operands and parameters of every primitive, for `test_primitives.py`.

A new primitive needs a line here: in `ELEMENTWISE` if it works element by element, else in `CASES`.
A rule that it lacks on purpose, or a property that it is not to have, stands with the reason in
`primitive_exceptions.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.engine.primitive_cases_linalg import LINEAR_ALGEBRA
from tests.engine.primitive_exceptions import FIXED
from tests.engine.primitive_samples import Captured, Case, Draw, Params, Shape, case

from oakum import dtypes, lax
from oakum.lax import options
from oakum.primitives.random import prng_impls, registry
from oakum.runtime.topology.devices import devices
from oakum.runtime.topology.shardings import SingleDeviceSharding

ELEMENTWISE = """
add -2 2 -2 2 | sub -2 2 -2 2 | neg -2 2 | mul -2 2 -2 2 | div -2 2 0.5 2 | rem -3 3 0.7 1.3
sign -2 2 | abs -2 2 | square -2 2 | max -2 2 -2 2 | min -2 2 -2 2 | pow 0.5 2 -2 2
not 0 3 | and 0 3 0 3 | or 0 3 0 3 | xor 0 3 0 3 | shift_left 0 3 0 2 | mulhi 0 3e9 0 3e9
shift_right_logical 0 3 0 2 | shift_right_arithmetic -3 3 0 2 | population_count 0 3 | clz 0 3
eq -2 2 -2 2 | ne -2 2 -2 2 | lt -2 2 -2 2 | le -2 2 -2 2 | gt -2 2 -2 2 | ge -2 2 -2 2
eq_to -2 2 -2 2 | le_to -2 2 -2 2 | lt_to -2 2 -2 2 | real -2 2 | imag -2 2 | complex -2 2 -2 2
copy -2 2 | stop_gradient -2 2 | log 0.2 2 | tanh -2 2 | logistic -2 2 | cbrt 0.2 2
exp -2 2 | exp2 -2 2 | expm1 -2 2 | log1p -0.7 2 | sqrt 0.2 2 | rsqrt 0.2 2
floor -2 2 | ceil -2 2 | is_finite -2 2 | nextafter -2 2 -2 2
erf -2 2 | erfc -2 2 | erf_inv -0.9 0.9 | lgamma 0.5 3 | digamma 0.5 3 | zeta 1.5 3 0.5 2
igamma 0.5 3 0.5 3 | igammac 0.5 3 0.5 3 | igamma_grad_a 0.5 3 0.5 3
random_gamma_grad 0.5 3 0.5 3 | regularized_incomplete_beta 0.5 2 0.5 2 0.1 0.9
bessel_i0e -2 2 | bessel_i1e -2 2 | sin -2 2 | cos -2 2 | tan -1 1 | asin -0.9 0.9 | acos -0.9 0.9
atan -2 2 | sinh -2 2 | cosh -2 2 | asinh -2 2 | acosh 1.2 3 | atanh -0.9 0.9 | atan2 0.2 2 -2 2
clamp -2 0 -2 2 0 2
"""
"""Primitives that work element by element, with the bounds of their operands."""

PARAMETERS: dict[str, Params] = {
    "mul": {"out_dtype": None},
    **{
        name: {"accuracy": None}
        for name in "exp exp2 log expm1 log1p tanh logistic sqrt rsqrt cbrt sin cos tan".split()
    },
}
"""The parameters of those of them that have some."""


def elementwise() -> dict[str, list[tuple[float, float]]]:
    """The bounds of the operands of elementwise primitives."""
    found: dict[str, list[tuple[float, float]]] = {}
    for entry in ELEMENTWISE.replace("\n", "|").split("|"):
        if entry.strip():
            name, *words = entry.split()
            numbers = [float(word) for word in words]
            found[name] = list(zip(numbers[::2], numbers[1::2], strict=True))
    return found


_GATHER = lax.GatherDimensionNumbers((1,), (0,), (0,))
_GATHER_BATCH = lax.GatherDimensionNumbers((), (1,), (1,), (0,), (0,))
_SCATTER = lax.ScatterDimensionNumbers((1,), (0,), (0,))
_SCATTER_BATCH = lax.ScatterDimensionNumbers((), (1,), (1,), (0,), (0,))
_ROWS = Draw((4, 1), 0, 4, "int32")
"""Positions of rows, of which some lie out of bounds."""
_UNIQUE = Draw(
    (2, 1), 0, 4, "int32", lambda raw: np.resize(np.array([[3], [1]], "int32"), raw.shape)
)


def _gathered(numbers: Any = _GATHER, sizes: Shape = (1, 3), **given: Any) -> Captured:
    def function(x: Any, i: Any) -> Any:
        return lax.gather(x, i, numbers, sizes, **given)

    return function


def _scattered(function: Any, numbers: Any = _SCATTER, **given: Any) -> Captured:
    return lambda *args: function(*args, numbers, **given)


def _scatters(function: Any, *, unique: bool = False) -> list[Case]:
    if unique:
        params = _scattered(function, unique_indices=True, mode="clip")
        return [case((4, 3), _UNIQUE, (2, 3), params=params)]
    along = Draw((2, 2, 1), 0, 3, "int32")
    return [
        case((4, 3), _ROWS, (4, 3), params=_scattered(function)),
        case((4, 3), _ROWS, (4, 3), params=_scattered(function, mode="clip")),
        case((2, 3), along, (2, 2), params=_scattered(function, _SCATTER_BATCH)),
    ]


_WINDOWS: Params = {
    "window_dimensions": (2, 2),
    "base_dilation": (1, 1),
    "padding": ((1, 0), (0, 1)),
    "window_strides": (1, 2),
    "window_dilation": (1, 1),
}
_SPREAD: Params = {
    "window_dimensions": (2,),
    "base_dilation": (2,),
    "padding": ((0, 1),),
    "window_strides": (1,),
    "window_dilation": (2,),
}


def _windowed(**given: Any) -> list[Case]:
    return [case((3, 4), **_WINDOWS, **given), case((4,), **_SPREAD, **given)]


def _cumulative(low: float = -2.0) -> list[Case]:
    return [
        case(Draw((2, 3), low), params={"axis": 1, "reverse": False}),
        case(Draw((4,), low), params={"axis": 0, "reverse": True}),
    ]


def _combined(a: Any, b: Any) -> Any:
    return lax.add(lax.add(a, b), lax.mul(a, b))


def _reduced(x: Any, init: Any) -> Any:
    return lax.reduce(x, init, _combined, (1,))


def _reduced_in_windows(x: Any, init: Any) -> Any:
    return lax.reduce_window(x, init, _combined, (2, 2), (1, 1), "VALID")


def _conjugate(x: Any) -> Any:
    return lax.conj(x)


def _convolution(**given: Any) -> Captured:
    return lambda *args: lax.conv_general_dilated(*args, **given)


_CONVOLUTIONS = [
    case((2, 3, 5, 4), (2, 3, 2, 2), params=_convolution(window_strides=(1, 2), padding="SAME")),
    case(
        (2, 4, 5),
        (4, 2, 2),
        params=_convolution(
            window_strides=(2,), padding=((1, 2),), rhs_dilation=(2,), feature_group_count=2
        ),
    ),
    case(
        (4, 3, 4),
        (2, 3, 2),
        params=_convolution(
            window_strides=(1,), padding=((0, 1),), lhs_dilation=(2,), batch_group_count=2
        ),
    ),
    case(
        (2, 4, 3),
        (2, 3, 2),
        params=_convolution(
            window_strides=(1,), padding="VALID", dimension_numbers=("NWC", "WIO", "NWC")
        ),
    ),
]


def _dot(numbers: Any, **given: Any) -> Params:
    given = {"precision": None, "preferred_element_type": None, "out_sharding": None, **given}
    return {"dimension_numbers": numbers, **given}


_KEY = Draw((), dtype="key<fry>")
_KEYS = Draw((2,), dtype="key<fry>")
_FRY: Params = {"impl": prng_impls.THREEFRY}
_PHILOX: Params = {"impl": registry.GENERATORS["philox2x32"]}
_WORDS = Draw((3,), 0, 2**32 - 2, "uint32")
_INT = Draw((), -1, 2, "int32")

_NAMED: Params = {"axis_name": "i", "size": 3, "groups": None}


def _on(*operands: Draw | Shape, **params: Any) -> Case:
    """A case along a named axis."""
    return case(*operands, params=params, members=3)


_PLACE = SingleDeviceSharding(devices()[0])

CASES: dict[str, list[Case]] = {
    **LINEAR_ALGEBRA,
    "add": [case((2, 3), (2, 3)), case((), ())],
    "pow": [case(Draw((2, 3), 0.5), Draw((2, 3), -2, 3, "int32"))],
    "integer_pow": [case(Draw((3,), 0.5), y=y) for y in (-2, 0, 1, 3)],
    "round": [case((3,), rounding_method=each) for each in options.RoundingMethod],
    "reduce_precision": [case((3,), exponent_bits=5, mantissa_bits=3)],
    "conj": [case((3,), params=_conjugate)],
    "polygamma": [
        case(Draw((3,), 1, 1), Draw((3,), 0.5, 3), fixed=(0,)),
        case(Draw((3,), 3, 3), Draw((3,), 0.5, 3), fixed=(0,)),
    ],
    "eq": [case(_KEYS, _KEYS)],
    "ne": [case(_KEYS, _KEYS)],
    "approx_top_k": [
        case(
            shape,
            k=2,
            reduction_dimension=axis,
            recall_target=0.95,
            is_max_k=greatest,
            reduction_input_size_override=-1,
            aggregate_to_topk=True,
        )
        for shape, axis, greatest in (((5,), 0, True), ((2, 4), 1, False))
    ],
    "optimization_barrier": [case((2, 3), (4,))],
    "broadcast_in_dim": [
        case(shape, shape=out, broadcast_dimensions=axes, sharding=None)
        for shape, out, axes in (
            ((3,), (2, 3, 4), (1,)),
            ((), (2,), ()),
            ((1, 3), (2, 3), (0, 1)),
            ((2, 1), (2, 0, 3), (0, 2)),
        )
    ],
    "tile": [case((2, 3), reps=(2, 1)), case((2,), reps=(3,))],
    "psum": [_on((2,), axes=("i",), groups=None)],
    "psum_invariant": [_on((2,), axes=("i",), groups=None)],
    "pvary": [_on((2,), axes=("i",))],
    "pmax": [_on((2,), axes=("i",), groups=None)],
    "pmin": [_on((2,), axes=("i",), groups=None)],
    "axis_index": [_on(axis_name="i")],
    "all_gather": [_on((2, 2), dimension=1, tiled=each, **_NAMED) for each in (True, False)],
    "reduce_scatter": [
        _on((2, 6), dimension=1, tiled=True, **_NAMED),
        _on((2, 3), dimension=1, tiled=False, **_NAMED),
    ],
    "all_to_all": [_on((2, 6), split=1, concat=0, **_NAMED)],
    "ppermute": [_on((2,), axis_name="i", perm=((0, 1), (1, 2)))],
    "dot_general": [
        case((2, 3), (3, 4), params=_dot((((1,), (0,)), ((), ())))),
        case((2, 5, 3), (3, 2, 4), params=_dot((((2,), (0,)), ((0,), (1,))))),
        case((3,), (3,), params=_dot((((0,), (0,)), ((), ())))),
        case((2, 3), (3, 2), params=_dot((((0, 1), (1, 0)), ((), ())))),
        case((2,), (3,), params=_dot((((), ()), ((), ())), precision=lax.Precision.HIGHEST)),
    ],
    "convert_element_type": [
        case((3,), new_dtype=dtypes.float64, weak_type=True),
        case((3,), new_dtype=dtypes.complex128, weak_type=False),
        # These round, which counts as the identity.
        *(
            case((3,), new_dtype=dtypes.DTYPES[new], weak_type=False, fixed=(0,), linear=())
            for new in "int8 int4 bool bfloat16 float8_e5m2".split()
        ),
    ],
    "pad": [
        case((2, 3), (), padding_config=((1, 0, 2), (0, 1, 0)), linear=((0, 1), (0,), (1,))),
        case((4,), (), padding_config=((-1, -1, 0),), linear=((0, 1), (0,))),
    ],
    "conv_general_dilated": _CONVOLUTIONS,
    "iota": [case(dtype=dtypes.int32, shape=(2, 3), dimension=1, sharding=None)],
    "name": [case((2, 3), name="kept")],
    "empty": [case(shape=(2, 0), dtype=dtypes.float32, out_sharding=None)],
    "cumsum": _cumulative(),
    "cumprod": _cumulative(0.5),
    "cummax": _cumulative(),
    "cummin": _cumulative(),
    "cumlogsumexp": _cumulative(),
    "fft": [
        case((2, 4), only="complex64 complex128", fft_type=options.FftType.FFT, fft_lengths=(4,)),
        case(
            (2, 3), only="complex64 complex128", fft_type=options.FftType.IFFT, fft_lengths=(2, 3)
        ),
        case((2, 4), fft_type=options.FftType.RFFT, fft_lengths=(4,)),
        case((2, 5), fft_type=options.FftType.RFFT, fft_lengths=(2, 5)),
        case((2, 3), only="complex64 complex128", fft_type=options.FftType.IRFFT, fft_lengths=(4,)),
        case((2, 3), only="complex64 complex128", fft_type=options.FftType.IRFFT, fft_lengths=(5,)),
    ],
    "gather": [
        case((4, 3), _ROWS, params=_gathered()),
        case((4, 3), _ROWS, params=_gathered(mode="clip")),
        case((4, 3), _ROWS, params=_gathered(fill_value=0)),
        case(
            (2, 3),
            Draw((2, 2, 1), 0, 3, "int32"),
            params=_gathered(_GATHER_BATCH, (1, 1), fill_value=0),
        ),
    ],
    "reduce": [
        case(
            (2, 3),
            (),
            params=_reduced,
            fixed=(1,),
        ),
    ],
    "concatenate": [case((2, 3), (2, 1), (2, 2), dimension=1), case((2,), dimension=0)],
    "split": [case((2, 5), sizes=(2, 3), axis=1), case((3,), sizes=(3,), axis=0)],
    "device_put": [
        case((3,), sharding=None, src=None, copy=True),
        case((3,), sharding=_PLACE, src=_PLACE, copy=False),
    ],
    "random_gamma": [
        case(_KEYS, Draw((2, 3), 0.5, 3), log_space=space, **_FRY) for space in (True, False)
    ],
    "random_seed": [case(_INT, **_FRY), case(Draw((2,), 0, 9, "uint32"), **_PHILOX)],
    "random_split": [case(_KEY, shape=(2,), **_FRY), case(_KEYS, shape=(3, 2), **_FRY)],
    "random_fold_in": [
        case(_KEY, Draw((), 0, 9, "uint32"), **_FRY),
        case(_KEYS, Draw((2,), 0, 9, "uint32"), **_FRY),
    ],
    "random_bits": [
        case(_KEY, bit_width=8, shape=(3,), **_FRY),
        case(_KEYS, bit_width=64, shape=(), **_FRY),
    ],
    "random_wrap": [case(Draw((2,), 0, 9, "uint32"), **_FRY)],
    "random_unwrap": [case(_KEYS, **_FRY)],
    "random_clone": [case(_KEYS)],
    "reduce_sum": [
        case((2, 3), axes=(1,), out_sharding=None),
        case((2, 3), axes=(0, 1), out_sharding=None),
        case((0, 2), axes=(0,), out_sharding=None),
    ],
    "reduce_prod": [
        case(Draw((2, 3), 0.5), axes=(1,)),
        case(Draw((2, 3), 0.5), axes=(0, 1)),
    ],
    **{
        name: [case((2, 3), axes=(1,)), case((2, 2, 2), axes=(0, 2))]
        for name in "reduce_max reduce_min reduce_and reduce_or reduce_xor".split()
    },
    **{
        name: [case((2, 3), axes=(axis,), index_dtype=dtypes.int32) for axis in (0, 1)]
        for name in ("argmax", "argmin")
    },
    "bitcast_convert_type": [
        case((2, 4), only="int32 float32 uint32", new_dtype=dtypes.float32),
        case((2, 4), only="int32 float32 uint32", new_dtype=dtypes.int32),
        case((2, 2), only="float32 int32", new_dtype=dtypes.uint8),
        case((2, 4), only="uint8 int8", new_dtype=dtypes.float32),
        case((3,), only="float16", new_dtype=dtypes.bfloat16),
    ],
    "reshape": [
        case((2, 3), new_sizes=(3, 2), dimensions=None, sharding=None),
        case((2, 3), new_sizes=(6,), dimensions=(1, 0), sharding=None),
        case((), new_sizes=(1, 1), dimensions=None, sharding=None),
    ],
    "squeeze": [case((1, 3, 1), dimensions=(0, 2)), case((1,), dimensions=(0,))],
    "rng_bit_generator": [
        case(Draw((4,), 0, 9, "uint32"), shape=(3,), dtype=dtypes.uint32, algorithm=0)
    ],
    "rng_uniform": [case(Draw((), 0, 0), Draw((), 1, 1), shape=(3,))],
    "scatter": _scatters(lax.scatter),
    "scatter-add": _scatters(lax.scatter_add),
    "scatter-sub": _scatters(lax.scatter_sub),
    "scatter-mul": _scatters(lax.scatter_mul, unique=True),
    "scatter-min": _scatters(lax.scatter_min),
    "scatter-max": _scatters(lax.scatter_max),
    "select_n": [
        case(Draw((2, 3), dtype="bool"), (2, 3), (2, 3), linear=((1, 2), (1,))),
        case(Draw((), dtype="bool"), (2, 3), (2, 3), linear=((1, 2), (2,))),
        case(Draw((4,), 0, 2, "int32"), (4,), (4,), (4,), linear=((1, 2, 3), (2,))),
    ],
    "slice": [
        case((4, 3), start_indices=(1, 0), limit_indices=(4, 2), strides=(2, 1)),
        case((4,), start_indices=(2,), limit_indices=(2,), strides=None),
    ],
    "dynamic_slice": [
        case((4, 3), _INT, Draw((), -1, 5, "int32"), slice_sizes=(2, 2)),
        case((4,), _INT, slice_sizes=(4,)),
    ],
    "dynamic_update_slice": [case((4, 3), (2, 2), _INT, _INT), case((4,), (4,), _INT)],
    "sort": [
        case((2, 4), dimension=1, is_stable=True, num_keys=1),
        case((4, 2), (4, 2), dimension=0, is_stable=True, num_keys=1),
        case((4,), Draw((4,)), (4,), dimension=0, is_stable=False, num_keys=2),
    ],
    "top_k": [case((2, 4), k=2, axis=1), case((4,), k=4, axis=0)],
    "threefry2x32": [
        case(_WORDS, _WORDS, _WORDS, _WORDS),
        case(*[Draw((), 0, 2**32 - 2, "uint32")] * 2, _WORDS, _WORDS),
    ],
    "threefry2x32_word": [
        case(_WORDS, _WORDS, _WORDS, _WORDS, which=0),
        case(*[Draw((), 0, 2**32 - 2, "uint32")] * 2, _WORDS, _WORDS, which=1),
    ],
    "transpose": [
        case((2, 3, 4), permutation=(2, 0, 1)),
        case((2, 3), permutation=(0, 1)),
    ],
    "rev": [case((2, 3), dimensions=(1,)), case((3,), dimensions=())],
    "select_and_gather_add": [
        case((3, 4), (3, 4), select="ge", **_WINDOWS),
        case((4,), (4,), select="le", **_SPREAD),
    ],
    "select_and_scatter_add": [
        case((3, 2), (3, 4), select="ge", **_WINDOWS),
    ],
    "reduce_window_sum": _windowed(),
    "reduce_window_max": _windowed(),
    "reduce_window_min": _windowed(),
    "reduce_window": [
        case(
            (3, 4),
            (),
            params=_reduced_in_windows,
            fixed=(1,),
            unmapped=(1,),  # JAX does not map over it either
        )
    ],
}


def _rounded(raw: Any) -> Any:
    """Numbers of which some are equal."""
    return np.rint(raw) if raw.dtype.kind in "fc" else raw


def _with_infinity(raw: Any) -> Any:
    return np.where(raw > 0, np.array(np.inf, raw.dtype), raw) if raw.dtype.kind == "f" else raw


MADE: dict[str, Any] = {
    **dict.fromkeys("eq ne lt le gt ge eq_to le_to lt_to".split(), _rounded),
    "is_finite": _with_infinity,
}
"""What is done with the operands of those elementwise primitives that tell numbers apart."""


def cases_of(name: str) -> list[Case]:
    """The cases of a primitive; none where it is not listed."""
    bounds = elementwise().get(name)
    listed = CASES.get(name, [])
    if bounds is None:
        return listed
    draws = tuple(Draw((2, 3), low, high, make=MADE.get(name)) for low, high in bounds)
    return [Case(draws, PARAMETERS.get(name, {}), fixed=FIXED.get(name, ())), *listed]
