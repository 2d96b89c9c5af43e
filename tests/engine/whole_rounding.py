# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""How far results may lie apart: what rounding of each operation does, carried on by the program.

A result that is not the same bits is compared with evaluations whose operations are each disturbed
as far as rounding may: sums in another order, functions some floats off, zeros and NaNs of either
sign. What these reach, others may; nothing else is allowed. So the tolerance is the program's own:
products of large numbers that cancel are far apart, copies are equal.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np
from tests.engine.test_agreement import EXACT, MOVES, ORDERS

from oakum.api import primitive_registry
from oakum.dtypes import Kind
from oakum.values import host

_SUMS = frozenset(
    (
        "reduce_sum reduce_prod reduce cumsum cumprod cumlogsumexp dot_general reduce_window "
        "conv_general_dilated scatter-add scatter-mul reduce_window_sum fft cholesky lu qr svd "
        "eigh triangular_solve select_and_scatter_add tridiagonal_solve rem"
    ).split()
)
"""Operations whose errors are small against their operands, not against each result."""

_COMPARING = frozenset("eq ne sort top_k convert_element_type concatenate".split())
"""Movements and comparisons that tell numbers from zero: JAX joins arrays by adding zeros too."""

_JOINED = frozenset(("mul", "square", "integer_pow"))
"""Products, which compiled code may join with a sum: then they are not rounded."""

_APART = 3
"""How many floats a result is moved at most: elementary functions are so accurate, see
benchmarks/elementary_accuracy.md."""

_DRIFT = 1 / 16
"""What part of the most that rounding can do to a running sum it does where the terms are alike:
then each is rounded to the same side, which terms that are moved either way do not show."""

_CANCELLING = {"lgamma": 8, "digamma": 8}
"""Functions that XLA computes by terms which cancel each other near its zeros: the error beside
terms of about one, in floats. At 1.9 lgamma is -0.039, which XLA has wrong from the fifth digit."""

_RATES = (1.0, 0.1)
"""The part of the elements that evaluations disturb, in turn: where many ties are decided by
rounding, one that is decided otherwise, and no other, is seen only where few are disturbed."""

_NEAR = {1: 0.5, 2: 1e-2, 4: 1e-5, 8: 1e-11}
"""What may lie between results beside their largest, by the bytes of a float, without a look at
what rounding does: a few times what it does to sums of a hundred terms."""

_ROUNDS = (5, 40)
"""Disturbed evaluations: few are enough for most, more are made before a difference is believed."""


class Noise:
    """Random numbers, and which elements are disturbed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._rate = _RATES[seed % len(_RATES)]
        self.integers: Any = self._rng.integers
        self.uniform: Any = self._rng.uniform

    def steps(self, apart: int, shape: tuple[int, ...]) -> Any:
        """So many floats each element is moved, to either side."""
        found = self.integers(-apart, apart, shape, endpoint=True)
        return found if self._rate == 1 else found * (self._rng.random(shape) < self._rate)


@contextlib.contextmanager
def disturbed(seed: int, every: bool) -> Generator[None]:
    """Disturbs what operations give, in the block; those that are rounded once only where `every`
    says so: other compilers join them.
    """
    rng = Noise(seed)
    before: list[tuple[Any, Any]] = []
    products: Products = {}
    try:
        for name, primitive in primitive_registry.by_name().items():
            if name in MOVES and not (every and name in _COMPARING):
                continue
            if primitive.multiple_results and name not in (*_SUMS, *_COMPARING):
                continue
            before.append((primitive, primitive.evaluate))
            moves = name in MOVES
            exact = moves or (name in EXACT and name not in _JOINED and not every)
            wrapped = _disturbing(primitive.evaluate, name, exact, every, rng, products)
            primitive.evaluate = _flushing(wrapped, name, rng) if every else wrapped
        yield
    finally:
        for primitive, evaluate in before:
            primitive.evaluate = evaluate


def _disturbing(
    evaluate: Callable[..., Any],
    name: str,
    exact: bool,
    every: bool,
    rng: Noise,
    products: Products,
) -> Any:
    def noisy(xp: Any, *operands: Any, **params: Any) -> Any:
        given = operands
        if name in _SUMS and not exact:
            operands = tuple(_moved(x, rng) for x in operands)
        if name == "cumsum" and operands[0].dtype.kind == "f":
            result = _drifted(evaluate, operands[0], rng, **params)
        else:
            result = evaluate(xp, *operands, **params)
        if name == "reduce_sum":
            result = _of_equal_terms(np.asarray(result), given[0], params["axes"], rng)
        if name in _SUMS and not isinstance(result, (tuple, list)):
            result = _overflowing(np.asarray(result), operands, rng)
        if name in ("cumprod", "reduce_prod"):
            result = _vanishing(np.asarray(result), operands[0], rng)
        if isinstance(result, (tuple, list)):
            return result if exact else [_signed(_moved(each, rng), rng) for each in result]
        raw = np.asarray(result)
        if name in ("add", "sub"):
            raw = _of_products(evaluate, raw, operands, products, rng)
        if name in ORDERS or not exact:
            raw = _signed(raw, rng)
        if name in ("mul", "square") and raw.dtype.kind in "fVc":
            if every and raw.dtype.kind == "c":
                raw = np.where(rng.integers(0, 2, raw.shape) > 0, _of_parts(operands), raw)
            found = _moved(raw, rng) if every else _joined(raw, operands, rng)
            products[id(found)] = (found, _wide_product(operands))
            return found
        # The length of a complex number is rounded more than once.
        whole = exact and (name != "abs" or operands[0].dtype.kind != "c")
        return raw if whole else _moved(raw, rng)

    return noisy


def _drifted(
    evaluate: Callable[..., Any], terms: Any, rng: Noise, *, axis: int, reverse: bool, **rest: Any
) -> Any:
    """A running sum that is off to one side by more and more, or is so less than NumPy's."""
    wide = np.float64 if rng.integers(0, 2) else terms.dtype
    raw = evaluate(np, terms.astype(wide), axis=axis, reverse=reverse, **rest).astype(terms.dtype)
    steps = np.spacing(np.abs(np.flip(raw, axis) if reverse else raw)) / 2
    drift = np.cumsum(np.where(np.isfinite(steps), steps, 0), axis, np.float64)
    drift = np.flip(drift, axis) if reverse else drift
    return (raw + drift * rng.uniform(-_DRIFT, _DRIFT)).astype(raw.dtype)


