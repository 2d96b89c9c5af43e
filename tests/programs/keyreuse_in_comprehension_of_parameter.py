# category: silent/key-reuse
import jax


def init_layers(rng, sizes):
    glorot = jax.nn.initializers.glorot_normal()
    return [glorot(rng, shape) for shape in zip(sizes[:-1], sizes[1:])]  #! OAK401


def init_heads(rng, widths):
    return {name: jax.random.normal(rng, (width,)) for name, width in widths.items()}  #! OAK401
