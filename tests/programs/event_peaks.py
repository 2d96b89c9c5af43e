# category: dynamic-shape-op
import jax
import jax.numpy as jnp


def local_maxima(signal):
    left, mid, right = signal[:-2], signal[1:-1], signal[2:]
    return (mid > left) & (mid > right)


@jax.vmap
def first_peak(signal):
    (where,) = jnp.where(local_maxima(signal))  #! OAK210  #~ ConcretizationTypeError
    return where[0] + 1


print(first_peak(jnp.sin(jnp.arange(20.0)).reshape(2, 10)))