def _of_equal_terms(raw: Any, terms: Any, axes: Sequence[int], rng: Noise) -> Any:
    """A sum, where its terms are equal as far off as partial sums drift that are all rounded to
    the same side.
    """
    count = int(np.prod([terms.shape[axis] for axis in axes]))
    if not _floating(terms) or count < 2:
        return raw
    equal = np.max(terms, tuple(axes)) == np.min(terms, tuple(axes))
    most = _DRIFT * count * float(host.ml_dtypes.finfo(raw.dtype).eps) / 2
    drifted = raw * (1 + most * rng.uniform(-1, 1, raw.shape))
    return np.where(equal, drifted, raw).astype(raw.dtype)


Products = dict[int, tuple[Any, Any]]
"""Products, by the identity of their arrays, which are kept for it, and what is not rounded."""


def _of_products(
    evaluate: Callable[..., Any], raw: Any, operands: Sequence[Any], products: Products, rng: Noise
) -> Any:
    """A sum, some of its elements as code gives them that joins it with a product: what is left of
    numbers that cancel each other is then no multiple of what the product was rounded to.
    """
    wide = [products[id(x)][1] if id(x) in products else x for x in operands]
    if all(a is b for a, b in zip(wide, operands, strict=True)):
        return raw
    joined = evaluate(np, *wide).astype(raw.dtype)
    return np.where(rng.integers(0, 2, raw.shape) > 0, joined, raw)


def _joined(raw: Any, factors: Sequence[Any], rng: Noise) -> Any:
    """A product as the sum that it is joined with may see it: not rounded, nor infinite."""
    found = np.where(_is_rounded(factors), _moved(raw, rng, 1), raw).astype(raw.dtype)
    if raw.dtype.kind == "c":
        return found
    over = np.isinf(raw) & (rng.integers(0, 2, raw.shape) > 0)
    for each in factors:
        over &= np.isfinite(each)
    largest = np.asarray(host.ml_dtypes.finfo(raw.dtype).max, raw.dtype)
    return np.where(over, np.copysign(largest, raw).astype(raw.dtype), found)


def _of_parts(factors: Sequence[Any]) -> Any:
    """A complex product whose parts are not joined with their sums: each of them may be infinite
    where the sum is not.
    """
    x, y = factors[0], factors[-1]
    found = np.empty(np.broadcast_shapes(x.shape, y.shape), x.dtype)
    found.real, found.imag = x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real
    return found


def _is_rounded(factors: Sequence[Any]) -> Any:
    """Whether a product is not exactly a float, as far as longer ones show it."""
    exact = _wide_product(factors)
    return exact != exact.astype(factors[0].dtype).astype(exact.dtype)


def _wide_product(factors: Sequence[Any]) -> Any:
    wide = np.complex256 if factors[0].dtype.kind == "c" else np.longdouble
    if factors[0].dtype.kind == "V":
        wide = np.float32
    return factors[0].astype(wide) * factors[-1].astype(wide)


_FLUSHED = ("float32", "float64", "bfloat16", "complex64", "complex128")


