"""Elementwise operations give what JAX gives: values, dtypes, weak types, errors, derivatives."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum

pytest.importorskip("jax")
ml_dtypes: Any = pytest.importorskip("ml_dtypes")

from tests.engine.against_jax import (  # noqa: E402
    assert_same,
    assert_same_derivatives,
    assert_same_mapped,
    assert_same_staged,
)

SMOOTH = (
    "abs neg square acos acosh asin asinh atan atanh cosh sinh exp exp2 expm1 log log1p logistic "
    "rsqrt sqrt tanh cos sin tan reciprocal"
).split()
REAL_SMOOTH = "cbrt erf erfc erf_inv lgamma digamma bessel_i0e bessel_i1e".split()
STEPS = "sign floor ceil round is_finite".split()
BITS = "bitwise_not clz population_count".split()
PARTS = "real imag conj".split()
UNARY = [*SMOOTH, *REAL_SMOOTH, *STEPS, *BITS, *PARTS]

SMOOTH_PAIRS = "add sub mul div max min atan2 pow".split()
COMPARISONS = "eq ne lt le gt ge".split()
BIT_PAIRS = (
    "bitwise_and bitwise_or bitwise_xor shift_left shift_right_arithmetic shift_right_logical mulhi"
).split()
GAMMA_PAIRS = "igamma igammac zeta polygamma igamma_grad_a".split()
BINARY = [*SMOOTH_PAIRS, *COMPARISONS, *BIT_PAIRS, *GAMMA_PAIRS, "rem", "complex", "nextafter"]

DTYPES = [
    np.bool_,
    np.int8,
    np.uint32,
    ml_dtypes.int4,
    ml_dtypes.bfloat16,
    np.float32,
    np.complex64,
]

REALS = [0.3, -0.7, 1.5, 0.0, -0.0, 2.0, -2.0, 1.0, -1.0, 0.9, np.inf, -np.inf, np.nan]
FINITE = np.array([0.3, -0.7, 1.5, 0.0, 2.0, -2.0, 1.0, 0.9], np.float32)
OTHERS = np.array([0.5, 0.7, 1.5, 0.0, -1.0, -2.0, 3.0, 0.2], np.float32)
POSITIVE = np.abs(FINITE) + np.float32(0.1)
COMPLEX = (FINITE + 1j * OTHERS[::-1]).astype(np.complex64)
COMPLEX_OTHERS = (OTHERS[::-1] + 1j * POSITIVE).astype(np.complex64)


def data(dtype: Any, turn: int = 0) -> Any:
    """Numbers of a dtype with its special ones, in an order that differs by `turn`."""
    kind = np.dtype(dtype)
    if kind == np.bool_:
        numbers = np.array([True, False, True, True, False, False])
    elif kind.kind in "iu" or kind == ml_dtypes.int4:
        info: Any = ml_dtypes.iinfo(kind)
        numbers = np.array([0, 1, 3, 5, 6, 7, int(info.min), int(info.max)])
    elif kind.kind == "c":
        numbers = np.concatenate([COMPLEX, COMPLEX_OTHERS, [1j, -1j, 1, -1]])
    else:
        numbers = np.array(REALS)
    return np.roll(numbers, turn).astype(dtype)


def slope(j: Any, function: Callable[[Any], Any], x: Any) -> Any:
    """The gradient of the sum of a function."""

    def total(x: Any) -> Any:
        return function(x).sum()

    return j.grad(total)(x)


def name_of(dtype: Any) -> str:
    return np.dtype(dtype).name


@pytest.mark.sweep(8)
@pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_array(name: str, dtype: Any) -> None:
    """`lax.sin(x)` has another value or dtype than in JAX, or takes a dtype that JAX refuses."""
    if name == "population_count" and dtype is ml_dtypes.int4:
        pytest.skip("JAX counts the bits of the sign eight times")
    assert_same(lambda j, x: getattr(j.lax, name)(x), data(dtype), tolerance=rounding(dtype, name))


@pytest.mark.sweep(10)
@pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arrays(name: str, dtype: Any) -> None:
    """`lax.div(x, y)` has another value or dtype than in JAX, or takes a dtype JAX refuses."""
    if name == "mulhi" and dtype is ml_dtypes.int4:
        pytest.skip("JAX gives no high half for four bits")
    x = np.concatenate([data(dtype)] * 3)
    y = np.concatenate([data(dtype, turn) for turn in (0, 1, 3)])
    if name in GAMMA_PAIRS:
        # At the ends of the domain the limits are given, which JAX does not find.
        kept = np.isfinite(x.astype(complex)) & np.isfinite(y.astype(complex)) & (x != 0)
        x, y = x[kept], y[kept]
    assert_same(lambda j, x, y: getattr(j.lax, name)(x, y), x, y, tolerance=rounding(dtype, name))


def rounding(dtype: Any, name: str) -> float | None:
    """How far results may be off where JAX's approximations are rough."""
    if np.dtype(dtype) == np.float32 and name in (*REAL_SMOOTH, *GAMMA_PAIRS):
        return 1e-4
    return None


