# category: clean/gradient-type
"""Losses of optax that are one number: of one example, under vmap, along all axes, averaged."""

import jax
import jax.numpy as jnp
import optax


def of_one(w, x, label):
    return optax.softmax_cross_entropy_with_integer_labels(x @ w, label)


def over_all(w, x):
    return optax.softmax_cross_entropy(x @ w, jnp.full((4, 3), 0.1), axis=None)


def similar(w, x):
    return optax.cosine_distance(x @ w, jnp.ones(3), axis=-1).mean() + optax.l2_loss(w).sum()


def along_one(w, x):
    return optax.kl_divergence(jax.nn.log_softmax(x[0] @ w), jnp.full(3, 0.3))


w, x, labels = jnp.ones((5, 3)), jnp.ones((4, 5)), jnp.arange(4) % 3
print(jax.vmap(jax.grad(of_one), in_axes=(None, 0, 0))(w, x, labels))
for loss in (over_all, similar, along_one):
    print(jax.value_and_grad(loss)(w, x))
scores = optax.sigmoid_focal_loss(x @ w, jnp.ones(3), alpha=0.5)
print(scores - jnp.ones((4, 3)), optax.huber_loss(x[:, 0], delta=0.5) @ jnp.ones(4))
