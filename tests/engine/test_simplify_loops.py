# pyright: basic
# The functions that loops are given are too small to be worth their types.
"""Loops and branches do no work that is known, repeated or not needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.engine.test_simplify import X, agree, names

import oakum as jax
from oakum import lax
from oakum import numpy as jnp
from oakum.compile.simplify.passes import simplify
from oakum.tracing.ir import ClosedJaxpr, Equation


def only(program: ClosedJaxpr, name: str) -> Equation:
    """The one equation of a primitive in a program."""
    (found,) = [each for each in program.eqns if each.primitive.name == name]
    return found


def test_results_that_nobody_uses_leave_a_scan() -> None:
    """A loop keeps values of each step that nobody reads."""

    def step(carry: Any, x: Any) -> Any:
        a, b, c = carry
        return (a + x, b * c, c - 1), (a * 2, jnp.exp(b))

    def function(xs: Any) -> Any:
        (a, _, _), (first, _) = lax.scan(step, (xs[0], xs[1], xs[2]), xs)
        return a + first.sum(0)

    scan = only(agree(function, X), "scan")
    assert (len(scan.inputs), len(scan.outputs)) == (2, 2)
    assert "exp" not in names(scan.params["jaxpr"])


def test_state_that_other_state_needs_stays() -> None:
    """State is left out that decides on what is used."""

    def step(carry: Any, x: Any) -> Any:
        a, b, c = carry
        return (a + b, b + c, c + x), None

    def function(xs: Any) -> Any:
        return lax.scan(step, (xs[0], xs[1], xs[2]), xs)[0][0]

    assert len(only(agree(function, X), "scan").outputs) == 3


def test_state_that_does_not_change_leaves_a_loop() -> None:
    """A constant of a loop is copied in each step."""

    def body(carry: Any, x: Any) -> Any:
        a, b = carry
        return (a * b + x, jnp.where(True, b, a)), b

    def scanned(xs: Any) -> Any:
        return lax.scan(body, (xs[0], xs[1]), xs)

    scan = only(agree(scanned, X), "scan")
    assert scan.params["carry"] == 1

    def step(carry: Any) -> Any:
        i, a, b = carry
        return i + 1, a * b, b * 1

    def repeated(x: Any) -> Any:
        return lax.while_loop(lambda carry: carry[0] < 3, step, (0, x, x + 1))

    loop = only(agree(repeated, X), "while")
    assert len(loop.outputs) == 2


def test_unused_state_leaves_a_while_loop() -> None:
    """A loop computes what neither its condition nor a result needs."""

    def step(carry: Any) -> Any:
        i, a, b = carry
        return i + 1, a * 2, jnp.exp(b)

    def function(x: Any) -> Any:
        return lax.while_loop(lambda carry: carry[0] < 3, step, (0, x, x))[1]

    loop = only(agree(function, X), "while")
    assert len(loop.outputs) == 2
    assert "exp" not in names(loop.params["body_jaxpr"])


def test_what_a_condition_reads_stays() -> None:
    """A loop runs too long, since what ends it was left out."""

    def step(carry: Any) -> Any:
        i, j, a = carry
        return i + j, j + 1, a * 2

    def function(x: Any) -> Any:
        return lax.while_loop(lambda carry: carry[0] < 9, step, (0, 1, x))[2]

    assert len(only(agree(function, X), "while").outputs) == 3


def test_numbers_go_into_loops() -> None:
    """A loop reads from memory what is a number, and computes with it as with any other."""

    def function(x: Any) -> Any:
        one = jnp.float32(3) - 2
        step = lambda carry, row: (carry * one + row, None)  # noqa: E731
        return lax.scan(step, x[0], x)[0]

    scan = only(agree(function, X), "scan")
    assert scan.params["consts"] == 0
    assert names(scan.params["jaxpr"]) == ["add"]


def test_constant_results_leave_a_scan() -> None:
    """A loop writes the same number in each step."""

    def function(x: Any) -> Any:
        step = lambda carry, row: (carry + row, (jnp.zeros(4), 1.0))  # noqa: E731
        return lax.scan(step, x[0], x)

    assert len(only(agree(function, X), "scan").outputs) == 1


def test_scans_of_no_steps() -> None:
    """A scan over nothing gives arrays of one step, or of none where there are some."""

    def function(x: Any) -> Any:
        step = lambda carry, row: (carry + row, 1.0)  # noqa: E731
        return lax.scan(step, x[0], x[:0])

    agree(function, X)


@pytest.mark.parametrize("index", [0, 1, -4, 9])
def test_known_branches_are_taken(index: int) -> None:
    """A branch is chosen when the program runs, though the choice is known."""

    def function(x: Any) -> Any:
        i = jnp.int32(index) * 1
        return lax.switch(i, [lambda x: x + 1, lambda x: x - 1, lambda x: x * 2], x)

    assert "cond" not in names(agree(function, X))


def test_unused_operands_leave_branches() -> None:
    """A branch keeps arrays alive that it does not read."""

    def function(x: Any, y: Any) -> Any:
        first = lambda x, y: (x + 1, x * y)  # noqa: E731
        second = lambda x, y: (x - 1, y)  # noqa: E731
        return lax.cond(x[0, 0] > 0, first, second, x, y)[0]

    cond = only(agree(function, X, X * 2), "cond")
    assert (len(cond.inputs), len(cond.outputs)) == (2, 1)


def test_effects_in_loops_stay() -> None:
    """A callback in a loop is not called, since nothing uses the loop's results."""

    def function(x: Any) -> Any:
        def step(i: Any, a: Any) -> Any:
            jax.debug.callback(lambda i: None, a[0] * 2)
            return a * 3

        lax.fori_loop(0, 3, step, x[0])
        return x

    found = names(agree(function, X))
    assert "debug_callback" in found
    assert found.count("mul") == 2


