# category: silent/leak-metadata
import jax
import jax.numpy as jnp
from jax.tree_util import GetAttrKey, register_pytree_with_keys_class


@register_pytree_with_keys_class
class Spline:
    def __init__(self, knots, slope, degree=3):
        self.knots = knots
        self.slope = slope
        self.degree = degree

    def tree_flatten_with_keys(self):
        return ((GetAttrKey("knots"), self.knots),), (self.slope, self.degree)

    def tree_flatten(self):
        return (self.knots,), (self.slope, self.degree)

    @classmethod
    def tree_unflatten(cls, metadata, children):
        return cls(children[0], *metadata)


def fit(xs, ys):
    slope = jnp.diff(ys) / jnp.diff(xs)
    return {"spline": [Spline(ys, slope)], "error": jnp.var(ys)}  #! OAK106


fitted = jax.jit(fit)(jnp.arange(4.0), jnp.arange(4.0) ** 2)
assert isinstance(fitted["spline"][0].slope, jax.core.Tracer)
