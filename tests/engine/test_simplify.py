# pyright: basic
# The functions that are traced are too small to be worth their types.
"""Simplified programs give what programs gave, with less, and no more time than their length."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oakum as jax
from oakum import lax
from oakum import numpy as jnp
from oakum.api.jaxpr_parser import parse_jaxpr
from oakum.compile.simplify.passes import simplify
from oakum.compile.simplify.patterns import EVERY_GROUP, Group
from oakum.tracing.ir import ClosedJaxpr, run_closed, subprograms
from oakum.tracing.jaxpr_verifier import check_jaxpr


def parsed(text: str) -> ClosedJaxpr:
    found = parse_jaxpr(text)
    assert isinstance(found, ClosedJaxpr)
    return found


def simple(text: str) -> str:
    """The equations and the results of a program once it is simplified."""
    result = simplify(parsed(text))
    check_jaxpr(result)
    return " ".join(str(result).partition(" let")[2].removesuffix("}").split())


def traced(function: Callable[..., Any], *arguments: Any) -> ClosedJaxpr:
    """The program of a function, as `jit` has it."""
    return jax.make_jaxpr(jax.jit(function))(*arguments)


def names(program: ClosedJaxpr) -> list[str]:
    """The primitives of a program and of those within it, each of these once."""
    found: list[str] = []
    waiting: list[Any] = [program]
    seen: set[Any] = set()
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            for equation in current.eqns:
                found.append(equation.primitive.name)
                waiting += subprograms(equation.params)
    return found


def agree(function: Callable[..., Any], *arguments: Any) -> ClosedJaxpr:
    """The simplified program of a function, which gives what the function gives."""
    before = traced(function, *arguments)
    after = simplify(before)
    check_jaxpr(after)
    assert list(map(str, after.out_avals)) == list(map(str, before.out_avals))
    raws = [np.asarray(x) for x in jax.tree_util.tree_leaves(arguments)]
    with np.errstate(all="ignore"):
        pairs = zip(run_closed(np, before, raws), run_closed(np, after, raws), strict=True)
        for one, two in pairs:
            np.testing.assert_allclose(one, two, rtol=2e-5, atol=2e-5)
    idempotent(after)
    return after


def idempotent(program: ClosedJaxpr) -> None:
    """Checks that simplifying once more changes nothing."""
    text = str(program)
    program.cache.clear()
    assert str(simplify(program)) == text


X = jnp.arange(12, dtype=jnp.float32).reshape(3, 4) / 7 - 0.6


def test_calls_are_replaced_by_their_programs() -> None:
    """A function under jit within another is not fused with what is around it."""

    @jax.custom_jvp
    def double(x: Any) -> Any:
        return 2 * x

    double.defjvp(lambda primals, tangents: (double(*primals), 2 * tangents[0]))

    @jax.custom_vjp
    def triple(x: Any) -> Any:
        return 3 * x

    triple.defvjp(lambda x: (triple(x), None), lambda _, g: (3 * g,))

    def function(x: Any) -> Any:
        inner = jax.checkpoint(lambda x: jnp.sin(x), prevent_cse=False)
        return jax.jit(lambda x: x + 1)(double(x)) + triple(x) + inner(x)

    assert set(names(agree(function, X))) == {"add", "mul", "sin", "broadcast_in_dim"}


def test_calls_of_one_program_are_merged() -> None:
    """The same function of the same arguments is computed twice."""
    inner = jax.jit(lambda x: jnp.sin(x) * 2)
    assert names(agree(lambda x: inner(x) + inner(x), X)).count("sin") == 1


def test_recomputation_stays() -> None:
    """A checkpoint saves no memory: what it is to compute again is kept from the first time."""

    def loss(x: Any) -> Any:
        return jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))(x).sum()

    def function(x: Any) -> Any:
        return jnp.sin(jnp.sin(x)), jax.grad(loss)(x)

    found = names(agree(function, X))
    assert "optimization_barrier" in found
    assert found.count("sin") == 3


def test_programs_that_double_are_not_written_out() -> None:
    """A function of functions that are called twice each takes all memory."""
    function: Any = lambda x: x * 1.5  # noqa: E731
    for _ in range(40):
        function = twice(function)
    program = traced(function, 1.0)
    result = simplify(program)
    assert len(names(result)) < 200_000
    assert "jit" in names(result)


def twice(function: Any) -> Any:
    inner = jax.jit(function)
    return lambda x: inner(inner(x) + 1)


def test_equations_are_merged() -> None:
    """Equal operations are computed twice, or different ones once."""
    text = "{ lambda ; a:f32[3] b:f32[3]. let %s in (e,) }"
    assert simple(text % "c:f32[3] = add a b d:f32[3] = add b a e:f32[3] = mul c d") == (
        "c:f32[3] = add a b d:f32[3] = mul c c in (d,)"
    )
    assert "sub b a" in simple(text % "c:f32[3] = sub a b d:f32[3] = sub b a e:f32[3] = mul c d")


def test_numbers_that_compare_equal_are_told_apart() -> None:
    """0.0 and -0.0, or 1 and True, become one parameter or one operand."""
    text = """{ lambda ; a:f32[2] i:i32[3,1]. let
        b:f32[3] = gather[dimension_numbers=GatherDimensionNumbers(offset_dims=(),
          collapsed_slice_dims=(0,), start_index_map=(0,), operand_batching_dims=(),
          start_indices_batching_dims=()) slice_sizes=(1,) unique_indices=False
          indices_are_sorted=False mode=GatherScatterMode.FILL_OR_DROP fill_value=0.0] a i
        c:f32[3] = gather[dimension_numbers=GatherDimensionNumbers(offset_dims=(),
          collapsed_slice_dims=(0,), start_index_map=(0,), operand_batching_dims=(),
          start_indices_batching_dims=()) slice_sizes=(1,) unique_indices=False
          indices_are_sorted=False mode=GatherScatterMode.FILL_OR_DROP fill_value=-0.0] a i
        d:f32[3] = add b c in (d,) }""".replace("\n          ", " ").replace("\n        ", "\n")
    assert names(simplify(parsed(text))).count("gather") == 2
    both = "{ lambda ; a:f32[]. let b:f32[] = pow a 0.0:f32[] c:f32[] = atan2 a 0.0:f32[] %s"
    rest = "d:f32[] = atan2 a -0.0:f32[] e:f32[] = add c d f:f32[] = add e b in (f,) }"
    assert names(simplify(parsed(both % rest))).count("atan2") == 2


def test_known_values_are_computed() -> None:
    """What does not depend on arguments is computed in each call."""
    assert simple(
        "{ lambda ; a:f32[]. let b:f32[] = sin 0.5:f32[] c:f32[] = mul b 2.0:f32[] in (c,) }"
    ).startswith("in (0.9588")
    result = agree(lambda x: x + jnp.cumsum(jnp.array([1.0, 2.0, 3.0, 4.0]) * 2), X)
    assert names(result) == ["broadcast_in_dim", "add"]
    assert [const.shape for const in result.consts] == [(4,)]


def test_large_values_are_not_computed() -> None:
    """A table of all positions takes the place of counting, and memory for each of them."""
    result = agree(lambda x: x + jnp.arange(4, dtype=jnp.float32) * 2, X)
    assert "iota" in names(result)
    assert not result.consts
    assert "iota" in names(simplify(traced(lambda: jnp.arange(10_000).sum())))


@pytest.mark.parametrize(
    "function", [jnp.exp, jnp.tanh, jnp.sin, lambda x: x**0.3, lambda x: (x * (1 + 2j)) * (x + 1j)]
)
def test_a_known_value_has_one_value(function: Callable[[jax.Array], jax.Array]) -> None:
    """Half of a program has an exponential of the host and half one of compiled code: where they
    cancel each other, as in the derivatives of `softmax`, their last bits are all that is left.
    """

    def both_ways() -> tuple[jax.Array, jax.Array]:
        value = function(jnp.arange(64) * jnp.float32(0.037))
        return value, jnp.concatenate([value, value])[:64]

    value, joined = jax.jit(both_ways)()
    assert np.array_equal(value, joined)


def test_equal_elements_are_a_number() -> None:
    """An array of ones is read from memory."""
    result = agree(lambda x: x * jnp.ones((3, 4)) + np.full(4, 2, np.float32), X)
    assert not result.consts
    assert names(result) == ["broadcast_in_dim", "add"]


def test_what_raises_is_left_alone() -> None:
    """A program that raises when it runs raises when it is compiled."""
    text = "{ lambda ; a:f32[]. let b:i32[] = axis_index[axis_name='i'] in (a,) }"
    assert simple(text) == "in (a,)"
    text = "{ lambda ; a:f32[]. let b:f32[] = psum[axes=('i',) groups=None] 1.0:f32[] in (b,) }"
    assert "psum" in simple(text)


def test_random_values_stay_random() -> None:
    """A random number becomes a constant, or two of them one."""
    text = """{ lambda ; . let a:f32[3] = rng_uniform[shape=(3,)] 0.0:f32[] 1.0:f32[]
        b:f32[3] = rng_uniform[shape=(3,)] 0.0:f32[] 1.0:f32[] in (a, b) }"""
    assert simple(text).count("rng_uniform") == 2
    result = simplify(traced(lambda: jax.random.normal(jax.random.key(0), (3,))))
    assert "random_bits" in names(result)


def test_effects_stay_in_order() -> None:
    """A callback is left out, called twice less, or called too early."""

    def function(x: Any) -> Any:
        jax.debug.print("{}", x)
        jax.debug.print("{}", x)
        jax.jit(lambda y: jax.debug.print("last {}", y))(x)
        return x * 1

    result = simplify(traced(function, 1.0))
    check_jaxpr(result)
    assert names(result) == ["debug_callback"] * 3
    assert result.effects == traced(function, 1.0).effects
    last = result.eqns[-1].params
    assert last != result.eqns[0].params


def test_pure_callbacks_are_not_merged() -> None:
    """A function of the host that counts its calls is called once instead of twice."""

    def function(x: Any) -> Any:
        shape = jax.ShapeDtypeStruct((), jnp.float32)
        return jax.pure_callback(np.sin, shape, x) + jax.pure_callback(np.sin, shape, x)

    assert names(simplify(traced(function, jnp.float32(1)))).count("pure_callback") == 2


def test_dead_code_is_left_out() -> None:
    """What nothing needs is computed."""

    def function(x: Any) -> Any:
        _ = jnp.exp(x) @ x.T
        return x + 1

    assert names(agree(function, X)) == ["broadcast_in_dim", "add"]


def test_weak_types_stay() -> None:
    """The result of a compiled function is promoted otherwise than that of the function."""
    result = agree(lambda x: (x * 1, x * 1.0, jnp.float32(x) * 1), 2.0)
    assert [bool(a.weak_type) for a in result.out_avals] == [True, True, False]
    weak = "convert_element_type[new_dtype=float32 weak_type=True] a"
    assert weak in simple(f"{{ lambda ; a:f32[]. let b:~f32[] = {weak} in (a, b) }}")


def test_limits_can_be_kept() -> None:
    """Who needs the overflow of exp inside a logarithm cannot have it."""
    text = "{ lambda ; a:f32[]. let b:f32[] = exp a c:f32[] = log b in (c,) }"
    assert simple(text) == "in (a,)"
    exact = simplify(parsed(text), groups=EVERY_GROUP - {Group.LIMITS})
    assert names(exact) == ["exp", "log"]


def test_sources_stay() -> None:
    """An error in compiled code names no line of the user's program."""
    before = traced(lambda x: jnp.sin(x) + (0 - x), X)
    after = simplify(before)
    assert all(eqn.source for eqn in after.eqns)


