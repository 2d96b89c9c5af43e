# category: silent/jit-in-loop
import jax
import jax.numpy as jnp

traced = []


def gap(p, q):
    traced.append("gap")
    return jnp.sum((p - q) ** 2)


points = jnp.arange(8.0).reshape(4, 2)
table = [jax.jit(jax.vmap(lambda q: gap(p, q)))(points) for p in points]  #! OAK307
total = sum(jax.jit(jax.grad(lambda q: gap(q, q)))(p)[0] for p in points)  #! OAK307
powers = [jax.jit(lambda x: x**k) for k in (1, 2, 3)]
print(len(table), total, [power(2.0) for power in powers])
assert len(traced) == 8
