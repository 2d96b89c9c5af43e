"""Elementary functions of compiled programs: as accurate as stated, everywhere, at any width."""

import importlib
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import elementary_kernels
import numpy as np
import pytest

from oakum import dtypes
from oakum.api import primitive_registry
from oakum.compile.elementary import TABLE, UNWIDENED
from oakum.compile.loops import operations
from oakum.dtypes import DType
from oakum.lax.options import RoundingMethod
from oakum.primitives import conversion
from oakum.primitives.host.special import bessel as modified
from oakum.values import host

special: Any = importlib.import_module("scipy.special")

WIDE = np.finfo(np.longdouble).nmant > 60
"""Whether long doubles are better than the results they are compared with."""

FLOATS = (dtypes.float32, dtypes.float64)
SMALL = (dtypes.float16, dtypes.bfloat16)
SIGNED = (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
INTEGERS = (*SIGNED, dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64)


@dataclass(frozen=True)
class Function:
    """An elementary function, and how it is tested."""

    exact: Callable[..., Any]
    low: float
    high: float
    """Most points lie between these."""
    bound: float = 1.5
    """Units of the last place that its errors do not exceed."""
    loose: bool = False
    """Whether `exact` itself is no better than float64."""
    count: int = 1


def logistic(x: Any) -> Any:
    """The logistic function, without overflow."""
    power = np.exp(-np.abs(x))
    return np.where(x < 0, power, 1) / (1 + power)


def inverse_root(x: Any) -> Any:
    """One over the root."""
    return 1 / np.sqrt(x)


def by_element(function: Callable[[float], float]) -> Callable[..., Any]:
    """A function of the C library, which is more accurate than SciPy's, of arrays."""

    def apply(x: Any) -> Any:
        return np.array([function(float(each)) for each in x])

    return apply


def lgamma(x: Any) -> Any:
    """Stirling's formula for a greater number, less the logarithm of a product, whose error is
    small against one.
    """
    x = x.astype(np.longdouble)
    above, product = x + 12, np.prod([x + k for k in range(12)], axis=0)
    terms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
    rest: Any = sum(term / above ** (2 * k + 1) for k, term in enumerate(terms))
    half_log = np.longdouble("0.918938533204672741780329736405617640")
    far: Any = (x - 0.5) * np.log(x) - x + half_log + 1 / (12 * x)
    near: Any = (above - 0.5) * np.log(above) - above + half_log + rest - np.log(product)
    near[x > 1e6] = far[x > 1e6]
    near[(x == 0) | np.isinf(x)] = np.inf
    return near


def digamma(x: Any) -> Any:
    """NaN at the pole at zero, where SciPy's is infinite."""
    return np.where(x == 0, np.nan, special.psi(x))


def erf_inv(x: Any) -> Any:
    """SciPy's loses the sign of zeros."""
    return np.copysign(special.erfinv(x), x)


def bessel(order: int) -> Callable[..., Any]:
    """The series of the evaluation, in more precision."""

    def function(x: Any) -> Any:
        return (modified.i0e, modified.i1e)[order](np, np.asarray(x))

    return function


FUNCTIONS = {
    "exp": Function(np.exp, -750, 720),
    "exp2": Function(np.exp2, -1080, 1030),
    "expm1": Function(np.expm1, -40, 40),
    "log": Function(np.log, 0, 10),
    "log1p": Function(np.log1p, -1, 10),
    "logistic": Function(logistic, -100, 40),
    "tanh": Function(np.tanh, -4, 4, 2.5),
    "sinh": Function(np.sinh, -10, 10),
    "cosh": Function(np.cosh, -10, 10),
    "asinh": Function(np.arcsinh, -10, 10),
    "acosh": Function(np.arccosh, 1, 10),
    "atanh": Function(np.arctanh, -1, 1),
    "sin": Function(np.sin, -100, 100),
    "cos": Function(np.cos, -100, 100),
    "tan": Function(np.tan, -100, 100),
    "asin": Function(np.arcsin, -1, 1),
    "acos": Function(np.arccos, -1, 1),
    "atan": Function(np.arctan, -10, 10),
    "atan2": Function(np.arctan2, -10, 10, count=2),
    "pow": Function(np.power, 0, 20, count=2),
    "rsqrt": Function(inverse_root, 0, 10),
    "cbrt": Function(np.cbrt, -10, 10),
    "erf": Function(by_element(math.erf), -6, 6, loose=True),
    "erfc": Function(by_element(math.erfc), -6, 28, loose=True),
    "erf_inv": Function(erf_inv, -1, 1, 2.0, loose=True),
    "lgamma": Function(lgamma, 0, 20, 2.0),
    "digamma": Function(digamma, 0, 20, 2.0, loose=True),
    "bessel_i0e": Function(bessel(0), -12, 12, 3.5),
    "bessel_i1e": Function(bessel(1), -12, 12, 3.5),
}

REFLECTED = ("lgamma", "digamma")
"""Functions whose errors for negative numbers are measured against one."""


def points(function: Function, dtype: DType) -> Sequence[Any]:
    """Floats of all sizes and edges, and many where the function changes."""
    random = np.random.default_rng(1)
    arrays: list[Any] = []
    for number in range(function.count):
        near = random.uniform(function.low, function.high, 3000)
        tiny = 10.0 ** random.uniform(-310, 0, 72)
        with np.errstate(under="ignore"):
            near = np.concatenate([near, tiny, 1 + tiny, 1 - tiny]).astype(host.dtype(dtype))
        drawn = elementary_kernels.floats(dtype, 856, number)
        arrays.append(random.permutation(np.concatenate([near, drawn])))
    return arrays


def exact(function: Function, *operands: Any) -> Any:
    """The results in more precision, or in float64 where there is no more."""
    wide = np.float64 if function.loose else np.longdouble
    with np.errstate(all="ignore"):
        return function.exact(*[x.astype(wide) for x in operands])


@pytest.mark.parametrize("width", [1, 8])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_are_within_the_bound(name: str, dtype: DType, width: int) -> None:
    """A result off by more than this, or a NaN, an infinity or a sign lost, is a wrong number."""
    function = FUNCTIONS[name]
    operands = points(function, dtype)
    if name in REFLECTED:
        operands = [np.abs(x) for x in operands]
    result = elementary_kernels.kernel(name, dtype, width, function.count)(*operands)
    expected = exact(function, *operands)
    found: Any = elementary_kernels.errors(result, expected)
    bound = function.bound
    if dtype is dtypes.float64 and (function.loose or not WIDE):
        bound += 2.0
    if name == "lgamma":
        found = found * np.where(np.abs(expected) < 0.1, np.abs(expected), 1)
    worst = int(np.argmax(found))
    assert found[worst] <= bound, ([float(x[worst]) for x in operands], result[worst])
    zeros = (result == 0) & (expected == 0)
    assert (np.signbit(result) == np.signbit(expected))[zeros].all()


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", REFLECTED)
def test_gamma_functions_of_negative_numbers(name: str, dtype: DType) -> None:
    """Between the poles results may be small: there errors are small against one."""
    random = np.random.default_rng(3)
    x = -random.uniform(0, 20, 4000).astype(host.dtype(dtype))
    x[:8] = [0.0, -0.0, -1.0, -2.0, -50.0, -np.inf, np.nan, -1e-30]
    result = elementary_kernels.kernel(name, dtype, 8)(x)
    expected = (special.gammaln if name == "lgamma" else special.psi)(x.astype(np.float64))
    wanted = [np.inf, np.inf, np.inf, np.inf, np.inf, np.inf, np.nan, math.log(1e30)]
    if name == "digamma":
        wanted = [np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, 1e30]
    expected[:8] = wanted
    info = np.finfo(x.dtype)
    known = np.isfinite(expected)
    distance = np.abs(result[known] - expected[known]) / np.maximum(1, np.abs(expected[known]))
    # SciPy's own error near poles is of that size in float64.
    slack = 20_000 if dtype is dtypes.float64 else 16
    assert np.max(distance) <= slack * float(info.eps)
    assert np.array_equal(result[~known], expected[~known], equal_nan=True)


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_angles_that_are_huge_or_near_multiples_of_right_ones(dtype: DType, name: str) -> None:
    """Without all the bits of pi, these results are noise."""
    random = np.random.default_rng(4)
    kind = host.dtype(dtype)
    digits = 37 if dtype is dtypes.float32 else 300
    huge = 10.0 ** random.uniform(3, digits, 2000) * random.choice([-1, 1], 2000)
    right = np.round(10.0 ** random.uniform(0, 12, 2000)) * (math.pi / 2)
    edges = [1e5, 1e12, np.inf, -np.inf, np.nan, np.finfo(kind).max, 5.319372648326541e255, 1e22]
    with np.errstate(over="ignore"):
        x = random.permutation(np.concatenate([huge, right, edges]).astype(kind))
    expected = exact(FUNCTIONS[name], x)
    for width in (1, 8):
        found = elementary_kernels.errors(
            elementary_kernels.kernel(name, dtype, width)(x), expected
        )
        worst = int(np.argmax(found))
        assert found[worst] <= (1.5 if WIDE else 2.5), float(x[worst])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_widths_give_the_same_bits(name: str, dtype: DType) -> None:
    """Else a result would depend on where in an array its operand stands."""
    operands = points(FUNCTIONS[name], dtype)
    count = FUNCTIONS[name].count
    one = elementary_kernels.kernel(name, dtype, 1, count)(*operands)
    eight = elementary_kernels.kernel(name, dtype, 8, count)(*operands)
    assert elementary_kernels.same(one, eight).all()


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_special_powers(dtype: DType) -> None:
    """Powers of zeros, ones, infinities and NaN are those of C, as in NumPy."""
    kind = host.dtype(dtype)
    info = np.finfo(kind)
    edges = [0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1.5, -1.5, np.inf, -np.inf, np.nan, 2.0**24]
    edges += [float(info.max), -float(info.max), float(info.smallest_subnormal), 2.0**24 - 1]
    bases, exponents = (
        np.resize(x.ravel(), 400).astype(kind) for x in np.meshgrid(edges, edges, copy=True)
    )
    with np.errstate(all="ignore"):
        expected = np.power(bases, exponents)
    result = elementary_kernels.kernel("pow", dtype, 8, 2)(bases, exponents)
    assert np.max(elementary_kernels.errors(result, expected)) <= 2
    signed = ~np.isnan(expected)
    assert (np.signbit(result) == np.signbit(expected))[signed].all()


def agrees(
    name: str,
    operands: Sequence[Any],
    dtype: DType,
    params: tuple[int, ...] = (),
    **given: Any,
) -> None:
    """Whether the compiled function gives the very bits that the primitive's evaluation gives."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = primitive_registry.by_name()[name].evaluate(np, *operands, **given)
    for width in (1, 8):
        compiled = elementary_kernels.kernel(name, dtype, width, len(operands), params)
        result = compiled(*operands)
        right = elementary_kernels.same(result, expected)
        wrong = int(np.argmin(right))
        assert right.all(), ([x[wrong] for x in operands], result[wrong], expected[wrong])


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize(
    "name",
    ["div", "rem", "mulhi", "shift_left", "shift_right_logical", "shift_right_arithmetic"],
)
def test_integers_by_integers(name: str, dtype: DType) -> None:
    """Divisors of zero, the least integer over minus one, shifts by any count: none traps, and all
    agree with evaluation.
    """
    agrees(name, [elementary_kernels.integers(dtype, 4000, seed) for seed in (1, 2)], dtype)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("name", ["population_count", "clz", "sign"])
def test_integers(name: str, dtype: DType) -> None:
    """Counts of bits and signs agree with evaluation."""
    agrees(name, [elementary_kernels.integers(dtype, 4000, 1)], dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_remainders_are_exact(dtype: DType) -> None:
    """A remainder has no rounding error, however far apart its operands are."""
    agrees("rem", [elementary_kernels.floats(dtype, 4000, seed) for seed in (1, 2)], dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", ["floor", "ceil", "sign"])
def test_roundings(name: str, dtype: DType) -> None:
    """Integers near floats agree with evaluation, with the sign of zeros."""
    agrees(name, [elementary_kernels.floats(dtype, 4000, 1)], dtype)


@pytest.mark.parametrize("method", RoundingMethod)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_round(dtype: DType, method: RoundingMethod) -> None:
    """Ties go to even, or away from zero."""
    x = elementary_kernels.floats(dtype, 4000, 1)
    agrees("round", [x], dtype, (int(method),), rounding_method=method)


@pytest.mark.parametrize("power", [0, 1, 2, 3, 7, 10, -1, -2, -3])
@pytest.mark.parametrize("dtype", [*FLOATS, dtypes.int32], ids=str)
def test_integer_pow(dtype: DType, power: int) -> None:
    """Factors are multiplied in the order in which evaluation does it."""
    if dtype is dtypes.int32:
        agrees(
            "integer_pow",
            [elementary_kernels.integers(dtype, 800, 1)],
            dtype,
            (abs(power),),
            y=abs(power),
        )
    else:
        agrees("integer_pow", [elementary_kernels.floats(dtype, 800, 1)], dtype, (power,), y=power)


@pytest.mark.parametrize("dtype", [*FLOATS, *SMALL], ids=str)
@pytest.mark.parametrize("name", ["nextafter", "eq_to", "le_to", "lt_to"])
def test_neighbours_and_the_total_order(name: str, dtype: DType) -> None:
    """Small floats have neighbours of their own, and no order but that of their bits."""
    agrees(name, [elementary_kernels.floats(dtype, 4000, seed) for seed in (1, 2)], dtype)


@pytest.mark.parametrize("dtype", [*FLOATS, *SMALL], ids=str)
def test_is_finite(dtype: DType) -> None:
    """Infinities and NaN are told from numbers, in small floats too."""
    agrees("is_finite", [elementary_kernels.floats(dtype, 4000, 1)], dtype)


@pytest.mark.parametrize("bits", [(8, 7), (5, 10), (4, 3), (2, 0), (11, 52), (5, 2)], ids=str)
@pytest.mark.parametrize("dtype", [*FLOATS, dtypes.float16], ids=str)
def test_reduce_precision(dtype: DType, bits: tuple[int, int]) -> None:
    """Mantissas are rounded to even, exponents out of range are infinite or zero."""
    x = elementary_kernels.floats(dtype, 4000, 1)
    agrees("reduce_precision", [x], dtype, bits, exponent_bits=bits[0], mantissa_bits=bits[1])


@pytest.mark.parametrize("old", [*INTEGERS, *FLOATS, *SMALL], ids=str)
def test_conversions(old: DType) -> None:
    """Floats out of an integer's range take its least or greatest value, NaN zero, and each float
    is the nearest.
    """
    if old in INTEGERS:
        x = elementary_kernels.integers(old, 4000, 1)
    else:
        x = elementary_kernels.floats(old, 4000, 1)
        ties = 1 + 2.0 ** -np.arange(1, 25) + np.arange(-3, 4)[:, None] * 2.0**-52
        bounds = np.outer([1, -1, 0.999999, -1.0001], 2.0 ** np.arange(6, 65)).ravel()
        with np.errstate(over="ignore"):
            x = np.resize(np.concatenate([x, ties.ravel(), bounds]).astype(x.dtype), 4400)
    for new in (*INTEGERS, *FLOATS, *SMALL, dtypes.bool_):
        with np.errstate(all="ignore"):
            expected = conversion.convert(np, x, new)

        def write(f: Any, value: Any, new: DType = new) -> Any:
            return operations.convert(f, value, new)

        result = elementary_kernels.compiled(write, old, 8)(x)
        right = elementary_kernels.same(result, expected)
        assert right.all(), (new, x[np.argmin(right)], result[np.argmin(right)])


def test_the_table_names_primitives() -> None:
    """A name that no primitive has would never be compiled."""
    assert set(TABLE) <= set(primitive_registry.by_name())
    assert set(TABLE) >= UNWIDENED