@pytest.mark.parametrize("name", ["sin", "add", "lgamma", "igamma", "div", "integer_pow"])
def test_doubles(name: str) -> None:
    """With 64-bit dtypes on, a result has only the precision of 32 bits."""
    numbers = np.array([0.3, 1.7, 2.5, 11.0])
    operands = {"sin": 1, "lgamma": 1, "integer_pow": 1}.get(name, 2) * (numbers,)
    extra = (3,) if name == "integer_pow" else ()

    def function(j: Any, *x: Any) -> Any:
        return getattr(j.lax, name)(*x, *extra)

    jax: Any = pytest.importorskip("jax")
    with jax.enable_x64(True), oakum.enable_x64(True):
        assert_same(function, *operands, tolerance=1e-13)


@pytest.mark.sweep(10)
@pytest.mark.parametrize("operand", [FINITE, COMPLEX], ids=["real", "complex"])
@pytest.mark.parametrize("name", [*SMOOTH, *PARTS, *REAL_SMOOTH])
def test_derivatives_of_one_array(name: str, operand: Any) -> None:
    """The gradient of `lax.tanh` differs from JAX's, at zero or on the complex plane too."""
    if (name in PARTS) and operand is FINITE and name != "conj":
        pytest.skip("real numbers have no parts")
    if name in REAL_SMOOTH and operand is COMPLEX:
        pytest.skip("not defined for complex numbers")
    tolerance = 1e-3 if name in REAL_SMOOTH else 1e-4
    assert_same_derivatives(lambda j, x: getattr(j.lax, name)(x), operand, tolerance=tolerance)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("operands", [(FINITE, OTHERS), (COMPLEX, COMPLEX_OTHERS)])
@pytest.mark.parametrize("name", SMOOTH_PAIRS)
def test_derivatives_of_two_arrays(name: str, operands: Any) -> None:
    """The gradient of `lax.max` at a tie or of `lax.pow` at zero differs from JAX's."""
    assert_same_derivatives(lambda j, x, y: getattr(j.lax, name)(x, y), *operands, tolerance=1e-4)


@pytest.mark.parametrize("name", ["sin", "tanh", "sqrt", "logistic", "expm1", "erf", "square"])
def test_second_derivatives(name: str) -> None:
    """A Hessian has another value than in JAX."""

    def tangent(j: Any, x: Any) -> Any:
        function = getattr(j.lax, name)
        return j.jvp(function, (x,), (x,))[1]

    assert_same_derivatives(tangent, POSITIVE, tolerance=1e-4)


@pytest.mark.parametrize("name", ["igamma", "igammac"])
def test_derivatives_of_incomplete_gamma(name: str) -> None:
    """Samples of a gamma distribution are differentiated by a wrong slope."""
    assert_same_derivatives(
        lambda j, a, x: getattr(j.lax, name)(a, x), POSITIVE, POSITIVE[::-1].copy(), tolerance=1e-3
    )


def test_derivatives_that_there_are_not() -> None:
    """A gradient that JAX does not know is zero instead of an error."""
    unit = np.linspace(0.1, 0.9, 8).astype(np.float32)
    assert_same(lambda j, a: slope(j, lambda a: j.lax.betainc(a, a, unit), a), POSITIVE)
    assert_same(lambda j, m: slope(j, lambda m: j.lax.polygamma(m, unit), m), POSITIVE)
    assert_same(
        lambda j, x: slope(j, lambda x: j.lax.nextafter(x, 2 * x), x),  # oakum: ignore[OAK303]
        POSITIVE,
    )
    assert_same(
        lambda j, x: slope(j, lambda x: j.lax.betainc(POSITIVE, POSITIVE, x), x),
        unit,
        tolerance=1e-3,
    )


