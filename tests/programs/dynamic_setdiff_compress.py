# category: dynamic-shape-op
import jax
import jax.numpy as jnp


def unseen(pool, seen):
    return jnp.setdiff1d(pool, seen)  #! OAK210 12 #~ ConcretizationTypeError


def acquire(model, pool, seen):
    """Active learning: the most uncertain unseen point."""
    rest = unseen(pool, seen)
    uncertainty = jnp.abs(model(rest) - 0.5)
    return rest[jnp.argmin(uncertainty)]


def logistic(slope):
    return lambda x: jax.nn.sigmoid(slope * x)


pool, seen = jnp.arange(-3, 4), jnp.array([0, 1])
print(acquire(logistic(0.3), pool, seen))
step = jax.jit(lambda slope, pool, seen: acquire(logistic(slope), pool, seen))
print(step(0.3, pool, seen))
