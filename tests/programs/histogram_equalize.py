# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def levels(image):
    low, high = map(float, (image.min(), image.max()))  #! OAK204  #~ ConcretizationTypeError
    return jnp.linspace(low, high, 5)


def equalize(image):
    edges = levels(image)
    bins = jnp.digitize(image, edges)
    return bins / bins.max()


augment = jax.vmap(equalize)
print(augment(jnp.arange(18.0).reshape(2, 3, 3)))
