# category: silent/key-reuse
import jax
import jax.numpy as jnp

replay = jnp.arange(100)
first, second = jax.random.split(jax.random.key(4))
old = jax.random.choice(first, replay, (8,))
new = jax.random.choice(first, replay, (8,))  #! OAK401
count = jax.random.choice(second, 5)
index = jax.random.choice(second, replay)  #! OAK401
assert (old == new).all()
print(count, index)
