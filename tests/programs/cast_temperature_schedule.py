# category: scalar-cast-of-tracer
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp
import optax


class AnnealState(NamedTuple):
    count: jax.Array
    temperature: float


def anneal(schedule: Callable) -> optax.GradientTransformation:
    def init_fn(params):
        del params
        return AnnealState(jnp.zeros([], jnp.int32), 1.0)

    def update_fn(updates, state, params=None):
        del params
        temperature = float(schedule(state.count))  #! OAK204 29 #~ ConcretizationTypeError
        updates = jax.tree.map(lambda u: u / temperature, updates)
        return updates, AnnealState(state.count + 1, temperature)

    return optax.GradientTransformation(init_fn, update_fn)


tx = optax.chain(anneal(optax.exponential_decay(1.0, 10, 0.5)), optax.scale(-0.1))
params = {"w": jnp.ones(3)}


@jax.jit
def train_step(params, opt_state):
    grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state


print(train_step(params, tx.init(params))[0])
