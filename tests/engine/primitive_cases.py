"""Sample operands and parameters of every primitive, for `test_primitives.py`.

A new primitive needs a line here: in `ELEMENTWISE` if it works element by element, else in `CASES`.
A rule that it lacks on purpose, or a property that it is not to have, stands with the reason in
`EXCEPTIONS`.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oakum import dtypes, host, lax
from oakum.avals import ShapedArray
from oakum.dtypes import DType, Kind
from oakum.lax import options
from oakum.random import generators, registry
from oakum.rules import matrices
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.runtime.devices import devices
from oakum.shardings import SingleDeviceSharding
from oakum.staging import stage
from oakum.trace import Primitive, aval_of

Shape = tuple[int, ...]
Params = dict[str, Any]

TESTED = [
    each
    for each in dtypes.NUMERIC
    if each.bits in (4, 8, 16, 32, 64, 128) and each not in dtypes.NUMERIC[10:18]
]
"""The dtypes that the abstract rules are asked about; of the floats of 8 bits a few."""


@dataclass(frozen=True)
class Draw:
    """One operand: numbers between bounds, of the dtype under test or a certain one."""

    shape: Shape = ()
    low: float = -2.0
    high: float = 2.0
    dtype: str = ""
    make: Callable[[Any], Any] | None = None
    """What is done with the numbers, on the host: to make a matrix symmetric, for instance."""

    def aval(self, tested: DType) -> ShapedArray:
        """The aval of the operand."""
        return ShapedArray(self.shape, dtypes.DTYPES[self.dtype] if self.dtype else tested)

    def values(self, tested: DType, seed: str, batch: Shape = ()) -> ArrayImpl:
        """The operand, with batch axes put first; the same one whenever the seed is."""
        aval = self.aval(tested).update(shape=(*batch, *self.shape))
        assert aval.dtype is not None
        assert aval.shape is not None
        raw = self._numbers(
            aval.dtype, aval.shape, np.random.default_rng(zlib.crc32(seed.encode()))
        )
        return wrap(raw if self.make is None else self.make(raw), aval)

    def _numbers(self, dtype: DType, shape: Any, rng: np.random.Generator) -> Any:
        kind = host.dtype(dtype)
        if dtype.kind is Kind.KEY:
            words = rng.integers(0, 2**32, (*shape, dtype.bits // 32), np.uint32)
            return words.view(kind).reshape(shape)
        if dtype.kind is Kind.BOOL:
            return rng.integers(0, 2, shape).astype(bool)
        if dtype.kind in (Kind.INT, Kind.UINT):
            low = max(math.floor(self.low), 0) if dtype.kind is Kind.UINT else math.floor(self.low)
            return rng.integers(low, max(low, math.ceil(self.high)) + 1, shape).astype(kind)
        numbers: Any = rng.uniform(self.low, self.high, shape)
        if dtype.kind is Kind.COMPLEX:
            numbers = numbers + 1j * rng.uniform(self.low, self.high, shape)
        return np.asarray(numbers).astype(kind)


Captured = Callable[..., Any]


@dataclass(frozen=True)
class Case:
    """Operands of a primitive and its parameters, with what holds of them."""

    operands: tuple[Draw, ...]
    params: Params | Captured
    """The parameters, or a function of `lax` that binds the primitive to its own arguments."""
    linear: tuple[tuple[int, ...], ...] | None = None
    """Sets of operands in which the operation is linear together; None: what `LINEAR` says."""
    fixed: tuple[int, ...] = ()
    """Operands by which it has no derivative."""
    only: str = ""
    """The dtypes that fit the parameters; none: all that the abstract rule takes."""
    prepare: Callable[[list[Any]], list[Any]] | None = None
    """What the operands go through first, so that any change of them is a legal one."""
    compare: Callable[[list[Any]], list[Any]] | None = None
    """What of the results is determined: of eigenvectors not the phase."""
    unmapped: tuple[int, ...] = ()
    """Operands that are not mapped over."""
    members: int = 0
    """The size of the named axis `i` that the primitive communicates along."""
    tolerance: float = 1e-5

    def params_for(self, primitive: Primitive, tested: DType) -> Params:
        """The parameters for operands of a dtype."""
        if isinstance(self.params, dict):
            return self.params
        function, avals = self.params, [each.aval(tested) for each in self.operands]
        closed = stage(lambda *args: list(_flat(function(*args))), avals)
        (eqn,) = (each for each in closed.eqns if each.primitive is primitive)
        assert [atom.aval for atom in eqn.inputs] == avals
        return dict(eqn.params)

    def accepts(self, primitive: Primitive, tested: DType) -> bool:
        """Whether the primitive takes operands of a dtype."""
        if self.only and tested.name not in self.only.split():
            return False
        avals = [each.aval(tested) for each in self.operands]
        try:
            primitive.abstract(*avals, **self.params_for(primitive, tested))
        except TypeError:
            return False
        return True

    def tested(self, primitive: Primitive) -> DType:
        """The dtype that derivatives and batching are tested with."""
        wanted = (dtypes.float64, dtypes.complex128, dtypes.int32, dtypes.bool_, dtypes.float32)
        return next(each for each in (*wanted, *TESTED) if self.accepts(primitive, each))


def _flat(result: Any) -> Sequence[Any]:
    return list(result) if isinstance(result, (list, tuple)) else [result]  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]


def case(*operands: Draw | Shape, **given: Any) -> Case:
    """A case whose parameters are the keywords that are no fields of `Case`."""
    fields = {name: given.pop(name) for name in list(given) if name in Case.__dataclass_fields__}
    draws = tuple(each if isinstance(each, Draw) else Draw(each) for each in operands)
    return Case(draws, fields.pop("params", given), **fields)


ELEMENTWISE = """
add -2 2 -2 2 | sub -2 2 -2 2 | neg -2 2 | mul -2 2 -2 2 | div -2 2 0.5 2 | rem -3 3 0.7 1.3
sign -2 2 | abs -2 2 | square -2 2 | max -2 2 -2 2 | min -2 2 -2 2 | pow 0.5 2 -2 2
not 0 3 | and 0 3 0 3 | or 0 3 0 3 | xor 0 3 0 3 | shift_left 0 3 0 2 | mulhi 0 3 0 3
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
    **dict.fromkeys("exp exp2 log expm1 log1p tanh".split(), {"accuracy": None}),
    **dict.fromkeys("logistic sqrt rsqrt cbrt sin cos tan".split(), {"accuracy": None}),
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


