"""Arithmetic, comparisons and functions of elements, and Python's operators on arrays.

A user who sees one of these fail gets other numbers, dtypes or weak types than JAX gives.
"""

from typing import Any

import numpy as np
import pytest
from cases_in_modes import Case, array, jax, runs
from cases_in_modes import check as check_case
from expressions_alike import check, lines

import oakum
from oakum import numpy as jnp

OPERATORS = lines("""
    x + y
    x + 1
    1 - x
    2.5 * i
    i / 2
    2 / i
    i // 2
    7 // j
    x // y
    i % 4
    x % y
    -7 % j
    divmod(i, 4)
    divmod(x, y)
    divmod(5, j)
    x ** 2
    x ** -1
    2 ** i
    i ** 2
    i ** j
    y ** 0.5
    u ** 2
    True + i
    b + b
    b * b
    b - b
    s + 1
    s + 200
    u - 1
    s + u
    i + u
    h + x
    h + f
    f * 2
    f + 1.5
    w + 1
    w + k
    w * i
    k + i
    k * s
    c + x
    c * 1j
    x * 1j
    np.arange(3) + y
    y + np.float32(2)
    np.float64(2) * y
    i & 3
    b | True
    i ^ j
    ~i
    ~b
    i << 2
    i >> 1
    u >> 1
    1 << j
    -x
    +x
    abs(x)
    abs(c)
    x == y
    x != 1
    i < 2
    c > 1
    x <= y
    x >= w
    b == 1
    round(x)
    round(x, 1)
    x @ y
    x + None
    x + 'a'
    x + [1, 2, 3]
    x * (1, 2, 3)
    x == (1, 2, 3)
    x & y
    c // 2
    c % 2
    x << 1
    x @ 2
    i + 2 ** 40
    x + jnp.ones((2, 2))
""")

