"""Tolerances: in what compiled code may differ from the evaluation of the same equation, and why.

All that is not named here has one right result, bit by bit: the compiler keeps the order of
arithmetic and iterations each operation to its dtype. What is named gets noise when an equation is
evaluated as a sample, as large as the difference may be. So what follows in the same step is scaled
by its own condition: see `reference`.

Only the bits of NaN never matter: no hardware agrees on them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum.compile.loops.elements import shape_of
from oakum.dtypes import Kind
from oakum.lax.elementary import FUNCTIONS
from oakum.tracing.ir import Equation
from oakum.values import host
from oakum.values.avals import ShapedArray

_UNITS: Final[Mapping[str, float]] = {
    # The compiler's functions are within 2.4 units of the last place, NumPy's within 4 for float32:
    # see benchmarks/elementary_accuracy.md.
    **{name: 6.0 for name in (*FUNCTIONS, "atan2", "pow", "erf", "erfc") if name != "sqrt"},
    # Both sides evaluate series; near their zeros errors are relative to one, as that file says.
    **dict.fromkeys("erf_inv bessel_i0e bessel_i1e lgamma digamma".split(), 12.0),
}
"""How many units of the last place two implementations of a function may be apart."""

_NEAR_ONE: Final = frozenset(("lgamma", "digamma"))
"""Functions whose errors are relative to one where their results pass through zero."""

_ZEROS: Final = frozenset(
    "max min reduce_max reduce_min cummax cummin clamp reduce_window_max reduce_window_min".split()
)
"""What takes one of two numbers: of zeros with both signs either is right."""

_SUMS: Final = frozenset(
    "reduce_sum cumsum dot_general conv_general_dilated reduce_window_sum scatter-add "
    "scatter-sub".split()
)
"""Sums are taken in another order: by vectors, threads and blocks, and products are added unrounded
(FMA). The error of any order of n terms is below n units of the sum of their magnitudes; rounding
errors go both ways, so that of a right order grows with the square root of n.
"""

_MULTIPLIED: Final = frozenset(("mul", "square"))
_ADDED: Final = frozenset(("add", "sub", *_SUMS))
"""A product that is added to something in the same step is not rounded before (FMA)."""

_PRODUCTS: Final = frozenset("reduce_prod cumprod integer_pow scatter-mul".split())
"""Products are taken in another order: each of n factors costs half a unit."""

_SOLVED: Final = frozenset(
    (
        "cholesky lu triangular_solve tridiagonal_solve qr fft eigh eig svd schur hessenberg "
        "tridiagonal geqrf householder_product ormqr"
    ).split()
)
"""Backward stable algorithms: what they give is right for operands that differ by a small multiple
of a unit, and how far that is from the result for the operands themselves depends on these alone.
"""
_FREE: Final = (_UNITS, _ZEROS, _SUMS, _PRODUCTS, _SOLVED)


def free_among(eqns: Sequence[Equation]) -> frozenset[Equation]:
    """Returns the equations of a step that compiled code may compute otherwise than their
    evaluation.
    """
    is_adding = any(eqn.primitive.name in _ADDED for eqn in eqns)
    return frozenset(
        eqn
        for eqn in eqns
        if any(_is_inexact(var.aval) for var in eqn.outputs)
        and (
            (is_adding and eqn.primitive.name in _MULTIPLIED)
            or any(eqn.primitive.name in each for each in _FREE)
        )
    )


def sample(eqn: Equation, operands: Sequence[Any], rng: host.Rng) -> list[Any]:
    """What an equation that is free may give, of all that it may."""
    name = eqn.primitive.name
    if name in _SOLVED:
        return evaluate(eqn, [_disturb(x, _rank(eqn), rng) for x in operands])
    (result,) = evaluate(eqn, operands)
    if name in _ZEROS:
        signs = rng.integers(0, 2, result.shape).astype(bool)
        return [host.np.where((result == 0) & signs, -result, result).astype(result.dtype)]
    if name in _SUMS:
        return [_sum(eqn, operands, result, rng)]
    if name in _MULTIPLIED:
        return [_unround(operands, result, rng)]
    size = _magnitude(result)
    if name in _NEAR_ONE:
        size = host.np.maximum(size, 1.0)
    units = _UNITS.get(name) or _factors(eqn)
    return [_with_noise(result, size * (units * _unit(result.dtype)), rng)]


def evaluate(eqn: Equation, operands: Sequence[Any]) -> list[Any]:
    """What the rule of an equation's operation gives for arrays of the host."""
    np = host.np
    with np.errstate(all="ignore"):
        found = eqn.primitive.evaluate(np, *operands, **eqn.params)
    results = found if eqn.primitive.multiple_results else (found,)
    return [
        np.asarray(raw, _dtype(var.aval)).reshape(shape_of(var.aval))
        for raw, var in zip(results, eqn.outputs, strict=True)
    ]


def _dtype(aval: ShapedArray) -> Any:
    assert aval.dtype is not None
    return host.dtype(aval.dtype)


def _is_inexact(aval: ShapedArray) -> bool:
    return aval.dtype is not None and aval.dtype.kind in (Kind.FLOAT, Kind.COMPLEX)


def _unit(dtype: host.ArrayDType) -> float:
    """Returns the unit of the last place of one."""
    return float(host.ml_dtypes.finfo(dtype).eps)


