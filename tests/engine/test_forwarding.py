# pyright: basic
"""What control flow hands on is what it was given."""

from typing import Any

import oakum


def test_what_branches_hand_on_is_what_was_given() -> None:
    """Under vmap too: what is not mapped is no copy; where operations are recorded, a tracer is."""
    jnp, lax = oakum.numpy, oakum.lax
    kinds: list[type] = []

    def function(x: Any, y: Any) -> Any:
        return lax.cond(x < 3, lambda x, y: (x * 2, y), lambda x, y: (x * 3, y), x, y)

    given = jnp.array(3.0)
    mapped = oakum.vmap(function, in_axes=(0, None), out_axes=(0, None))
    assert mapped(jnp.arange(3), given)[1] is given
    oakum.jit(lambda x: kinds.append(type(function(x, given)[1])))(1)
    assert issubclass(kinds[0], oakum.core.Tracer)
