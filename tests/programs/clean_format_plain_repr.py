# category: clean/format-of-tracer
import jax
import jax.numpy as jnp


class Named:
    def __init__(self, value, name):
        self.value, self.name = value, name

    def __format__(self, spec):
        return f"{self.name}{spec}"

    def __repr__(self):
        return f"Named({self.name}, {self.value})"


@jax.jit
def tagged(x, scale=0.125):
    label = f"{Named(x, 'x'):>4} {scale:.3f} {x.shape[0]:03d}"
    text = "%s at %r with %d entries" % (label, x.dtype, x.size)
    text += "{0!s:.10} {1}".format(x, x.aval.str_short())
    with jax.named_scope(f"block_{len(text) % 2:d}"):
        return x * scale


print(f"{float(tagged(jnp.ones(2)).sum()):.2f}", repr(Named(1, "n")))
