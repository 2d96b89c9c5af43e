"""Lines that are aligned to a bracket stay so where a fix moves it."""

import pytest
from fixing import fixed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """return np.where(x > 0,
                    jnp.sin(x),
                    x)
    """,
            """return jnp.where(x > 0,
                     jnp.sin(x),
                     x)
    """,
        ),
        (
            """return np.where(x > 0, jnp.add(x,
                                   x),
                    x)
    """,
            """return jnp.where(x > 0, jnp.add(x,
                                    x),
                     x)
    """,
        ),
        (
            """return np.where(
        x > 0,
        jnp.sin(x),
        x,
    )
    """,
            """return jnp.where(
        x > 0,
        jnp.sin(x),
        x,
    )
    """,
        ),
        (
            """return np.where(x > 0,
        jnp.sin(x), x)
    """,
            """return jnp.where(x > 0,
        jnp.sin(x), x)
    """,
        ),
    ],
    ids=["aligned", "to the inner bracket", "no alignment", "a hanging line"],
)
def test_lines_go_with_their_bracket(before: str, after: str) -> None:
    head = "@jax.jit\ndef f(x):\n    "
    made = fixed(head + before.rstrip(), "f(jnp.ones(3))")
    assert made == head + after.rstrip()
