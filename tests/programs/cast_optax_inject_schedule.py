# category: scalar-cast-of-tracer
import math
from typing import Any, Callable, NamedTuple

import jax
import jax.numpy as jnp
import optax


class WarmupState(NamedTuple):
    step: jax.Array
    inner: Any


def cosine(step, total):
    return 0.5 * (1 + math.cos(math.pi * step / total))  #! OAK204 #~ ConcretizationTypeError


def scheduled(inner: optax.GradientTransformation, schedule: Callable[[Any], Any]):
    def init(params):
        return WarmupState(jnp.zeros((), jnp.int32), inner.init(params))

    def update(grads, state, params=None):
        grads, inner_state = inner.update(grads, state.inner, params)
        factor = schedule(state.step)
        grads = optax.tree_utils.tree_scale(factor, grads)
        return grads, state._replace(step=state.step + 1, inner=inner_state)

    return optax.GradientTransformation(init, update)


tx = optax.chain(optax.clip(1.0), scheduled(optax.sgd(0.1), lambda s: cosine(s, 10)))
params = {"w": jnp.ones(2)}
state = tx.init(params)


@jax.jit
def step(params, state):
    grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state


print(cosine(3, 10))
print(step(params, state)[0])
