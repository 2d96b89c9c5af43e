# category: clean/control-flow
import equinox.internal as eqxi
import jax
import jax.numpy as jnp


def decay(amount):
    """A loop of Equinox keeps checkpoints, and a gradient goes back through it."""
    return eqxi.while_loop(
        lambda carry: carry[0] < 3,
        lambda carry: (carry[0] + 1, carry[1] * 0.5),
        (0, amount),
        kind="checkpointed",
        max_steps=4,
    )[1].sum()


print(jax.grad(decay)(jnp.ones(2)))
