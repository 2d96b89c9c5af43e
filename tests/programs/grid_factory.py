# category: traced-shape
import jax
import jax.numpy as jnp


def grid(spec):
    axes = [jnp.linspace(lo, hi, n) for lo, hi, n in spec]  #! OAK211  #~ ConcretizationTypeError
    return jnp.meshgrid(*axes, indexing="ij")


@jax.jit
def potential(spec):
    xs, ys = grid(spec)
    return xs**2 + ys**2


print(potential([(0.0, 1.0, 4), (-1.0, 1.0, 3)]))