def calls_of(length: int) -> int:
    """How many calls it takes to simplify a chain."""
    lines: list[str] = []
    for at in range(length):
        made = f"sin x{at}" if at % 3 else f"add x{at} x{max(at - 1, 0)}"
        lines.append(f"x{at + 1}:f32[9] = {made}")
    body = "\n".join(lines)
    program = parsed(f"{{ lambda ; x0:f32[9]. let\n{body}\nin (x{length},) }}")
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        result = simplify(program)
    finally:
        sys.setprofile(before)
    assert len(result.eqns) == length
    return count


def test_work_follows_length() -> None:
    """A long program takes for ever to compile."""
    assert calls_of(4_000) < 4.5 * calls_of(1_000)


def test_deep_programs() -> None:
    """A program of many functions within one another cannot be compiled."""
    text = "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"
    for _ in range(3_000):
        text = f"{{ lambda ; a:f32[]. let b:f32[] = jit[name='f' jaxpr={text}] a in (b,) }}"
    assert names(simplify(parsed(text))) == ["sin"]


def test_deep_loops() -> None:
    """A program of many branches within one another cannot be compiled."""
    text = "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"
    for _ in range(2_000):
        text = f"{{ lambda ; a:f32[]. let b:f32[] = cond[branches=({text},)] 0:i32[] a in (b,) }}"
    assert names(simplify(parsed(text))) == ["sin"]
    text = "{ lambda ; i:i32[] a:f32[]. let b:f32[] = sin a in (b,) }"
    for _ in range(300):
        branch = f"cond[branches=({text},)] i i a"
        text = f"{{ lambda ; i:i32[] a:f32[]. let b:f32[] = {branch} in (b,) }}"
    assert names(simplify(parsed(text))).count("cond") == 300


