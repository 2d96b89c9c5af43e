# category: traced-slice-bound
import jax
import jax.numpy as jnp


@jax.jit
def prefix_loss(logits, targets, t):
    steps = slice(None, t)
    picked = jnp.take_along_axis(logits[steps], targets[:, None][steps], axis=1)  #! OAK214  #~ IndexError
    return -picked.mean()


print(prefix_loss(jnp.zeros((4, 3)), jnp.array([0, 1, 2, 0]), 2))
