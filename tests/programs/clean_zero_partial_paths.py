# category: clean/zero-gradient
import jax
import jax.numpy as jnp


def loss(params, x):
    hidden = x @ params["w"]
    gate = (hidden > 0).astype(jnp.float32)
    rounded = jnp.round(hidden)
    return jnp.sum(gate * hidden) + jnp.sum(rounded)


def ordered(x):
    return jnp.sum(x[jnp.argsort(x)] * jnp.floor(x))


print(jax.grad(loss)({"w": jnp.ones(3)}, jnp.ones((2, 3))))
print(jax.grad(ordered)(jnp.ones(3)), jax.jit(jnp.round)(1.5))
