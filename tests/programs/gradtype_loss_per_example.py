# category: gradient-type
"""A loss of optax gives one number for each example, also of a model of which nothing is known."""

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn

model = nn.Dense(3)


def per_example(params, x, labels):
    logits = model.apply(params, x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels)


def loss(params, x, labels):
    return jnp.mean(per_example(params, x, labels))


x, labels = jnp.ones((4, 5)), jnp.arange(4) % 3
params = model.init(jax.random.key(0), x)
print(jax.grad(loss)(params, x, labels))
print(jax.jit(jax.value_and_grad(per_example))(params, x, labels))  #! OAK601 #~ TypeError
