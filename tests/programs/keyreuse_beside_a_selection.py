# category: silent/key-reuse
import jax
import jax.numpy as jnp


def jump(key, x, scale):
    step = jax.random.uniform(key, x.shape)
    accept = jax.random.uniform(key, x.shape)  #! OAK401
    return jnp.where(accept < 0.5, x + scale * step, x)


def proposed(key, x):
    small = jnp.stack([x, jax.random.normal(key, x.shape)])
    large = jnp.stack([x, jax.random.uniform(key, x.shape)])  #! OAK401
    return jnp.where(x > 0, small[1], large[1]), jnp.where(x > 1, small[0], large[0])


def mirrored(key, flag, x):
    left = jax.random.normal(key, x.shape)
    right = jax.random.uniform(key, x.shape)  #! OAK401
    return jnp.where(flag, left, right) - jnp.where(flag, right, left)


def rectified(key, x):
    left = {"x": jax.random.normal(key, x.shape)}
    right = {"x": jax.random.uniform(key, x.shape)}  #! OAK401
    return jax.tree.map(lambda a, b: jnp.where(a > 0, a, b), left, right)


print(rectified(jax.random.key(3), jnp.zeros(3)))
print(mirrored(jax.random.key(2), True, jnp.zeros(3)))
print(proposed(jax.random.key(1), jnp.zeros(3)))
moved = jump(jax.random.key(0), jnp.zeros(200), 0.1)
assert moved.max() < 0.05
