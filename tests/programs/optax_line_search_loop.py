# category: irreversible-loop
import jax
import jax.numpy as jnp
import optax
from jax import lax


def settle(w):
    """Halves until the largest entry is below one."""
    return lax.while_loop(lambda c: jnp.abs(c).max() > 1.0, lambda c: c / 2.0, w)  #! OAK604


def energy(w):
    return jnp.sum((settle(w) - 0.3) ** 2)


solver = optax.lbfgs()
gradient = optax.value_and_grad_from_state(energy)


@jax.jit
def step(w, state):
    value, slope = gradient(w, state=state)  #~ ValueError
    updates, state = solver.update(
        slope, state, w, value=value, grad=slope, value_fn=energy
    )
    return optax.apply_updates(w, updates), state


w = jnp.array([4.0, -3.0])
state = solver.init(w)
for _ in range(3):
    w, state = step(w, state)
