# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Complex numbers in compiled programs give what they give when they are interpreted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import oakum
from oakum import lax
from oakum import numpy as jnp
from oakum.compile.executable import Executable
from oakum.tracing.ir import run_closed

KINDS = (np.complex64, np.complex128)


def numbers(shape: tuple[int, ...], dtype: Any = np.complex64, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)


def both_ways(function: Callable[..., Any], *arguments: Any, host: str = "") -> list[Any]:
    """Pairs of results, compiled and interpreted; `host` names what the host computes."""
    with oakum.config.enable_x64(True), np.errstate(all="ignore"):
        traced: Any = oakum.make_jaxpr(function)(*arguments)
        closed = getattr(traced, "closed", traced)
        raws = [np.asarray(x) for x in oakum.tree_util.tree_leaves(arguments)]
        program = Executable(closed)
        expected = [np.asarray(x) for x in run_closed(np, closed, raws)]
    assert program.source is not None, "the program is interpreted"
    steps = {step.eqn.primitive.name for step in program.source.host_steps}
    assert steps == set(host.split()), f"the host computes {steps}"
    actual = program(raws)
    for one, other in zip(actual, expected, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
    return list(zip(actual, expected, strict=True))


def assert_near(actual: Any, expected: Any, ulps: float = 8, *, one_infinity: bool = False) -> None:
    """Compares parts: both no number or infinite, or near each other for the size of the whole.

    What has an infinite part may be one infinity, as in C: sums of products that overflow are
    infinite or no number by the host's use of instructions that multiply and add.
    """
    if actual.dtype.kind not in "fc":
        np.testing.assert_array_equal(actual, expected)
        return
    if one_infinity and actual.dtype.kind == "c":
        kept = ~(np.isinf(actual) & np.isinf(expected))
        actual, expected = actual[kept], expected[kept]
    eps = np.finfo(actual.dtype).eps
    least = float(np.finfo(actual.dtype).smallest_subnormal)
    finite = [np.where(np.isfinite(x), np.abs(x), 0) for x in (expected.real, expected.imag)]
    bound = ulps * (np.maximum(*finite) * eps + least)
    for one, other in ((actual.real, expected.real), (actual.imag, expected.imag)):
        np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
        both = np.isfinite(one) & np.isfinite(other)
        assert np.all(both | np.isnan(one) | (one == other)), "infinite where it is not to be"
        with np.errstate(all="ignore"):
            wrong = both & ~(np.abs(one - other) <= bound)
        assert not wrong.any(), f"{actual[wrong][:3]} for {expected[wrong][:3]}"


def check(function: Callable[..., Any], *arguments: Any, host: str = "", ulps: float = 8) -> None:
    for actual, expected in both_ways(function, *arguments, host=host):
        assert_near(actual, expected, ulps)


UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": lax.neg,
    "conj": jnp.conj,
    "abs": lax.abs,
    "sign": lax.sign,
    "square": lax.square,
    "cube": lambda x: lax.integer_pow(x, 3),
    "reciprocal": lambda x: lax.integer_pow(x, -1),
    "exp": lax.exp,
    "exp2": lax.exp2,
    "expm1": lax.expm1,
    "log": lax.log,
    "log1p": lax.log1p,
    "sqrt": lax.sqrt,
    "rsqrt": lax.rsqrt,
    "logistic": lax.logistic,
    "sin": lax.sin,
    "cos": lax.cos,
    "tan": lax.tan,
    "sinh": lax.sinh,
    "cosh": lax.cosh,
    "tanh": lax.tanh,
    "parts": lambda x: lax.complex(lax.imag(x), lax.real(x)),
}

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": lax.add,
    "sub": lax.sub,
    "mul": lax.mul,
    "div": lax.div,
    "max": lax.max,
    "min": lax.min,
    "eq": lax.eq,
    "ne": lax.ne,
}


