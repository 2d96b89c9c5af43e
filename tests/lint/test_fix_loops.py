"""Loops that fixes meet: what becomes a loop of JAX, and what stays one of Python."""

from textwrap import dedent

import pytest
from fixing import fixed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            total = 0.0
            # rounds
            for i in range(1, n):
                # in each
                step = x * i
                total = total + step  # sum
            return total
            """,
            """
            total = 0.0
            # rounds

            def body(i, total):
                # in each
                step = x * i
                total = total + step  # sum
                return total

            total = jax.lax.fori_loop(1, n, body, total)
            return total
            """,
            id="for",
        ),
        pytest.param(
            """
            while x > 1 and n > 0:
                x, n = x / 2, n - 1
            return x
            """,
            """
            def condition(carry):
                x, n = carry
                return (x > 1) & (n > 0)

            def body(carry):
                x, n = carry
                x, n = x / 2, n - 1
                return x, n

            x, n = jax.lax.while_loop(condition, body, (x, n))
            return x
            """,
            id="while",
        ),
        pytest.param(
            """
            before, total = 0.0, 0.0
            while x > 1:
                total = x + before
                before = x
                x = x / 2
            return total
            """,
            """
            before, total = 0.0, 0.0

            def condition(carry):
                total, before, x = carry
                return x > 1

            def body(carry):
                total, before, x = carry
                total = x + before
                before = x
                x = x / 2
                return total, before, x

            total, before, x = jax.lax.while_loop(condition, body, (total, before, x))
            return total
            """,
            id="a name that is read before it is bound",
        ),
        pytest.param(
            """
            while (
                x > 1  # so far
                and n
            ):
                # once
                x, n = x / 2, n - 1
            return x
            """,
            """
            def condition(carry):
                x, n = carry
                return jnp.logical_and(x > 1, n)

            def body(carry):
                x, n = carry
                # once
                x, n = x / 2, n - 1
                return x, n

            x, n = jax.lax.while_loop(condition, body, (x, n))  # so far
            return x
            """,
            id="a header of several lines",
        ),
        pytest.param(
            """
            while n:
                x, n = x / 2, n - 1
            return x
            """,
            """
            def condition(carry):
                x, n = carry
                return n != 0

            def body(carry):
                x, n = carry
                x, n = x / 2, n - 1
                return x, n

            x, n = jax.lax.while_loop(condition, body, (x, n))
            return x
            """,
            id="while a number is not zero",
        ),
    ],
)
def test_loops_become_loops_of_jax(before: str, after: str) -> None:
    program = "\n".join(
        ["def g(x, n):", *(f"    {s}" for s in dedent(before).strip().splitlines())]
    )
    result = fixed(program, "jax.vmap(g)(jnp.ones(2), jnp.array([1, 2]))")
    expected = [f"    {s}" if s else "" for s in dedent(after).strip().splitlines()]
    assert result.splitlines()[1:] == expected


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(n):\n    if i > 2:\n        break\nreturn x",
        "seen = []\nfor i in range(n):\n    seen.append(x * i)\nreturn seen",
        "for i in range(n):\n    last = x * i\nreturn last",
        "for i in range(n):\n    x = x + i\nreturn x * i",
    ],
    ids=["break", "a list", "no value before", "the counter afterwards"],
)
def test_loops_that_do_more_are_left_alone(body: str) -> None:
    program = "\n".join(["def g(x, n):", *(f"    {line}" for line in body.splitlines())])
    assert fixed(program, "jax.vmap(g)(jnp.ones(2), jnp.array([1, 2]))") == program


@pytest.mark.parametrize("mapped", ["jax.jit(jax.grad(g))(1.0, 2)", "jax.grad(jax.jit(g))(1.0, 2)"])
def test_loops_that_a_gradient_goes_through_are_left_alone(mapped: str) -> None:
    """Backwards it cannot go through a loop of JAX without a fixed number of iterations."""
    loop = "def g(x, n):\n    for i in range(n):\n        x = x * x\n    return x"
    assert "fori_loop" not in fixed(loop, mapped)