FUNCTIONS = lines("""
    jnp.add(i, True)
    jnp.add('a', 1)
    jnp.add([1, 2], 1)
    jnp.add(1, None)
    jnp.add(x, y, out=x)
    jnp.add(jnp.ones(3, jnp.float8_e4m3fn), y)
    jnp.subtract(2, w)
    jnp.multiply(b, i)
    jnp.divide(i, j)
    jnp.divide(x, 0)
    jnp.true_divide(b, 2)
    jnp.floor_divide(i, 0)
    jnp.remainder(i, 0)
    jnp.fmod(i, j)
    jnp.fmod(x, y)
    jnp.fmod(i, 0)
    jnp.float_power(i, 2)
    jnp.power(y, k)
    jnp.power(2, 3)
    jnp.power(2.0, 3)
    jnp.power(i, -1)
    jnp.power(x, np.array([1, 2, 3]))
    jnp.power(x, i)
    jnp.pow(b, 2)
    jnp.reciprocal(y)
    jnp.square(b)
    jnp.square(i)
    jnp.sqrt(i)
    jnp.sqrt(c)
    jnp.cbrt(x)
    jnp.hypot(i, 4)
    jnp.hypot(n, 1)
    jnp.hypot(c, c)
    jnp.abs(u)
    jnp.fabs(i)
    jnp.sign(x)
    jnp.sign(c)
    jnp.sign(u)
    jnp.negative(u)
    jnp.positive(w)
    jnp.exp(i)
    jnp.exp2(x)
    jnp.expm1(w)
    jnp.log(p)
    jnp.log2(jnp.asarray([1, 2, 8]))
    jnp.log2(w)
    jnp.log2(c)
    jnp.log10(p)
    jnp.log10(c)
    jnp.log1p(p)
    jnp.logaddexp(x, y)
    jnp.logaddexp(n, n)
    jnp.logaddexp(1, 2)
    jnp.logaddexp2(i, y)
    jnp.logaddexp2(c, c)
    jnp.sin(b)
    jnp.cos(h)
    jnp.tan(f)
    jnp.arcsin(p)
    jnp.arccos(p)
    jnp.arctan(i)
    jnp.arctan2(x, 2)
    jnp.sinh(x)
    jnp.cosh(x)
    jnp.tanh(c)
    jnp.arcsinh(x)
    jnp.arccosh(jnp.asarray([1.5, 2.0]))
    jnp.arccosh(c)
    jnp.arctanh(p)
    jnp.acos(p), jnp.asin(p), jnp.atan(p), jnp.acosh(p), jnp.asinh(p), jnp.atanh(p), jnp.atan2(p, p)
    jnp.deg2rad(i), jnp.radians(w), jnp.rad2deg(x), jnp.degrees(h)
    jnp.sinc(x)
    jnp.sinc(jnp.asarray(0))
    jnp.i0(y)
    jnp.i0(c)
    jnp.floor(x), jnp.ceil(x), jnp.trunc(x), jnp.rint(x)
    jnp.floor(i), jnp.ceil(b), jnp.trunc(u), jnp.rint(i), jnp.rint(c)
    jnp.floor(c)
    jnp.round(x, 1)
    jnp.round(i, -1)
    jnp.round(c, 2)
    jnp.round(h, 1)
    jnp.round(x, out=x)
    jnp.around(w)
    jnp.maximum(n, 0), jnp.minimum(n, 0)
    jnp.maximum(c, 1)
    jnp.fmax(n, 0), jnp.fmin(0, n)
    jnp.fmax(i, w)
    jnp.clip(x, -1, 1)
    jnp.clip(i, 0)
    jnp.clip(i, max=2.5)
    jnp.clip(c, 0, 1)
    jnp.clip(x, None, None)
    x.clip(0)
    x.clip(max=1)
    jnp.nan_to_num(n)
    jnp.nan_to_num(n, nan=1.0, posinf=2.0)
    jnp.nan_to_num(i)
    jnp.modf(x), jnp.modf(i)
    jnp.frexp(x), jnp.frexp(n), jnp.frexp(i)
    jnp.ldexp(x, i), jnp.ldexp(j, 2)
    jnp.ldexp(c, 1)
    jnp.copysign(x, -1), jnp.copysign(i, y)
    jnp.nextafter(x, 10)
    jnp.spacing(y), jnp.spacing(h), jnp.spacing(i)
    jnp.spacing(c)
    jnp.gcd(i, 4), jnp.lcm(i, 4), jnp.gcd(s, u)
    jnp.gcd(x, 2)
    jnp.heaviside(x, 0.5)
    jnp.heaviside(n, 2)
    jnp.real(x), jnp.imag(x), jnp.real(c), jnp.imag(i), jnp.conj(c), jnp.conjugate(w)
    x.real, c.imag, c.conj(), i.conjugate()
    jnp.angle(c), jnp.angle(x), jnp.angle(i, deg=True), jnp.angle(w)
    jnp.unwrap(3 * jnp.arange(6.0))
    jnp.unwrap(jnp.asarray([0, 5, 1, 9]), period=4)
    jnp.interp(p, jnp.asarray([0.0, 0.5, 1.0]), y)
    jnp.interp(3 * p, jnp.asarray([0.0, 0.5, 1.0]), y, left=-1, right='extrapolate')
    jnp.interp(9 * p, jnp.asarray([0.0, 2.0, 1.0]), y, period=3)
    jnp.interp(x, y, y, left='up')
    jnp.bitwise_and(i, 3), jnp.bitwise_or(b, b), jnp.bitwise_xor(u, 7), jnp.invert(u)
    jnp.bitwise_and(x, 3)
    jnp.bitwise_count(i), jnp.bitwise_count(u)
    jnp.left_shift(b, 1), jnp.right_shift(s, 1), jnp.bitwise_left_shift(i, 2)
    jnp.equal(c, 3), jnp.not_equal(x, y), jnp.less(c, c[::-1]), jnp.greater_equal(i, u)
    jnp.logical_and(x, i), jnp.logical_or(x, 0), jnp.logical_xor(b, x), jnp.logical_not(c)
    jnp.isnan(n), jnp.isinf(n), jnp.isfinite(n), jnp.isposinf(n), jnp.isneginf(n)
    jnp.isnan(i), jnp.isinf(c), jnp.isfinite(b), jnp.isposinf(i)
    jnp.isposinf(c)
    jnp.signbit(n), jnp.signbit(-0.0), jnp.signbit(s), jnp.signbit(h)
    jnp.signbit(c)
    jnp.isreal(c), jnp.iscomplex(c), jnp.isreal(x), jnp.iscomplex(i)
    jnp.isclose(x, x + 1e-7), jnp.isclose(n, n, equal_nan=True), jnp.isclose(i, i + 1, atol=1)
    jnp.allclose(x, x), jnp.allclose(x, y), jnp.array_equal(x, x), jnp.array_equal(x, y)
    jnp.array_equal(n, n, equal_nan=True), jnp.array_equiv(x, x[0]), jnp.array_equiv(x, jnp.ones(2))
    jnp.isin(i, j), jnp.isin(i, [1, 5], invert=True), jnp.isin(x, y, method='sort')
    jnp.where(b, x, 0), jnp.where(i > 0, i, 0.5), jnp.where(True, 1, w), jnp.where(x, s, u)
    jnp.where(b, x)
    jnp.where(b, x, y, size=3)
    jnp.select([x > 0, x > 1], [x, i], 7)
    jnp.where(x > 0, [1, 2, 3], 0)
""")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("expression", OPERATORS)
def test_operators(expression: str) -> None:
    check(expression)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("expression", FUNCTIONS)
