"""Keys of numbered iterations that fixes make: each iteration draws other numbers then."""

from textwrap import dedent

import pytest
from fixing import HEAD, fix_text
from oakum_as_jax import oakum_as_jax

BEFORE = {
    "a scan over numbers": (
        """
        def f(key):
            def step(x, t):
                return x, jax.random.normal(key)
            return jax.lax.scan(step, 0.0, jnp.arange(3))[1]
        """,
        "jax.random.normal(jax.random.fold_in(key, t))",
    ),
    "numbers that have a name": (
        """
        def f(key):
            numbers = jnp.arange(3)
            def step(x, t):
                first, second = jax.random.split(key)
                return x, jax.random.normal(first) + jax.random.normal(second)
            return jax.lax.scan(step, 0.0, numbers)[1]
        """,
        "jax.random.split(jax.random.fold_in(key, t))",
    ),
    "numbers beside what else is gone over": (
        """
        def f(key):
            def step(x, inputs):
                t, y = inputs
                return x + y, jax.random.normal(key)
            return jax.lax.scan(step, 0.0, (jnp.arange(3), jnp.ones(3)))[1]
        """,
        "jax.random.normal(jax.random.fold_in(key, t))",
    ),
    "a number that has no name": (
        """
        def f(key):
            def step(x, _):
                return x, jax.random.normal(key)
            return jax.lax.scan(step, 0.0, jnp.arange(3))[1]
        """,
        "def step(x, i):",
    ),
    "a map": (
        """
        def f(key):
            return jax.lax.map(lambda n: jax.random.normal(key), jnp.arange(3))
        """,
        "jax.random.normal(jax.random.fold_in(key, n))",
    ),
    "lanes": (
        """
        def f(key):
            return jax.vmap(lambda n: jax.random.normal(key))(jnp.arange(3))
        """,
        "jax.random.normal(jax.random.fold_in(key, n))",
    ),
    "a seed that the body names": (
        """
        def f(key):
            def step(x, t):
                return x, jax.random.normal(jax.random.key(0))
            return jax.lax.scan(step, 0.0, jnp.arange(3))[1]
        """,
        "jax.random.normal(jax.random.fold_in(jax.random.key(0), t))",
    ),
    "a key of such a seed": (
        """
        def f(key):
            def step(i, rows):
                rng = jax.random.PRNGKey(1)
                return rows.at[i].set(jax.random.normal(rng))
            return jax.lax.fori_loop(0, 3, step, jnp.zeros(3))
        """,
        "rng = jax.random.fold_in(jax.random.PRNGKey(1), i)",
    ),
}


def drawn(text: str) -> list[float]:
    """What `f` of a program draws in three iterations."""
    names: dict[str, object] = {}
    with oakum_as_jax():
        exec(compile(text, "drawn.py", "exec"), names)
    rows = names["rows"]
    return [float(row) for row in rows]  # pyright: ignore


@pytest.mark.parametrize("case", BEFORE)
def test_each_iteration_makes_a_key_of_its_number(case: str) -> None:
    body, expected = BEFORE[case]
    text = f"{HEAD}{dedent(body).strip()}\n\n\nrows = f(jax.random.key(0))\n"
    assert len(set(drawn(text))) == 1
    after = fix_text(text).text
    assert expected in after
    assert len(set(drawn(after))) == 3
    again = fix_text(after)
    assert again.text == after
    assert not again.before


@pytest.mark.parametrize(
    "body",
    [
        """
        def f(key):
            def step(x, t):
                return x, jax.random.normal(key)
            return jax.lax.scan(step, 0.0, jnp.arange(0.0, 1.0, 0.1))[1]
        """,
        """
        def f(key):
            def step(x, t):
                t = t / 2
                return x, jax.random.normal(key) + t
            return jax.lax.scan(step, 0.0, jnp.arange(3))[1]
        """,
        """
        def f(key):
            def step(x, t):
                return x, jax.random.normal(key) + jax.random.uniform(key)
            return jax.lax.scan(step, 0.0, jnp.arange(3))[1]
        """,
        """
        def f(key):
            def step(x, t):
                return x, jax.random.normal(key)
            other = jax.lax.scan(step, 0.0, jnp.arange(3))[1]
            return other + jax.lax.scan(step, 1.0, jnp.arange(3))[1]
        """,
        """
        def f(key):
            return jax.vmap(lambda x: x + jax.random.normal(key))(jnp.ones(3))
        """,
    ],
    ids=["no whole numbers", "bound again", "two uses", "two loops", "no numbers"],
)
def test_what_is_no_number_makes_no_key(body: str) -> None:
    text = f"{HEAD}{dedent(body).strip()}\n\n\nrows = f(jax.random.key(0))\n"
    assert "fold_in" not in fix_text(text).text


@pytest.mark.parametrize(
    "wait", ["out.block_until_ready()", "jax.block_until_ready(out)", "jax.device_get(out)"]
)
def test_a_draw_that_is_only_waited_for_needs_no_key(wait: str) -> None:
    text = f"""{HEAD}def simulate(key, x):
    return x + jax.random.normal(key, x.shape)


def compare(key, x):
    out = simulate(key, x)
    {wait}
    for _ in range(10):
        out = simulate(key, x)
        {wait}
"""
    outcome = fix_text(text + "\n\ncompare(jax.random.key(0), jnp.ones(3))\n")
    assert outcome.before
    assert all(finding.fix is None for finding in outcome.before)
    read = text + "    return out\n" + "\n\ncompare(jax.random.key(0), jnp.ones(3))\n"
    assert any(finding.fix for finding in fix_text(read).before)