def special(dtype: Any) -> Any:
    """Numbers whose parts are those at which functions end, turn, overflow or lose precision."""
    real = np.finfo(dtype).dtype
    info = np.finfo(real)
    plain = [0.0, 1.0, 0.5, 1e-5, np.pi / 2, 30.0, 100.0, 177.0, 720.0, np.inf, info.max]
    plain += [info.max / 3, info.tiny, info.smallest_subnormal, 3 * info.max**0.5, 1 + info.eps]
    parts = np.array([*plain, *(-x for x in plain), np.nan], real)
    grid = np.empty((parts.size, parts.size), dtype)
    grid.real, grid.imag = parts[:, None], parts
    return grid.ravel()


@pytest.mark.parametrize("dtype", KINDS)
def test_functions_of_special_numbers(dtype: Any) -> None:
    grid = special(dtype)
    pairs = both_ways(lambda x: [function(x) for function in UNARY.values()], grid)
    for name, (actual, expected) in zip(UNARY, pairs, strict=True):
        try:
            # The host multiplies and takes exponentials of what was rounded before.
            ulps = 2000 if name == "exp2" else 8
            assert_near(actual, expected, ulps, one_infinity=name in ("square", "cube"))
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


@pytest.mark.parametrize("dtype", KINDS)
def test_operations_on_special_numbers(dtype: Any) -> None:
    some = special(dtype)[::5]
    x, y = np.repeat(some, some.size), np.tile(some, some.size)
    pairs = both_ways(lambda x, y: [function(x, y) for function in BINARY.values()], x, y)
    for name, (actual, expected) in zip(BINARY, pairs, strict=True):
        try:
            assert_near(actual, expected, one_infinity=name == "mul")
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


def test_zeros_keep_their_signs() -> None:
    zeros = np.array([0.0, -0.0], np.float32)
    x = np.empty((2, 2), np.complex64)
    x.real, x.imag = zeros[:, None], zeros
    odd = (lax.neg, lax.sin, lax.tan, lax.sinh, lax.tanh, lax.sqrt, lax.log1p, lax.expm1)
    for actual, expected in both_ways(lambda x: [f(x) for f in odd] + [x.T, jnp.conj(x)], x):
        assert actual.tobytes() == expected.tobytes()


def moved(x: Any, y: Any) -> list[Any]:
    """Movements that keep a shape or not, of arrays of any rank."""
    rank = x.ndim
    results = [x, x.reshape(-1), jnp.stack([x, y], -1), x[None], lax.full_like(x, 2 - 1j)]
    results += [jnp.where(x.real > 0, x, y), jnp.concatenate([x.reshape(-1), y.reshape(-1) * 2])]
    results += [jnp.sum(x), jnp.prod(y), x == y, x.astype(np.complex128), x.real.astype(x.dtype)]
    results += [lax.pad(x, jnp.asarray(2j, x.dtype), [(1, 2, 1)] * rank)]
    if rank:
        results += [x.T, x[::-1], x[::2], jnp.cumsum(x, 0), jnp.sum(x * y, -1), jnp.prod(x, 0)]
        results += [lax.rev(x + y, (0,)), jnp.repeat(x, 2, 0)]
    return results


@pytest.mark.parametrize("shape", [(), (0,), (1,), (5,), (3, 4), (2, 0), (9, 33), (2, 3, 4)])
def test_movements(shape: tuple[int, ...]) -> None:
    check(moved, numbers(shape), numbers(shape, seed=1), ulps=50)


def test_elements_at_places_known_at_run_time() -> None:
    x, y = numbers((9, 5)), numbers((3, 5), seed=1)
    at = np.array([1, 8, 30], np.int32)

    def taken(x: Any, y: Any, at: Any) -> list[Any]:
        return [
            x[at],
            x.at[at].get(mode="fill"),
            x.at[at].get(mode="fill", fill_value=2 - 1j) * 2,
            x.at[at, 1].get(mode="clip"),
            jnp.take(x * 2, at[:1], axis=1),
            x.at[at].set(y),
            x.at[at, :].add(y, mode="drop"),
            (x * x).at[at[0]].add(y[0]),
            lax.dynamic_slice(x, (at[0], at[2]), (3, 2)),
            lax.dynamic_slice(x + 1, (at[0], np.int32(0)), (3, 5)),
            lax.dynamic_update_slice(x, y, (at[1], np.int32(0))),
        ]

    check(taken, x, y, at)


