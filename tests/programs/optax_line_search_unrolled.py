# category: clean/irreversible-loop
import jax
import jax.numpy as jnp
import optax
from jax import lax


def settle(w):
    return lax.fori_loop(0, 4, lambda _, c: c / 2.0, w)


def energy(w, target):
    return jnp.sum((settle(w) - target) ** 2)


solver = optax.lbfgs()


@jax.jit
def step(w, state, target):
    gradient = optax.value_and_grad_from_state(lambda v: energy(v, target))
    value, slope = gradient(w, state=state)
    updates, state = solver.update(
        slope, state, w, value=value, grad=slope, value_fn=lambda v: energy(v, target)
    )
    return optax.apply_updates(w, updates), state


w = jnp.array([4.0, -3.0])
state = solver.init(w)
for _ in range(3):
    w, state = step(w, state, 0.3)
print(lax.while_loop(lambda c: c.max() > 0.1, lambda c: c / 2, w))
