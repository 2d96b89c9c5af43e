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

third, fourth = jax.random.split(jax.random.key(5))
free = jnp.array([0.5, 0.5, 0.0, 0.0])
start = jax.random.choice(third, jnp.arange(4), p=free)
end = jax.random.choice(third, jnp.arange(10, 14), p=1 - free)  #! OAK401
some = jax.random.choice(fourth, jnp.arange(4), (2,))
more = jax.random.choice(fourth, jnp.arange(4, 8), (3,))  #! OAK401