PRODUCTS: list[tuple[tuple[int, ...], tuple[int, ...], str]] = [
    ((3, 4), (4, 5), "ij,jk->ik"),
    ((4, 3), (5, 4), "ji,kj->ik"),
    ((17, 2), (2, 40), "ij,jk->ik"),
    ((40, 7), (7, 3), "ij,jk->ki"),
    ((4, 3, 5), (4, 5, 2), "bij,bjk->bik"),
    ((3, 4, 2), (2, 4, 3), "ijb,bjk->bik"),
    ((6,), (6,), "i,i->"),
    ((4, 6), (4, 6), "bi,bi->b"),
    ((6,), (6, 3), "i,ij->j"),
    ((6, 3), (6,), "ij,i->j"),
    ((2, 6), (6, 3, 2), "bi,ijb->bj"),
    ((5, 6), (6,), "ij,j->i"),
    ((1, 6), (6, 3), "ij,jk->ik"),
    ((6, 3), (6, 1), "ij,ik->jk"),
    ((1, 6), (6, 1), "ij,jk->ik"),
    ((2, 6, 3, 4), (2, 1, 6), "bijk,bli->bjkl"),
    ((2, 1, 6, 1), (2, 6, 3, 4), "bmin,bijk->bmnjk"),
    ((3,), (4,), "i,j->ij"),
    ((2, 3, 4), (4, 3, 5), "ijk,kjl->il"),
    ((0, 4), (4, 3), "ij,jk->ik"),
    ((3, 0), (0, 2), "ij,jk->ik"),
]


@pytest.mark.parametrize("dtype", KINDS)
def test_products(dtype: Any) -> None:
    operands = [(numbers(a, dtype), numbers(b, dtype, 1)) for a, b, _ in PRODUCTS]

    def products(pairs: Any) -> list[Any]:
        zipped = zip(pairs, PRODUCTS, strict=True)
        return [jnp.einsum(axes, x, y) for (x, y), (_, _, axes) in zipped]

    check(products, operands, ulps=100)


