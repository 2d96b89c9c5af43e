# category: clean/shape-mismatch
import operator
import unittest

import jax
import jax.numpy as jnp

prepare = operator.attrgetter("eval_shape")(jax)


class Reshape:
    def __init__(self, shape):
        self.shape = shape

    def __call__(self, x):
        return jnp.reshape(x, (1, *self.shape, -1))


class Invalid(unittest.TestCase):
    def test_sizes(self):
        def f():
            return Reshape([7])(jnp.ones([1, 2, 3]))

        with self.assertRaises(TypeError):
            prepare(f)

    def test_branches(self):
        def f(x):
            return jax.lax.while_loop(lambda x: x.all(), lambda x: not x, x)

        with self.assertRaisesRegex(Exception, "bool"):
            prepare(f, 1)


Invalid("test_sizes").test_sizes()
Invalid("test_branches").test_branches()