def _magnitude(x: host.Array) -> Any:
    """Returns the magnitudes of numbers as float64."""
    np = host.np
    with np.errstate(all="ignore"):
        return np.abs(x).astype(np.float64)


def _with_noise(x: host.Array, size: host.Array, rng: host.Rng) -> Any:
    """Numbers, each moved by no more than a size, and by at least the smallest step there is."""
    np = host.np
    info = host.ml_dtypes.finfo(x.dtype)
    with np.errstate(all="ignore"):
        size = np.where(np.isfinite(size), size, 0.0) + float(info.smallest_subnormal)
        if np.iscomplexobj(x):
            noise = size * (rng.uniform(-1, 1, x.shape) + 1j * rng.uniform(-1, 1, x.shape))
            return (x + noise).astype(x.dtype)
        return (x.astype(np.float64) + size * rng.uniform(-1, 1, x.shape)).astype(x.dtype)


def _disturb(x: host.Array, rank: int, rng: host.Rng) -> Any:
    """Returns an operand with noise: a few units of each number, and of the greatest of its
    matrix.
    """
    np = host.np
    if not x.size or not _is_of_floats(x):
        return x
    size = _magnitude(x)
    finite = np.where(np.isfinite(size), size, 0.0)
    greatest = np.max(finite, axis=tuple(range(-min(rank, x.ndim), 0)), keepdims=True)
    units = 4.0 + math.sqrt(max(x.shape[-1:], default=1))
    return _with_noise(x, (finite + greatest) * (units * _unit(x.dtype)), rng)


def _rank(eqn: Equation) -> int:
    """How many axes what is solved at once has."""
    return len(eqn.params["fft_lengths"]) if eqn.primitive.name == "fft" else 2


def _factors(eqn: Equation) -> float:
    """How many units a product may be off."""
    if eqn.primitive.name == "integer_pow":
        return 1.0 + math.log2(1 + abs(eqn.params["y"])) * 2.0
    terms = _terms(eqn)
    return 1.0 + terms / 2 if terms < 64 else 32 + math.sqrt(terms)


def _terms(eqn: Equation) -> int:
    """How many numbers make one of the result."""
    shapes = [shape_of(atom.aval) for atom in eqn.inputs]
    sizes = [math.prod(shape) for shape in shapes]
    match eqn.primitive.name:
        case "dot_general":
            axes: tuple[int, ...] = eqn.params["dimension_numbers"][0][0]
            return math.prod(shapes[0][axis] for axis in axes)
        case "reduce_sum" | "reduce_prod":
            return sizes[0] // max(math.prod(shape_of(eqn.outputs[0].aval)), 1)
        case "cumsum" | "cumprod":
            axis: int = eqn.params["axis"]
            return shapes[0][axis]
        case "conv_general_dilated":
            return sizes[1]
        case _:
            return sizes[-1]


def _unround(operands: Sequence[Any], result: host.Array, rng: host.Rng) -> Any:
    """Returns a product that may not have been rounded: one that is too large is then a number."""
    np = host.np
    moved = _with_noise(result, _magnitude(result) * _unit(result.dtype), rng)
    finite = np.logical_and.reduce([np.isfinite(x) for x in operands])
    overflows = np.isinf(result) & finite & (rng.integers(0, 2, result.shape) > 0)
    if not overflows.any():
        return moved
    greatest = np.asarray(host.ml_dtypes.finfo(result.dtype).max, result.dtype)
    return np.where(overflows, np.where(result > 0, greatest, -greatest), moved)


def _sum(eqn: Equation, operands: Sequence[Any], result: host.Array, rng: host.Rng) -> Any:
    """Returns a sum in another order."""
    np = host.np
    with np.errstate(all="ignore"):
        # What is infinite or NaN by itself is so in any order.
        finite = [
            np.where(np.isfinite(x), np.abs(x), 0).astype(x.dtype) if _is_of_floats(x) else x
            for x in operands
        ]
        size = _magnitude(evaluate(_without_signs(eqn), finite)[0])
    unit = min(
        _unit(result.dtype), 2.0**-23
    )  # Small floats are added as float32, and rounded then.
    growth = 2.0 + math.sqrt(_terms(eqn)) / 2
    amount = size * (growth * unit)
    if unit < _unit(result.dtype):
        amount += _magnitude(result) * _unit(result.dtype)
    moved = _with_noise(result, amount, rng)
    overflowing = ~np.isfinite(size)
    if overflowing.any():
        # Whether and where it overflows depends on the order.
        some = rng.choice([np.inf, -np.inf, np.nan], result.shape).astype(result.dtype)
        moved = np.where(overflowing & (rng.integers(0, 4, result.shape) > 0), some, moved)
    return moved.astype(result.dtype)


def _is_of_floats(x: host.Array) -> bool:
    return host.read_dtype(x.dtype).kind in (Kind.FLOAT, Kind.COMPLEX)


def _without_signs(eqn: Equation) -> Equation:
    """Returns the equation by which magnitudes are summed."""
    if eqn.primitive.name != "scatter-sub":
        return eqn
    from oakum.primitives.scattering import scatter_add_p

    return Equation(scatter_add_p, eqn.inputs, eqn.outputs, eqn.params)
