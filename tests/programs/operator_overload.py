# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Dual:
    def __init__(self, re, eps):
        self.re, self.eps = re, eps

    def tree_flatten(self):
        return (self.re, self.eps), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    def __mul__(self, other):
        return Dual(self.re * other.re, self.re * other.eps + self.eps * other.re)

    def __abs__(self):
        return self if self.re > 0 else Dual(-self.re, -self.eps)  #! OAK201  #~ TracerBoolConversionError


@jax.jit
def f(x):
    return abs(x * x).eps


print(f(Dual(jnp.array(2.0), jnp.array(1.0))))
