# category: non-jax-type-argument
import jax
import jax.numpy as jnp


class Shape:
    def __init__(self, kind, size):
        self.kind = kind
        self.size = size


class Box(Shape):
    def volume(self):
        return self.size**3


def box_of(length):
    return Box("box", 2.0 * length)


def volumes(lengths):
    return jax.vmap(box_of)(lengths).volume()  #! OAK305 #~ TypeError


print(volumes(jnp.arange(3.0)))
