# pyright: basic
"""What control flow hands on is what it was given."""

from collections.abc import Callable
from typing import Any

import jax as real_jax
import numpy as np
import pytest

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


HANDING_ON: dict[str, Callable[[Any, Any], Any]] = {
    "astype": lambda jax, a: jax.numpy.astype(a, "float32"),
    "asarray": lambda jax, a: jax.numpy.asarray(a),
    "atleast_1d": lambda jax, a: jax.numpy.atleast_1d(a),
    "atleast_2d": lambda jax, a: jax.numpy.atleast_2d(a),
    "broadcast_arrays": lambda jax, a: jax.numpy.broadcast_arrays(a)[0],
    "broadcast_to": lambda jax, a: jax.numpy.broadcast_to(a, jax.numpy.shape(a)),
    "concatenate": lambda jax, a: jax.numpy.concatenate([a]),
    "convert_element_type": lambda jax, a: jax.lax.convert_element_type(a, "float32"),
    "expand_dims": lambda jax, a: jax.numpy.expand_dims(a, ()),
    "flatten": lambda jax, a: jax.numpy.asarray(a).flatten(),
    "hstack": lambda jax, a: jax.numpy.hstack([a]),
    "lax.broadcast": lambda jax, a: jax.lax.broadcast(a, ()),
    "lax.reshape": lambda jax, a: jax.lax.reshape(a, jax.numpy.shape(a)),
    "lax.squeeze": lambda jax, a: jax.lax.squeeze(a, ()),
    "moveaxis": lambda jax, a: jax.numpy.moveaxis(a, 0, 0),
    "pad": lambda jax, a: jax.numpy.pad(a, 0),
    "permute_dims": lambda jax, a: jax.numpy.permute_dims(a, range(jax.numpy.ndim(a))),
    "ravel": lambda jax, a: jax.numpy.ravel(a),
    "roll": lambda jax, a: jax.numpy.roll(a, 0),
    "rot90": lambda jax, a: jax.numpy.rot90(a, 0),
    "squeeze": lambda jax, a: jax.numpy.squeeze(a),
    "swapaxes": lambda jax, a: jax.numpy.swapaxes(a, 0, 0),
    "transpose": lambda jax, a: jax.numpy.transpose(a),
    "vstack": lambda jax, a: jax.numpy.vstack([a]),
    "zeros_like": lambda jax, a: jax.numpy.zeros_like(a),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", HANDING_ON)
def test_under_a_trace_the_same_is_handed_on_as_by_jax(name: str) -> None:
    """What comes out concrete may be asked for its numbers; what is staged may not."""
    given: list[Callable[[Any], Any]] = [
        lambda jax: 1.0,
        lambda jax: np.ones(3, np.float32),
        lambda jax: np.ones((2, 3), np.float32),
        lambda jax: jax.numpy.float32(1.0),
        lambda jax: jax.numpy.ones(3),
        lambda jax: jax.numpy.ones((2, 3)),
    ]
    ours, theirs = (
        [_handed_on(jax, HANDING_ON[name], make(jax)) for make in given]
        for jax in (oakum, real_jax)
    )
    assert ours == theirs


def _handed_on(jax: Any, function: Callable[[Any, Any], Any], operand: Any) -> str:
    kinds: list[str] = []

    def traced(x: Any) -> Any:
        result = function(jax, operand)
        staged = isinstance(result, jax.core.Tracer)
        kinds.append("staged" if staged else "itself" if result is operand else "concrete")
        return x

    try:
        jax.jit(traced)(1.0)
    except (IndexError, TypeError, ValueError):
        return "refused"
    return kinds[0]