def test_gradients_of_loops_agree() -> None:
    """The gradient of a recurrent network is another one once it is simplified."""

    def loss(w: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            new = jnp.tanh(w @ h + x)
            return new, new.sum()

        h, ys = lax.scan(step, jnp.zeros(4), xs)
        return (h**2).sum() + ys.mean()

    w = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)
    agree(jax.grad(loss, (0, 1)), w, X)
    agree(jax.vmap(jax.grad(loss), (0, None)), np.stack([w, w.T]), X)


def test_loops_within_loops_agree() -> None:
    """What leaves an inner loop makes more leave the outer one."""

    def function(x: Any) -> Any:
        def inner(carry: Any, row: Any) -> Any:
            a, b = carry
            return (a + row, b * row), jnp.sin(b)

        def outer(carry: Any, row: Any) -> Any:
            a, b = carry
            (a, b), ys = lax.scan(inner, (a, b), x + row)
            return (a, b), ys

        (a, _), _ = lax.scan(outer, (x[0], x[1]), x)
        return a

    found = agree(function, X)
    assert "sin" not in names(found)
    assert len(only(found, "scan").outputs) == 1


def test_what_is_the_same_in_each_step_is_computed_before() -> None:
    """A loop computes the sine of its weights in each step."""
    w = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)

    def scanned(w: Any, xs: Any) -> Any:
        step = lambda h, x: (jnp.tanh((jnp.sin(w) + w.T) @ h + x), None)  # noqa: E731
        return lax.scan(step, xs[0], xs)[0]

    found = agree(scanned, w, X)
    assert names(only(found, "scan").params["jaxpr"]) == ["dot_general", "add", "tanh"]

    def repeated(w: Any, x: Any) -> Any:
        return lax.while_loop(
            lambda h: jnp.sum(h) < jnp.sum(jnp.exp(w)), lambda h: h + jnp.abs(w[0]) + 1, x
        )

    loop = only(agree(repeated, w, X[0]), "while")
    assert "exp" not in names(loop.params["cond_jaxpr"])
    assert "abs" not in names(loop.params["body_jaxpr"])


def test_what_would_be_larger_stays_in_a_loop() -> None:
    """A loop reads a matrix from memory that is the sum of two rows."""

    def function(x: Any, y: Any) -> Any:
        step = lambda h, row: (h + (x[:, None] - y) * row, None)  # noqa: E731
        return lax.scan(step, jnp.zeros((40, 40)), x)[0]

    x = np.linspace(-1, 1, 40, dtype=np.float32)
    found = agree(function, x, x * 2)
    assert "sub" in names(only(found, "scan").params["jaxpr"])


def test_what_changes_stays_in_a_loop() -> None:
    """A random number is drawn once, before a loop, and not in each step."""

    def function(x: Any) -> Any:
        shape = jax.ShapeDtypeStruct((), jnp.float32)
        step = lambda h, row: (h + jax.pure_callback(np.sin, shape, x[0]), None)  # noqa: E731
        return lax.scan(step, x[0], x)[0]

    found = jax.make_jaxpr(jax.jit(function))(X[0])
    scan = only(simplify(found), "scan")
    assert "pure_callback" in names(scan.params["jaxpr"])