@pytest.mark.parametrize(
    ("features", "groups", "batches"), [("NHWC", 1, 1), ("NCHW", 2, 1), ("NHWC", 1, 2)]
)
def test_convolutions(features: str, groups: int, batches: int) -> None:
    last = features == "NHWC"
    images = numbers((2, 7, 6, 4) if last else (2, 4, 7, 6))
    filters = numbers((3, 2, 4 // groups, 6), seed=1)

    def convolve(x: Any, y: Any) -> Any:
        return lax.conv_general_dilated(
            x,
            y,
            (2, 1),
            "SAME",
            dimension_numbers=(features, "HWIO", features),
            feature_group_count=groups,
            batch_group_count=batches,
        )

    check(convolve, images, filters, ulps=100)


def test_loops_and_branches_carry_complex_numbers() -> None:
    x, y = numbers((6, 5)), numbers((6, 5), seed=1)

    def loops(x: Any, y: Any) -> list[Any]:
        last, rows = lax.scan(lambda c, r: (c * r[0] + r[1], (c, jnp.abs(c))), x[0], (x, y))
        turned = lax.fori_loop(0, 3, lambda i, c: c * 1j + lax.dynamic_index_in_dim(y, i, 0), x)
        grown = lax.while_loop(lambda c: jnp.abs(c) < 5, lambda c: c * (1 + 1j), x[0, 0])
        chosen = lax.cond(x[0, 0].real > 0, jnp.exp, lambda a: a * 2j, y)
        return [last, rows, turned, grown, chosen]

    for actual, expected in both_ways(lambda x, y: oakum.tree_util.tree_leaves(loops(x, y)), x, y):
        assert_near(actual, expected, 100)


def test_the_host_is_given_complex_numbers() -> None:
    x, y = numbers((8, 7)), numbers((8, 7), seed=1)
    check(lambda x, y: jnp.fft.ifft(jnp.fft.fft(x * 2) * y), x, y, host="fft", ulps=50)
    check(lambda x: [jnp.fft.fft(x), x, 2j + jnp.arcsin(x[0])], x, host="fft asin", ulps=50)
    check(lambda x: jnp.fft.rfft(x.real)[:, :3] + 1, x, host="fft", ulps=50)


TRANSFORMS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((1,), (0,)),
    ((2, 3), (1,)),
    ((240,), (0,)),
    ((3, 32), (1,)),
    ((2, 20, 4, 3), (1, 2)),
]


def test_transforms() -> None:
    kinds = [KINDS[number % 2] for number in range(len(TRANSFORMS))]
    arrays = [numbers(shape, dtype) for (shape, _), dtype in zip(TRANSFORMS, kinds, strict=True)]

    def transforms(*arrays: Any) -> list[Any]:
        pairs = [(x, axes) for x, (_, axes) in zip(arrays, TRANSFORMS, strict=True)]
        back = [jnp.fft.ifftn(x * 2, axes=axes) + 1 for x, axes in pairs[-2:]]
        return [*back, *(jnp.fft.fftn(x, axes=axes) for x, axes in pairs)]

    for actual, expected in both_ways(transforms, *arrays):
        size = float(np.sqrt(np.mean(np.abs(expected) ** 2)))
        error = float(np.max(np.abs(actual - expected)))
        assert error <= 20 * size * float(np.finfo(actual.dtype).eps)


def test_derivatives() -> None:
    x, y = numbers((4, 5)), numbers((4, 5), seed=1)

    def loss(x: Any, y: Any) -> Any:
        inner = jnp.tanh(x @ y.T) / (2 + jnp.sum(jnp.exp(y), 1))
        return jnp.sum(jnp.abs(inner) ** 2) + jnp.sum((x * jnp.conj(y)).imag)

    check(oakum.grad(loss, argnums=(0, 1)), x, y, ulps=500)
    check(lambda x, y: oakum.jvp(lambda z: jnp.sqrt(z) * y, (x,), (y,)), x, y, ulps=50)
    check(lambda x, y: oakum.vmap(jnp.vdot)(x, y), x, y, ulps=50)
    check(lambda x: oakum.jacfwd(lambda z: z**3 / (1 + z), holomorphic=True)(x[0]), x, ulps=50)


def test_arguments_and_constants_go_through_programs() -> None:
    table = jnp.asarray(numbers((7,), seed=2))
    inner = oakum.jit(lambda x: x * table)
    check(lambda x: [x, inner(x), table, jnp.asarray(3j), inner(x)], numbers((7,)))


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    rows=st.integers(1, 5),
    columns=st.integers(1, 40),
    step=st.sampled_from([1, 2, 3]),
    start=st.integers(0, 3),
    dtype=st.sampled_from(["complex64", "float32", "int32", "bool", "float16", "complex128"]),
)
def test_every_second_element(rows: int, columns: int, step: int, start: int, dtype: str) -> None:
    """What lies by turns is read and written within bounds, with rests of any size."""
    random = np.random.default_rng(columns)
    x, y = (random.integers(-3, 9, (rows, columns)).astype(dtype) for _ in range(2))

    def by_turns(x: Any, y: Any) -> list[Any]:
        joined = jnp.stack([x, y], -1)
        flat = joined.reshape(-1)
        parts = [flat[start::2], flat[::2] if dtype == "bool" else flat[::2] + flat[1::2]]
        return [joined, *parts, x[:, start::step], jnp.sum(flat[1::2].real, dtype="float32")]

    check(by_turns, x, y)


def test_squares_and_logarithms_overflow_where_those_of_jax_do() -> None:
    """A large number has the square `-inf + inf j`, or an infinite logarithm, and then NaN."""
    large = np.array([3e38 + 3e38j, 1e30 - 1e30j, 3e19 + 2.9999e19j], "c8")
    wanted = np.array([complex(0, np.inf), complex(0, -np.inf), complex(6.0032337e34, np.inf)])
    for square in (lax.square, oakum.jit(lax.square)):
        np.testing.assert_array_equal(square(large), wanted.astype("c8"))
    logarithms = np.log1p(large.astype("c16"))
    for log1p in (lax.log1p, oakum.jit(lax.log1p)):
        np.testing.assert_allclose(log1p(large), logarithms, rtol=1e-6)
