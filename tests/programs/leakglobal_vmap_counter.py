# category: leak-global
import jax
import jax.numpy as jnp

evaluations = 0
worst = -jnp.inf


def objective(x):
    global evaluations, worst
    evaluations += 1
    value = jnp.sum(jnp.cos(x)) + 0.1 * jnp.sum(x**2)
    worst = jnp.maximum(worst, value)  #! OAK102
    return value


def random_search(key, n):
    xs = jax.random.uniform(key, (n, 2), minval=-3, maxval=3)
    values = jax.vmap(objective)(xs)
    return xs[jnp.argmin(values)]


print(random_search(jax.random.key(0), 8))
print(evaluations)
print(jnp.exp(worst))  #~ UnexpectedTracerError
