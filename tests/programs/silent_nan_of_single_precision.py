# category: silent/nan-gradient
"""Single precision takes nothing as small as 1e-8 from one: such bounds are the edge itself, also
behind a sum, and such an epsilon is lost in one.
"""

import jax
import jax.numpy as jnp


def cross_entropy(logits, labels):
    p = jnp.clip(jax.nn.sigmoid(logits), 1e-8, 1 - 1e-8)
    return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))  #! OAK602


def angle(cosine):
    return jnp.arccos(jnp.clip(cosine, -1.0 + 1e-9, 1.0 - 1e-9))  #! OAK602


def sine(cosine):
    cosine = jnp.minimum(cosine, 1.0)
    return jnp.sqrt(1.0 - cosine**2)  #! OAK602


def log_of_rest(logits):
    dropped = jax.nn.sigmoid(logits)
    return jnp.log1p(-dropped + 1e-8).sum()  #! OAK602


assert jnp.isnan(jax.grad(cross_entropy)(jnp.array([40.0]), jnp.ones(1))).any()
assert not jnp.isfinite(jax.grad(angle)(1.0))
assert jnp.isnan(jax.grad(sine)(1.5))
assert jnp.isnan(jax.grad(log_of_rest)(jnp.array([40.0]))).any()
