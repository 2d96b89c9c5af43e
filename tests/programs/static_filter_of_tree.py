# category: traced-static-argument
import equinox as eqx
import jax
import jax.numpy as jnp


@jax.jit
def descend(params, trained, rate):
    free, fixed = eqx.partition(params, filter_spec=trained)  #! OAK212 #~ ValueError

    def loss(free):
        (slope, offset), target = eqx.combine(free, fixed)
        return (2.0 * slope + offset - target) ** 2

    slopes = jax.grad(loss)(free)
    return eqx.combine(jax.tree.map(lambda p, g: p - rate * g, free, slopes), fixed)


print(descend(((jnp.ones(()), jnp.zeros(())), jnp.ones(())), ((True, False), False), 0.1))
