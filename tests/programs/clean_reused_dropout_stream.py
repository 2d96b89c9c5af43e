# category: clean/key-reuse
"""Keys of streams from which nothing is drawn, or each for one call; `init` draws other numbers."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    rate: float = 0.5
    deterministic: bool | None = None

    @nn.compact
    def __call__(self, x, deterministic: bool | None = None):
        still = nn.merge_param("deterministic", self.deterministic, deterministic)
        x = nn.Dropout(self.rate, deterministic=still)(nn.Dense(8)(x))
        return nn.Dropout(self.rate, deterministic=still)(x)


key = jax.random.key(0)
model = Encoder()
x = jnp.ones((2, 8))
variables = model.init(key, x, deterministic=True)
first = model.apply(variables, x, deterministic=False, rngs={"dropout": key, "noise": key})


def predict(variables, x, train, key):
    return model.apply(variables, x, deterministic=not train, rngs={"dropout": key})


@jax.jit
def train_step(variables, x, key):
    def loss_of(variables):
        masked = model.apply(variables, x, deterministic=False, rngs={"dropout": key})
        return jnp.mean(masked**2)

    return jax.tree.map(lambda v, g: v - 0.1 * g, variables, jax.grad(loss_of)(variables))


@jax.jit
def consistency(variables, x, key):
    rngs = {"dropout": key}
    one = model.apply(variables, x, deterministic=False, rngs=rngs)
    other = model.apply(variables, x[::-1], deterministic=False, rngs=rngs)
    return jnp.mean((one - other) ** 2)


def unused(variables, x, key):
    one = model.apply(variables, x, deterministic=False, rngs={"dropout": key})
    return one + model.apply(variables, -x, deterministic=False, rngs={"dropout": key})


still_key, key = jax.random.split(jax.random.key(1))
for step in range(3):
    key, dropout_key = jax.random.split(key)
    variables = train_step(variables, x, dropout_key)
    x = predict(variables, x, False, still_key)
    x = Encoder(0.0).apply(variables, x, deterministic=False, rngs={"dropout": still_key})
    x = Encoder(deterministic=True).apply(variables, x, rngs={"dropout": still_key})
    mask_key = jax.random.fold_in(key, step)
    x = model.apply(variables, x, deterministic=False, rngs={"dropout": mask_key})
print(first, x, consistency(variables, x, jax.random.key(2)))