@pytest.mark.parametrize("power", [-3, -1, 0, 1, 2, 5])
def test_integer_powers(power: int) -> None:
    """`x ** 3` or its gradient differs from JAX's."""
    assert_same_derivatives(lambda j, x: j.lax.integer_pow(x, power), OTHERS, tolerance=1e-4)
    assert_same(lambda j, x: j.lax.integer_pow(x, power), np.arange(-3, 4, dtype=np.int32))


def test_powers_with_integer_exponents() -> None:
    """`lax.pow(x, n)` with an array of integers has a wrong gradient where one of them is zero."""
    exponents = np.arange(8, dtype=np.int32) - 3
    assert_same_derivatives(lambda j, x: j.lax.pow(x, exponents), FINITE, tolerance=1e-4)
    assert_same(lambda j, x, y: j.lax.pow(x, y), np.float16(2), np.float32(3))
    assert_same(lambda j, x: j.lax.pow(x, 2.0), FINITE)


@pytest.mark.parametrize("name", ["add", "mul", "sin", "lt", "integer_pow"])
def test_mapped_and_staged(name: str) -> None:
    """`vmap` of an operation, with arguments mapped over different axes or not, is wrong."""
    table, row = np.outer(FINITE, OTHERS)[:4, :4], OTHERS[:4]

    def function(j: Any, x: Any, y: Any) -> Any:
        if name == "integer_pow":
            return j.lax.integer_pow(x, 2)
        return j.lax.sin(x) if name == "sin" else getattr(j.lax, name)(x, y)

    assert_same_mapped(function, table, table)
    assert_same_mapped(function, table, row, in_axes=(1, None), out_axes=1)
    assert_same_mapped(function, row, table, in_axes=(None, 1))
    assert_same_staged(function, table, table)


PAIRS_OF_TYPES: list[tuple[Any, Any]] = [
    (FINITE, np.int32(2)),
    (FINITE, np.ones(3, np.float32)),
    (FINITE, np.ones((8, 2), np.float32)),
    (FINITE, FINITE[:1]),
    (np.ones((2, 1), np.float32), np.ones((1, 3), np.float32)),
    (True, True),
    (np.int8(2), True),
    (0, 0.0),
    (2, 3),
    (2.0, np.float32(3)),
    (np.ones(3), 1.5),
    (np.int32(1), 2.5),
    ("a", 1),
    (None, 1),
    ([1.0], 1.0),
    (2j, np.float32(1)),
    (np.float32(1), 2.0),
]


@pytest.mark.parametrize(("x", "y"), PAIRS_OF_TYPES)
@pytest.mark.parametrize("name", ["add", "max", "lt", "bitwise_and"])
def test_agreement_of_operands(name: str, x: Any, y: Any) -> None:
    """Operands of different dtypes or shapes are accepted where JAX refuses them, or the other way
    round; a result is weakly typed that is not in JAX.
    """
    assert_same(lambda j: getattr(j.lax, name)(x, y))


def test_numbers_take_the_dtype_of_arrays() -> None:
    """`lax.mul(x, 2.0)` of bfloat16 numbers gives float32 numbers."""
    x = oakum.numpy.asarray(FINITE, "bfloat16")
    assert oakum.lax.mul(x, 2.0).dtype == ml_dtypes.bfloat16
    assert oakum.lax.mul(oakum.numpy.arange(3), 2).dtype == np.int32

    def one_more(x: Any) -> Any:
        return oakum.lax.add(1.0, x)

    traced = oakum.jit(one_more)(x)
    assert traced.dtype == ml_dtypes.bfloat16
    assert not traced.weak_type


MESSAGES = {
    "same dtypes, got float32, int32. \\(Tip: jnp.add": (FINITE, np.int32(1)),
    "add got incompatible shapes for broadcasting: \\(8,\\), \\(3,\\)": (FINITE, FINITE[:3]),
    "does not accept dtype bool at position 0. Accepted dtypes at position 0 are": (True, True),
    "add: arrays must have the same number of dimensions": (FINITE, FINITE[:, None]),
}


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_have_the_words_of_jax(message: str) -> None:
    """Somebody who looks for JAX's message in the web does not find it."""
    with pytest.raises(TypeError, match=message):
        oakum.lax.add(*MESSAGES[message])
    with pytest.raises(TypeError, match="sin does not accept dtype int32"):
        oakum.lax.sin(1)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("new", DTYPES, ids=name_of)
@pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
def test_conversion(dtype: Any, new: Any) -> None:
    """Numbers that a dtype cannot hold become others than in JAX: 300 as int8, NaN as int32."""
    numbers = data(dtype)
    if np.dtype(dtype) == np.float32:
        numbers = np.concatenate([numbers, np.array([300.7, -300.7, 1e10, -1e10], np.float32)])

    def function(j: Any, x: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            return j.lax.convert_element_type(x, new)

    assert_same(function, numbers)


def test_conversion_of_python_numbers() -> None:
    """A number is converted through a dtype that does not hold it."""
    for value, dtype in [
        (2**100, np.float32),
        (2**100, np.int32),
        (300, np.int8),
        (-1, np.uint8),
        (np.nan, np.int32),
        (1e10, np.int32),
        (1, bool),
        (1.5, int),
        (True, float),
        ("a", int),
        (1, None),
    ]:
        assert_same(lambda j, value=value, dtype=dtype: j.lax.convert_element_type(value, dtype))


def test_conversion_warns() -> None:
    """Digits or imaginary parts are dropped without a word."""
    with pytest.warns(np.exceptions.ComplexWarning):
        oakum.lax.convert_element_type(COMPLEX, np.float32)
    with pytest.warns(UserWarning, match="Explicitly requested dtype float64"):
        oakum.lax.convert_element_type(FINITE, np.float64)


def test_derivatives_of_conversions() -> None:
    """A gradient has the dtype of the result and not that of the argument, or flows through
    integers.
    """

    def there_and_back(dtype: Any) -> Any:
        def function(j: Any, x: Any) -> Any:
            return j.lax.convert_element_type(j.lax.convert_element_type(x, dtype), np.float32)

        return function

    assert_same_derivatives(there_and_back(ml_dtypes.bfloat16), FINITE)
    assert_same_derivatives(there_and_back(np.int32), FINITE)


def test_stopped_gradients() -> None:
    """`stop_gradient` lets a gradient through, in nested gradients or under vmap."""

    def nested(j: Any, x: Any) -> Any:
        def inner(y: Any) -> Any:
            return j.lax.stop_gradient(y) * y * x

        return j.grad(inner)(x)

    assert_same(lambda j, x: slope(j, lambda x: j.lax.stop_gradient(x) * x, x), FINITE)
    assert_same(lambda j, x: j.vmap(j.grad(functools.partial(nested, j)))(x), FINITE)
    assert_same(lambda j: j.lax.stop_gradient({"a": OTHERS, "b": FINITE}))
    assert_same(lambda j: j.lax.stop_gradient({"a": "x"}))


CHOICES = np.array([True, False, True, False])
TABLE = np.outer(FINITE, OTHERS)[:4, :4].astype(np.float32)


@pytest.mark.parametrize(
    "axes", [(0, 0, 0), (0, None, None), (None, 0, 0), (None, 0, 1), (0, 0, None), (None, None, 1)]
)
def test_mapped_selections(axes: tuple[int | None, ...]) -> None:
    """`vmap` of `lax.select` picks wrong elements where the condition is one boolean."""
    which = CHOICES if axes[0] is not None else np.bool_(True)
    cases = [TABLE if axis is not None else TABLE[0] for axis in axes[1:]]
    assert_same_mapped(
        lambda j, p, x, y: j.lax.select(p, x, y), which, *cases, in_axes=axes, tolerance=0
    )
    if axes[0] is not None:
        conditions = TABLE > 0.2
        assert_same_mapped(
            lambda j, p, x, y: j.lax.select(p, x, y), conditions, *cases, in_axes=axes, tolerance=0
        )


def test_selections() -> None:
    """`select_n` by integers out of range or its gradient differs from JAX's."""
    which = np.array([-1, 0, 1, 2, 3, 1, 0, 2], np.int32)
    assert_same(lambda j, x, y, z: j.lax.select_n(which, x, y, z), FINITE, OTHERS, POSITIVE)
    assert_same_derivatives(
        lambda j, x, y, z: j.lax.select_n(which, x, y, z), FINITE, OTHERS, POSITIVE
    )
    assert_same_derivatives(lambda j, x, y: j.lax.select(x > y, x, y), FINITE, OTHERS)
    assert_same(lambda j: j.lax.select_n(np.bool_(True), 1, 2, 3))
    assert_same(lambda j: j.lax.select_n(1.5, 1, 2))
    assert_same(lambda j: j.lax.select_n(True))
    assert_same(lambda j: j.lax.select(CHOICES, FINITE, FINITE))
    assert_same(lambda j: j.lax.select(True, FINITE, FINITE[:2]))


def test_limits() -> None:
    """`clamp` with NaN, with bounds in the wrong order or with scalar bounds differs from JAX's."""
    low, high = np.float32(0.2), np.float32(1.2)
    assert_same(lambda j, x: j.lax.clamp(low, x, high), np.array(REALS, np.float32))
    assert_same(lambda j, x: j.lax.clamp(high, x, low), np.array(REALS, np.float32))
    assert_same(lambda j, x: j.lax.clamp(0.2, x, 1.2), FINITE)
    assert_same_derivatives(lambda j, x, y, z: j.lax.clamp(x, y, z), OTHERS, FINITE, POSITIVE)
    assert_same_mapped(lambda j, x: j.lax.clamp(low, x, high), FINITE)
    assert_same(lambda j, x: j.lax.clamp(x[:2], x, x), FINITE)  # oakum: ignore[OAK501] as in JAX


@pytest.mark.parametrize("bits", [(5, 10), (8, 7), (3, 2), (2, 0), (8, 23)])
def test_reduced_precision(bits: tuple[int, int]) -> None:
    """Numbers are rounded to another float format than JAX rounds them to."""
    numbers = np.concatenate([REALS, np.geomspace(1e-9, 1e9, 50)]).astype(np.float32)
    assert_same(lambda j, x: j.lax.reduce_precision(x, *bits), numbers, tolerance=1e-7)
    assert_same_derivatives(lambda j, x: j.lax.reduce_precision(x, *bits), FINITE)
    assert_same(lambda j, x: j.lax.reduce_precision(x, 0, 3), numbers)


def test_rounding_of_halves() -> None:
    """Halves are rounded the other way."""
    halves = np.array([0.49999997, 0.5, 1.5, 2.5, -0.5, -1.5, 1e10, 3.3], np.float32)
    assert_same(lambda j, x: j.lax.round(x), halves)
    assert_same(lambda j, x: j.lax.round(x, j.lax.RoundingMethod.TO_NEAREST_EVEN), halves)
    assert_same(lambda j, x: j.lax.round(x, 3), halves)


def test_filled_arrays() -> None:
    """`full` has another dtype or weak type than in JAX, or takes a shape that is none."""
    assert_same(lambda j: j.lax.full((2, 3), 1))
    assert_same(lambda j: j.lax.full((2,), 1.5, np.int32))
    assert_same(lambda j: j.lax.full((2,), FINITE))
    assert_same(lambda j: j.lax.full((-2,), 1))
    assert_same(lambda j: j.lax.full((2.5,), 1))
    assert_same(lambda j: j.lax.full_like(np.ones(3, np.int8), 3.7))
    assert_same(lambda j: j.lax.full_like(1.0, 2))
    assert_same(lambda j: j.lax.full_like(FINITE, 2, shape=(2, 2)))
    assert_same(lambda j: j.lax.full_like(j.ShapeDtypeStruct((2,), np.float16), 2))
    assert_same(lambda j, x: slope(j, lambda x: j.lax.full((3,), x), x), np.float32(2))


def test_total_order() -> None:
    """A sort that relies on the order of all floats puts NaN or -0.0 at a wrong place."""
    from oakum.primitives import comparison

    numbers = np.array([-np.nan, -np.inf, -1.0, -0.0, 0.0, 1.0, np.inf, np.nan], np.float32)
    x, y = (each.reshape(-1) for each in np.meshgrid(numbers, numbers))
    ranks = [each.reshape(-1) for each in np.meshgrid(range(8), range(8))]
    np.testing.assert_array_equal(comparison.lt_to_p.bind(x, y), ranks[0] < ranks[1])
    np.testing.assert_array_equal(comparison.le_to_p.bind(x, y), ranks[0] <= ranks[1])
    np.testing.assert_array_equal(comparison.eq_to_p.bind(x, y), ranks[0] == ranks[1])


def test_products_in_another_dtype() -> None:
    """`lax.mul` with `out_dtype` multiplies before it converts, or has no gradient."""
    assert_same(lambda j: j.lax.mul(np.int8(100), np.int8(100), out_dtype=np.int32))
    assert_same(lambda j: j.lax.mul(FINITE, np.int8(2), out_dtype=np.float16))
    assert_same_derivatives(
        lambda j, x, y: j.lax.mul(x, y, out_dtype=ml_dtypes.bfloat16), FINITE, OTHERS
    )
