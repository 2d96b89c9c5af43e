# category: silent/key-reuse
"""Calls of a module that are given one key for the same stream draw the same masks."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    rate: float = 0.5

    @nn.compact
    def __call__(self, x, train: bool = True):
        return nn.Dropout(self.rate, deterministic=not train)(nn.Dense(8)(x))


model = Encoder()
x = jnp.ones((2, 8))
init_key, mask_key, loop_key, noise_key, key = jax.random.split(jax.random.key(0), 5)
variables = model.init({"params": init_key, "dropout": init_key}, x)
apply = jax.jit(model.apply, static_argnames="train")


@jax.jit
def train_step(variables, x, dropout_key):
    def loss_of(variables):
        return jnp.mean(model.apply(variables, x, rngs={"dropout": dropout_key}) ** 2)

    return jax.tree.map(lambda v, g: v - 0.1 * g, variables, jax.grad(loss_of)(variables))


def evaluate(state, x, key):
    total = 0.0
    for _ in range(3):
        total += state["apply_fn"](state["variables"], x, rngs={"dropout": key}).sum()  #! OAK401
    return total


one = model.apply(variables, x, True, rngs={"dropout": mask_key})
two = apply(variables, x, train=True, rngs={"dropout": mask_key})  #! OAK401
for _ in range(4):
    variables = train_step(variables, x, loop_key)  #! OAK401
x = x + jax.random.normal(noise_key, x.shape)
three = model.apply(variables, x, rngs={"dropout": noise_key})  #! OAK401
print(one, three.shape, evaluate({"apply_fn": apply, "variables": variables}, x, key))
assert jnp.allclose(one, two)