OPERATIONS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * 1.0 - (-y),
    lambda x, y: jnp.where(x > y, x, y),
    lambda x, y: jnp.maximum(x, 0) * 0.5,
    lambda x, y: jnp.transpose(x) @ y,
    lambda x, y: jnp.transpose(jnp.transpose(x) @ y),
    lambda x, y: x.sum(0, keepdims=True) + y,
    lambda x, y: x - x.max(1, keepdims=True),
    lambda x, y: jnp.broadcast_to(x.mean(), (3, 3)) / 4,
    lambda x, y: x.reshape(9)[::-1].reshape(3, 3),
    lambda x, y: jnp.concatenate([x, y])[1:4],
    lambda x, y: jax.jit(lambda a: jnp.tanh(a) ** 2)(x),
    lambda x, y: lax.fori_loop(0, 3, lambda i, c: c * 0.5 + y, x),
    lambda x, y: lax.scan(lambda c, r: (c + r, c * 2), x[0], y)[1],
    lambda x, y: lax.cond(x[0, 0] > 0, lambda a, b: a + 1, lambda a, b: b * 2, x, y),
    lambda x, y: jax.nn.softmax(x) + jnp.log(jnp.exp(y * 0.1)),
    lambda x, y: jnp.expand_dims(jnp.sum(x * y, 0), 1) * jnp.ones((1, 3)),
)


@settings(max_examples=60)
@given(st.lists(st.tuples(*[st.integers(0, 99)] * 3), min_size=1, max_size=8), st.booleans())
def test_any_program_agrees(steps: list[tuple[int, int, int]], gradient: bool) -> None:
    """A simplified program gives other numbers, is not well typed, or is not simple yet."""

    def function(x: Any, y: Any) -> Any:
        values = [x, y]
        for number, left, right in steps:
            operation = OPERATIONS[number % len(OPERATIONS)]
            values.append(operation(values[left % len(values)], values[right % len(values)]))
        return jnp.tanh(values[-1]).sum()

    given = jax.grad(function, (0, 1)) if gradient else function
    x = jnp.asarray(np.linspace(-1, 1, 9, dtype=np.float32).reshape(3, 3))
    agree(given, x, jnp.flip(x) * 0.7 + 0.1)
