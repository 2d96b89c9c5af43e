# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


def score(candidate, target):
    return -jnp.sum((candidate - target) ** 2)


def best_two(candidates, target):
    ranked = sorted(candidates, key=lambda c: score(c, target))  #! OAK203 #~ TracerBoolConversionError
    return ranked[-1], ranked[-2]


@jax.jit
def refine(candidates, target):
    names = sorted(candidates)
    a, b = best_two([candidates[n] for n in names], target)
    return 0.5 * (a + b)


pool = {"left": jnp.zeros(2), "right": jnp.ones(2), "up": jnp.array([0.0, 1.0])}
print(best_two(list(pool.values()), jnp.ones(2)))
print(refine(pool, jnp.array([0.9, 0.8])))
