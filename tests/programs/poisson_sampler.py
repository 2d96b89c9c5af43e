# category: python-loop-on-tracer
import jax
import jax.numpy as jnp


def knuth(key, rate):
    """Knuth's multiplication method."""
    bound = jnp.exp(-rate)
    product, draws = 1.0, -1
    while product > bound:  #! OAK202  #~ TracerBoolConversionError
        key, sub = jax.random.split(key)
        product = product * jax.random.uniform(sub)
        draws += 1
    return draws


def sample_counts(key, rates):
    keys = jax.random.split(key, rates.size)
    return jnp.stack([knuth(k, r) for k, r in zip(keys, rates)])


compiled = {"counts": jax.jit(sample_counts)}
print(compiled["counts"](jax.random.key(0), jnp.array([0.5, 2.0])))