LINEAR: dict[str, tuple[tuple[int, ...], ...]] = {
    "add": ((0, 1), (0,), (1,)),
    "sub": ((0, 1), (0,), (1,)),
    "mul": ((0,), (1,)),
    "div": ((0,),),
    "dot_general": ((0,), (1,)),
    "conv_general_dilated": ((0,), (1,)),
    "triangular_solve": ((1,),),
    "tridiagonal_solve": ((3,),),
    "gather": ((0,),),
    "scatter": ((0, 2), (0,), (2,)),
    "scatter-add": ((0, 2), (0,), (2,)),
    "scatter-sub": ((0, 2), (0,), (2,)),
    "scatter-mul": ((0,), (2,)),
    "dynamic_slice": ((0,),),
    "dynamic_update_slice": ((0, 1), (0,), (1,)),
    "optimization_barrier": ((0, 1),),
    "select_and_gather_add": ((0,),),
    "select_and_scatter_add": ((0,),),
    "convert_element_type": ((0,),),
}
"""In which operands primitives are linear that are not so in all of them."""

_GATHER = lax.GatherDimensionNumbers((1,), (0,), (0,))
_GATHER_BATCH = lax.GatherDimensionNumbers((), (1,), (1,), (0,), (0,))
_SCATTER = lax.ScatterDimensionNumbers((1,), (0,), (0,))
_SCATTER_BATCH = lax.ScatterDimensionNumbers((), (1,), (1,), (0,), (0,))
_ROWS = Draw((4, 1), 0, 4, "int32")
"""Positions of rows, of which some lie out of bounds."""
_UNIQUE = Draw(
    (2, 1), 0, 4, "int32", lambda raw: np.resize(np.array([[3], [1]], "int32"), raw.shape)
)


