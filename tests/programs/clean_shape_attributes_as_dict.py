# category: clean/traced-shape
import jax
import jax.numpy as jnp


class Options:
    depth = 2
    width = 3

    def __init__(self, rate, **given):
        self.rate = rate
        self.__dict__.update(given)

    def replaced(self, **given):
        return Options(**{**vars(self), **given})


class Visitor:
    """Each kind of node has its method."""

    def visit(self, kind, x):
        method = getattr(self, f"visit_{kind.lower()}", None)
        return x if method is None else method(x)

    def visit_double(self, x):
        return x * 2

    def visit_test(self, x):
        return float(x)


@jax.jit
def stacked(x, rate):
    options = Options(rate, depth=3).replaced(rate=rate * 2, width=x.shape[0])
    for _ in range(options.depth):
        x = jnp.sin(x) * options.rate
    shape = {**vars(options), "rate": 0}
    return x + jnp.zeros(shape["width"])


@jax.jit
def visited(x):
    return Visitor().visit("Double", x) + Visitor().visit("other", x)


print(stacked(jnp.ones(2), 0.5), visited(1.0))