def _flushing(evaluate: Callable[..., Any], name: str, rng: Noise) -> Any:
    """Takes numbers below the smallest normal one for zeros, as XLA may."""

    def flushed(xp: Any, *operands: Any, **params: Any) -> Any:
        result = evaluate(xp, *(_flush(each, rng) for each in operands), **params)
        if name in _CANCELLING:
            beside = _CANCELLING[name] * host.ml_dtypes.finfo(result.dtype).eps
            result = result + (beside * rng.uniform(-1, 1, result.shape)).astype(result.dtype)
        if any(each.dtype.kind == "c" and not np.all(np.isfinite(each)) for each in operands):
            result = _unknown(result, rng)
        if name == "atan2":
            # XLA divides the smaller by the larger, which it has made zero, but asks before
            # whether both are.
            lost = np.logical_and(*map(_is_subnormal, operands))
            lost &= rng.integers(0, 2, lost.shape) > 0
            result = np.where(lost, np.asarray(np.nan, result.dtype), result)
        if isinstance(result, (tuple, list)):
            return [_flush(each, rng) for each in result]
        return _flush(result, rng)

    return flushed


def _flush(raw: Any, rng: Noise) -> Any:
    """An array, some of its subnormal numbers as zeros; parts of complex numbers too."""
    if not isinstance(raw, np.ndarray) or raw.dtype.name not in _FLUSHED:
        return raw
    if raw.dtype.kind == "c":
        found = raw.copy()
        found.real, found.imag = _flush(found.real, rng), _flush(found.imag, rng)
        return found
    small = _is_subnormal(raw) & (rng.integers(0, 2, raw.shape) > 0)
    return np.where(small, raw * 0, raw).astype(raw.dtype)


def _is_subnormal(raw: Any) -> Any:
    return (raw != 0) & (np.abs(raw) < host.ml_dtypes.finfo(raw.dtype).tiny)


def _unknown(result: Any, rng: Noise) -> Any:
    """What a function of complex infinities and NaNs gives: nobody agrees on it. A length, which C
    and NumPy say is infinite where one part is, is NaN in XLA where the other one is.
    """
    if isinstance(result, (tuple, list)) or result.dtype.kind not in "cf":
        return result
    odd = ~np.isfinite(result) & (rng.integers(0, 2, result.shape) > 0)
    if result.dtype.kind == "c":
        odd = rng.integers(0, 2, result.shape) > 0
    return np.where(odd, np.nan, result).astype(result.dtype)


def _floating(raw: Any) -> bool:
    if raw.dtype.kind not in "fV" or raw.dtype == bool or raw.dtype.str.startswith("|V8"):
        return False
    return host.read_dtype(raw.dtype).kind is Kind.FLOAT


def _moved(raw: Any, rng: Noise, apart: int = _APART) -> Any:
    """Floats moved to others that are near."""
    raw = np.asarray(raw)
    if raw.dtype.kind == "c":
        result = raw.copy()
        size = np.abs(raw).astype(raw.real.dtype)
        step = np.where(np.isfinite(size), np.spacing(size), 0)
        for part in ("real", "imag"):
            turn = rng.steps(apart, raw.shape)
            setattr(result, part, getattr(raw, part) + (turn * step).astype(raw.real.dtype))
        return result
    if raw.dtype.kind not in "fV" or not _floating(raw):
        return raw
    turn = rng.steps(apart, raw.shape)
    bits = np.dtype(f"i{raw.dtype.itemsize}")
    words = np.ascontiguousarray(raw).view(bits).reshape(raw.shape)
    plain = np.isfinite(raw) & (raw != 0)
    largest = host.ml_dtypes.finfo(raw.dtype).max
    plain &= np.abs(raw) < np.asarray(largest / 2, raw.dtype)
    step = np.where((words & bits.type(2 ** (bits.itemsize * 8 - 1) - 1)) > _APART, turn, 0)
    moved = np.where(plain, (words + step.astype(bits)).astype(bits), words).view(raw.dtype)
    # What is rounded to the largest may lie beyond it: it is infinite where it is rounded better.
    over = (np.abs(raw) == np.asarray(largest, raw.dtype)) & (turn > 0)
    return np.where(over, np.copysign(np.inf, raw).astype(raw.dtype), moved)


def _overflowing(raw: Any, operands: Sequence[Any], rng: Noise) -> Any:
    """Sums whose order decides whether a part of them is infinite, with any end of that."""
    if raw.dtype.kind != "c" and not _floating(raw):
        return raw
    most = 1.0
    for each in operands:
        if np.issubdtype(each.dtype, np.number) or _floating(each):
            size = np.abs(each.astype(np.complex128))
            most *= max(1.0, float(np.max(size[np.isfinite(size)], initial=0.0)) * each.size)
    if most < float(host.ml_dtypes.finfo(raw.dtype).max):
        return raw
    ends = np.array([np.nan, np.inf, -np.inf], np.float64).astype(raw.dtype)
    which = rng.integers(0, 12, raw.shape)
    return np.where(which < 3, ends[np.minimum(which, 2)], raw)


