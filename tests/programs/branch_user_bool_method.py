# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Bracket:
    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    def __gt__(self, tol):
        return self.hi - self.lo > tol

    def split(self, f):
        mid = 0.5 * (self.lo + self.hi)
        right = f(mid) < 0
        return Bracket(jnp.where(right, mid, self.lo), jnp.where(right, self.hi, mid))

    def tree_flatten(self):
        return (self.lo, self.hi), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


@jax.jit
def bisect(bracket):
    f = lambda x: x**2 - 2.0
    for _ in range(8):
        if bracket > 1e-3:  #! OAK201 12 #~ TracerBoolConversionError
            bracket = bracket.split(f)
    return bracket


print(bisect(Bracket(0.0, 2.0)).lo)
