# category: scalar-cast-of-tracer
import math

import jax
import jax.numpy as jnp
import optax


class Cosine:
    def __init__(self, base, steps):
        self.base, self.steps = base, steps

    def __call__(self, count):
        share = jnp.minimum(count / self.steps, 1.0)
        return self.base * 0.5 * (1 + math.cos(math.pi * share))  #! OAK204 #~ ConcretizationTypeError


def warmed(count):
    return 0.1 if count > 10 else 0.01  #! OAK201


fine = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(Cosine(0.1, 10)))
coarse = optax.adam(learning_rate=warmed)


def make_step(optimizer):
    @jax.jit
    def step(params, state):
        grads = jax.grad(lambda p: jnp.sum(p**2))(params)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state

    return step


params = jnp.ones(2)
print(make_step(fine)(params, fine.init(params)))
print(make_step(coarse)(params, coarse.init(params)))