def _vanishing(raw: Any, factors: Any, rng: Noise) -> Any:
    """Products with an infinity, whose other factors may come to zero before they meet it."""
    if not _floating(factors):
        return raw
    sizes = np.abs(factors.astype(np.float64))
    if not np.any(np.isinf(sizes)) or not np.any(sizes < 1):
        return raw
    lost = ~np.isfinite(raw) & (rng.integers(0, 2, raw.shape) > 0)
    return np.where(lost, np.asarray(np.nan, raw.dtype), raw)


def _signed(raw: Any, rng: Noise) -> Any:
    """Zeros and NaNs with either sign."""
    if raw.dtype.kind not in "fV" or not _floating(raw):
        return raw
    odd = (raw == 0) | (raw != raw)
    if not np.any(odd):
        return raw
    flipped = odd & (rng.integers(0, 2, raw.shape) > 0)
    return np.where(flipped, -raw, raw).astype(raw.dtype)


def unlike(actual: Any, expected: Any) -> Any:
    """Where arrays are too far apart to be believed without a look at what rounding does."""
    kind = host.read_dtype(actual.dtype).kind
    if kind not in (Kind.FLOAT, Kind.COMPLEX):
        return actual != expected
    wide = np.complex128 if kind is Kind.COMPLEX else np.float64
    size = actual.dtype.itemsize // (2 if kind is Kind.COMPLEX else 1)
    with np.errstate(all="ignore"):
        a, b = actual.astype(wide), expected.astype(wide)
        if kind is Kind.COMPLEX:
            # All infinities are one, as in C, and nobody agrees on which part is NaN.
            a, b = (np.where(np.isnan(x), np.nan, np.where(np.isinf(x), np.inf, x)) for x in (a, b))
        known = np.abs(b)[np.isfinite(b)]
        scale = np.max(known, initial=0.0) if known.size else 0.0
        near = np.abs(a - b) <= _NEAR[size] * (np.abs(b) + scale * 0.02)
        return ~(near | (a == b) | ((a != a) & (b != b)))


def reached(
    actual: Sequence[Any],
    expected: Sequence[Any],
    evaluate: Callable[[], Sequence[Any]],
    every: bool,
) -> list[Any]:
    """For each result where it is not what disturbed evaluations reach."""
    wrong = [unlike(a, b) for a, b in zip(actual, expected, strict=True)]
    seen = [[b] for b in expected]
    for rounds in _ROUNDS:
        if not any(np.any(each) for each in wrong):
            break
        for seed in range(rounds):
            with disturbed(seed + rounds, every), np.errstate(all="ignore"):
                found = [np.asarray(x) for x in evaluate()]
            for kept, each in zip(seen, found, strict=True):
                kept.append(each)
        wrong = [w & ~_within(a, kept) for a, kept, w in zip(actual, seen, wrong, strict=True)]
    return wrong


def _within(actual: Any, seen: Sequence[Any]) -> Any:
    """Where an array lies among those that were seen, or not far from these."""
    kind = host.read_dtype(actual.dtype).kind
    if kind not in (Kind.FLOAT, Kind.COMPLEX):
        stacked = np.stack(seen)
        # Where rounding decides, any of many integers may come.
        return np.any(stacked != stacked[0], axis=0)
    if kind is Kind.COMPLEX:
        nans = np.any([np.isnan(x) for x in seen], axis=0) & np.isnan(actual)
        parts = [_between(getattr(actual, p), [getattr(x, p) for x in seen]) for p in _PARTS]
        odd = np.any([~np.isfinite(x) for x in seen], axis=0) & ~np.isfinite(actual)
        return (parts[0] & parts[1]) | nans | odd
    return _between(actual, seen)


_PARTS = ("real", "imag")


def _between(actual: Any, seen: Sequence[Any]) -> Any:
    stacked = np.stack([x.astype(np.float64) for x in seen])
    value = actual.astype(np.float64)
    with np.errstate(all="ignore"):
        low = np.min(np.where(stacked != stacked, np.inf, stacked), axis=0)
        high = np.max(np.where(stacked != stacked, -np.inf, stacked), axis=0)
        slack = 3 * (high - low)
        inside = (value >= low - slack) & (value <= high + slack)
        # Beside infinities in the seen, any number may come.
        inside |= np.any(np.isinf(stacked), axis=0) & ~np.all(np.isinf(stacked), axis=0)
    return inside | (np.any(stacked != stacked, axis=0) & (value != value))