def test_functions(expression: str) -> None:
    check(expression, tolerance=1e-4)


X, Y = array(2, 3), array(3, seed=1)
P = (np.arange(6, dtype=np.float32).reshape(2, 3) + 1) / 8

CASES = [
    Case("power", lambda m, x, y: x**y, (P, P + 1), smooth=(0, 1)),
    Case("integer_power", lambda m, x: x**3, (X,)),
    Case("remainder", lambda m, x, y: x % y, (X + 0.3, Y + 0.7), smooth=(0, 1)),
    Case("floor_divide", lambda m, x, y: x // y, (X + 0.3, Y + 0.7)),
    Case("hypot", lambda m, x, y: m.numpy.hypot(x, y), (X, X[::-1]), smooth=(0, 1)),
    Case("sinc", lambda m, x: m.numpy.sinc(x), (X,)),
    Case("logaddexp", lambda m, x, y: m.numpy.logaddexp(x, y), (X, P), smooth=(0, 1)),
    Case("logaddexp2", lambda m, x, y: m.numpy.logaddexp2(x, y), (X, P), smooth=(0, 1)),
    Case("i0", lambda m, x: m.numpy.i0(x), (X,)),
    Case("frexp", lambda m, x: m.numpy.frexp(x)[0], (P,)),
    Case("ldexp", lambda m, x: m.numpy.ldexp(x, 3), (P,)),
    Case("clip", lambda m, x, y: m.numpy.clip(x, -0.3, y), (P, P[::-1]), smooth=(0, 1)),
    Case("where", lambda m, x, y: m.numpy.where(x > 0, x * y, 2), (X, Y), smooth=(0, 1)),
    Case("select", lambda m, x: m.numpy.select([x > 1, x > 0], [x * x, x], 3.0), (X,)),
    Case("nan_to_num", lambda m, x: m.numpy.nan_to_num(x / x), (P,)),
    Case("abs", lambda m, x: abs(x), (X + 0.1,)),
    Case("copysign", lambda m, x, y: m.numpy.copysign(x, y), (X + 0.1, P)),
    Case("arctan2", lambda m, x, y: m.numpy.arctan2(x, y), (X + 0.1, P), smooth=(0, 1)),
    Case("interp", lambda m, x, y: m.numpy.interp(x, m.numpy.arange(3.0), y), (P, Y), (0, 1)),
    Case("modf", lambda m, x: m.numpy.modf(x), (X + 0.1,)),
]


@pytest.mark.sweep(9)
@pytest.mark.parametrize(("case", "mode"), runs(CASES))
def test_derivatives_and_maps(case: Case, mode: str) -> None:
    check_case(case, mode)


@pytest.mark.parametrize("name", ["numpy_rank_promotion", "numpy_dtype_promotion"])
def test_promotion_that_is_refused(name: str) -> None:
    """A user who switches implicit promotion off wants to hear of it."""
    value = {"numpy_rank_promotion": "raise", "numpy_dtype_promotion": "strict"}[name]
    x, y = np.ones((2, 3), np.float32), np.arange(3)
    for package in (jax, oakum):
        with getattr(package, name)(value):
            assert (package.numpy.asarray(x) + 1).dtype == x.dtype
            with pytest.raises(ValueError, match=value):
                package.numpy.add(x, y)


def test_rank_promotion_warns() -> None:
    with oakum.numpy_rank_promotion("warn"), pytest.warns(UserWarning, match="rank promotion"):
        jnp.add(jnp.ones((2, 3)), jnp.ones(3))


class Wrapped:
    """An object that stands for an array."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __jax_array__(self) -> Any:
        return self.array


def test_objects_that_stand_for_arrays_are_operands() -> None:
    wrapped: Any = Wrapped(jnp.arange(3))
    assert (jnp.ones(3) + wrapped).tolist() == [1, 2, 3]
    assert jnp.multiply(wrapped, jnp.ones(3)).tolist() == [0, 1, 2]
    assert jnp.sin(wrapped).shape == (3,)


def test_operands_of_other_types_answer_themselves() -> None:
    """A class with operators of its own, such as a unit, has its say."""

    class Unit:
        def __radd__(self, other: Any) -> str:
            return "unit"

        def __eq__(self, other: object) -> Any:
            return "same"

        def __hash__(self) -> int:
            return 0

    assert jnp.ones(3) + Unit() == "unit"
    assert (jnp.ones(3) == Unit()) == "same"


def test_numpy_leaves_operators_to_arrays() -> None:
    assert isinstance(np.ones(3) + jnp.ones(3), jnp.ndarray)
    assert isinstance(np.float32(2) * jnp.ones(3), jnp.ndarray)
    assert isinstance(np.ones(3) == jnp.ones(3), jnp.ndarray)


UFUNCS = lines("""
    jnp.add.reduce(x), jnp.add.reduce(i, axis=None, keepdims=True), jnp.add.reduce(s, dtype='int32')
    jnp.multiply.reduce(x, axis=1, initial=2), jnp.maximum.reduce(x, axis=1)
    jnp.minimum.reduce(x, axis=1, where=x > 0, initial=9)
    jnp.maximum.reduce(x, where=x > 0)
    jnp.logical_and.reduce(i), jnp.logical_or.reduce(i, axis=1), jnp.logical_xor.reduce(i)
    jnp.bitwise_and.reduce(i), jnp.bitwise_or.reduce(u), jnp.bitwise_xor.reduce(i, axis=1)
    jnp.bitwise_and.reduce(x)
    jnp.logaddexp.reduce(x), jnp.logaddexp2.reduce(x, axis=1), jnp.logaddexp.reduce(x, initial=1.0)
    jnp.subtract.reduce(x), jnp.subtract.accumulate(x, axis=1)
    jnp.add.accumulate(i), jnp.multiply.accumulate(x, axis=1), jnp.maximum.accumulate(x)
    jnp.add.outer(i, j), jnp.multiply.outer(y, x)
    jnp.add.at(y, np.array([0, 0, 2]), 1.0, inplace=False)
    jnp.subtract.at(i, np.array([0, 0]), 2, inplace=False)
    jnp.maximum.at(y, np.array([0, 1]), 3.0, inplace=False)
    jnp.add.at(y, np.array([0]), 1.0)
    jnp.add.reduceat(jnp.arange(8), np.array([0, 4, 1, 5]))
    jnp.negative.reduce(x)
    jnp.negative.outer(x, x)
    jnp.add.nin, jnp.add.nout, jnp.add.identity, jnp.multiply.identity, jnp.maximum.identity
""")


@pytest.mark.parametrize("expression", UFUNCS)
def test_methods_of_universal_functions(expression: str) -> None:
    check(expression)