def _gathered(**given: Any) -> Captured:
    return lambda x, i: lax.gather(x, i, _GATHER, (1, 3), **given)


def _scattered(function: Any, **given: Any) -> Captured:
    return lambda x, i, u: function(x, i, u, _SCATTER, **given)


def _scatters(function: Any, *, unique: bool = False) -> list[Case]:
    if unique:
        params = _scattered(function, unique_indices=True, mode="clip")
        return [case((4, 3), _UNIQUE, (2, 3), params=params)]
    along = Draw((2, 2, 1), 0, 3, "int32")
    return [
        case((4, 3), _ROWS, (4, 3), params=_scattered(function)),
        case((4, 3), _ROWS, (4, 3), params=_scattered(function, mode="clip")),
        case((2, 3), along, (2, 2), params=lambda x, i, u: function(x, i, u, _SCATTER_BATCH)),
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


def _convolution(**given: Any) -> Captured:
    return lambda x, k: lax.conv_general_dilated(x, k, **given)


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


def _adjoint(raw: Any) -> Any:
    return np.swapaxes(raw, -1, -2).conj()


def _positive(raw: Any) -> Any:
    """Positive definite matrices."""
    if raw.dtype.kind not in "fc":
        return raw
    return (raw @ _adjoint(raw) + 3 * np.eye(raw.shape[-1])).astype(raw.dtype)


def _dominant(raw: Any) -> Any:
    """Matrices with large elements on the diagonal, so that they are far from singular."""
    return raw if raw.dtype.kind not in "fc" else raw + 4 * np.eye(raw.shape[-1], dtype=raw.dtype)


def _spread_out(raw: Any) -> Any:
    """Hermitian matrices whose eigenvalues are apart."""
    if raw.dtype.kind not in "fc":
        return raw
    return (raw + _adjoint(raw) + np.diag(4 * np.arange(raw.shape[-1]))).astype(raw.dtype)


def _symmetric(operands: list[Any]) -> list[Any]:
    return [matrices.symmetrized(operands[0])]


def _sizes(results: list[Any]) -> list[Any]:
    """The results, where they are complex without their phases."""
    kinds = [aval_of(each).dtype for each in results]
    return [
        lax.abs(each) if kind is not None and kind.kind is Kind.COMPLEX else each
        for each, kind in zip(results, kinds, strict=True)
    ]


def _values_and_sizes(results: list[Any]) -> list[Any]:
    """The eigenvalues, and the vectors without their phases."""
    return [results[0], *_sizes(results[1:])]


_EIGH = {"lower": True, "sort_eigenvalues": True, "subset_by_index": None, "algorithm": None}
_EIG: Params = {"enable_eigvec_derivs": True, "implementation": None}
_SVD = {"subset_by_index": None, "algorithm": None}
_QR: Params = {"use_magma": None}
_SOLVE: Params = {"conjugate_a": False, "unit_diagonal": False}

_KEY = Draw((), dtype="key<fry>")
_KEYS = Draw((2,), dtype="key<fry>")
_FRY: Params = {"impl": generators.THREEFRY}
_PHILOX: Params = {"impl": registry.GENERATORS["philox2x32"]}
_WORDS = Draw((3,), 0, 2**32 - 2, "uint32")
_INT = Draw((), -1, 2, "int32")

_NAMED: Params = {"axis_name": "i", "size": 3, "groups": None}


def _on(*operands: Draw | Shape, **params: Any) -> Case:
    """A case along a named axis."""
    return case(*operands, params=params, members=3)


_PLACE = SingleDeviceSharding(devices()[0])

CASES: dict[str, list[Case]] = {
    "add": [case((2, 3), (2, 3)), case((), ())],
    "pow": [case(Draw((2, 3), 0.5), Draw((2, 3), -2, 3, "int32"))],
    "integer_pow": [case(Draw((3,), 0.5), y=y) for y in (-2, 0, 1, 3)],
    "round": [case((3,), rounding_method=each) for each in options.RoundingMethod],
    "reduce_precision": [case((3,), exponent_bits=5, mantissa_bits=3)],
    "conj": [case((3,), params=lambda x: lax.conj(x))],
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
    "cholesky": [
        case(Draw((3, 3), make=_positive), prepare=_symmetric),
        case(Draw((2, 2, 2), make=_positive), prepare=_symmetric),
    ],
    "cholesky_update": [case(Draw((3, 3), make=lambda raw: np.triu(_dominant(raw))), (3,))],
    "psum": [_on((2,), axes=("i",), groups=None)],
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
    "empty": [case(shape=(2, 0), dtype=dtypes.float32, out_sharding=None)],
    "cumsum": _cumulative(),
    "cumprod": _cumulative(0.5),
    "cummax": _cumulative(),
    "cummin": _cumulative(),
    "cumlogsumexp": _cumulative(),
    "eigh": [
        case(
            Draw(shape, make=_spread_out),
            params={**_EIGH, "lower": lower},
            prepare=_symmetric,
            compare=_sizes,
        )
        for shape, lower in (((3, 3), True), ((2, 2, 2), False))
    ],
    "eig": [
        case(
            Draw((3, 3), make=lambda raw: _dominant(raw) + np.diag(np.arange(3)).astype(raw.dtype)),
            params={**_EIG, "compute_left_eigenvectors": left, "compute_right_eigenvectors": right},
            compare=_values_and_sizes,
            tolerance=1e-4,
        )
        for left, right in ((False, False), (True, True))
    ],
    "schur": [case((3, 3), compute_schur_vectors=True, sort_eig_vals=False, select_callable=None)],
    "lu": [case(Draw(shape, make=None)) for shape in ((3, 3), (2, 4, 3), (2, 3))],
    "lu_pivots_to_permutation": [
        case(Draw((3,), 3, 3, "int32"), permutation_size=4),
        case(Draw((2, 2), 2, 2, "int32"), permutation_size=3),
    ],
    "triangular_solve": [
        case(
            Draw((3, 3), make=_dominant),
            (2, 3) if not left else (3, 2),
            params={**_SOLVE, "left_side": left, "lower": lower, "transpose_a": turned, **more},
        )
        for left, lower, turned, more in (
            (True, True, False, {}),
            (False, False, False, {"unit_diagonal": True}),
            (True, False, True, {"conjugate_a": True}),
        )
    ],
    "tridiagonal_solve": [
        case((4,), Draw((4,), 5, 6), (4,), (4, 2), perturb_singular=False, fixed=(0, 2)),
    ],
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
            params=lambda x, i: lax.gather(x, i, _GATHER_BATCH, (1, 1), fill_value=0),
        ),
    ],
    "reduce": [
        case(
            (2, 3),
            (),
            params=lambda x, init: lax.reduce(x, init, _combined, (1,)),
            fixed=(1,),
        ),
    ],
    "concatenate": [case((2, 3), (2, 1), (2, 2), dimension=1), case((2,), dimension=0)],
    "split": [case((2, 5), sizes=(2, 3), axis=1), case((3,), sizes=(3,), axis=0)],
    "geqrf": [case((4, 3)), case((2, 2, 3))],
    "householder_product": [case((4, 3), (3,)), case((2, 3, 3), (2, 2))],
    "ormqr": [
        case((3, 3), (3,), (3, 2), left=True, transpose=True),
        case((3, 3), (3,), (2, 3), left=False, transpose=False),
    ],
    "qr": [
        case(shape, params={**_QR, "pivoting": pivoting, "full_matrices": full}, tolerance=1e-4)
        for shape, pivoting, full in (
            ((4, 3), False, False),
            ((3, 3), False, True),
            ((2, 2, 3), False, False),
            ((4, 3), True, False),
        )
    ],
    "hessenberg": [case((3, 3))],
    "tridiagonal": [case(Draw((3, 3), make=_spread_out), lower=True)],
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
    "svd": [
        case(
            Draw(shape),
            params={**_SVD, "compute_uv": vectors, "full_matrices": full},
            compare=_sizes,
            tolerance=1e-4,
        )
        for shape, vectors, full in (
            ((3, 3), True, False),
            ((2, 4, 3), True, False),
            ((2, 3), False, False),
        )
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
            params=lambda x, init: lax.reduce_window(x, init, _combined, (2, 2), (1, 1), "VALID"),
            fixed=(1,),
            unmapped=(1,),  # JAX does not map over it either
        )
    ],
}


