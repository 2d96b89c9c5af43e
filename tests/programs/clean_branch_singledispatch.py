# category: clean/python-branch-on-tracer
import functools

import jax
import jax.numpy as jnp


class Shape:
    def __init__(self, size):
        self.size = size


class Circle(Shape):
    pass


class Square(Shape):
    pass


@functools.singledispatch
def area(shape):
    """Python numbers come here: no shape of the project."""
    return shape * 2 if shape > 0 else 0


@area.register
def _(shape: Shape):
    return shape.size


@area.register
def _(shape: Circle):
    return jnp.pi * shape.size**2


@area.register(list)
@area.register(tuple)
def area_of_all(shapes):
    return sum(area(shape) for shape in shapes)


@jax.jit
def total(size):
    return area([Circle(size), Square(size), 3, (4,)])


print(total(2.0))