FIXED: dict[str, tuple[int, ...]] = {"regularized_incomplete_beta": (0, 1)}
"""Operands by which elementwise primitives have no derivative, as in JAX."""


def cases_of(name: str) -> list[Case]:
    """The cases of a primitive; none where it is not listed."""
    bounds = elementwise().get(name)
    listed = CASES.get(name, [])
    if bounds is None:
        return listed
    draws = tuple(Draw((2, 3), low, high) for low, high in bounds)
    return [Case(draws, PARAMETERS.get(name, {}), fixed=FIXED.get(name, ())), *listed]


_NO_TANGENTS = "integers and keys have no tangents: no float comes in or out"
_STEPS = "JAX has no derivative of it either"
_ROUNDS = "rounding counts as the identity: it is differentiated and transposed as itself"

EXCEPTIONS: dict[str, dict[str, str]] = {
    "derivative": {
        "axis_index": "it has no operand",
        "empty": "it has no operand",
        "iota": "it has no operand",
        "pmax": "JAX has no derivative of it either",
        "pmin": "JAX has no derivative of it either",
        "cholesky_update": _STEPS,
        "schur": _STEPS,
        "lu_pivots_to_permutation": _NO_TANGENTS,
        "geqrf": _STEPS,
        "householder_product": _STEPS,
        "ormqr": _STEPS,
        "hessenberg": _STEPS,
        "tridiagonal": _STEPS,
        "reduce_and": _NO_TANGENTS,
        "reduce_or": _NO_TANGENTS,
        "reduce_xor": _NO_TANGENTS,
        "nextafter": _STEPS,
        "zeta": _STEPS,
        "igamma_grad_a": _STEPS,
        "random_gamma_grad": _STEPS,
        "reduce_precision": _ROUNDS,
        "stop_gradient": "that is its purpose",
        "rng_uniform": "its results are different every time",
        "random_gamma": "its derivative is that of a smooth method, not of the one that samples",
    },
    "complex": {
        "clamp": "complex numbers have no order: JAX has no derivative for them either",
        "sign": "the derivative is zero, as in JAX, which holds for real numbers",
    },
    "transpose": {"reduce_precision": _ROUNDS},
    "batch": {
        "iota": "it has no operand",
        "empty": "it has no operand",
        "rng_bit_generator": "one draw from the first state serves all, as in JAX",
        "rng_uniform": "its results are different every time",
    },
    "value": {"rng_uniform": "its results are different every time"},
}
"""What primitives lack on purpose, or are excused from, with the reason."""

__all__ = ["CASES", "EXCEPTIONS", "TESTED", "Case", "Draw", "cases_of", "elementwise"]
