# category: clean/list-index-by-tracer
import jax
import jax.numpy as jnp
from functools import partial


def affine(scale, shift, x):
    return scale * x + shift


BRANCHES = [partial(affine, 1.0, 0.0), partial(affine, 2.0, 1.0), jnp.sin]


class Router:
    def __init__(self, branches):
        self.branches = tuple(branches)
        self.names = [getattr(b, "__name__", f"affine{i}") for i, b in enumerate(branches)]

    def __getitem__(self, index):
        """Traced indexes select by lax.switch, Python ones from the tuple."""
        if isinstance(index, int):
            return self.branches[index]
        return lambda x: jax.lax.switch(index, self.branches, x)

    def __len__(self):
        return len(self.branches)


router = Router(BRANCHES)


@jax.jit
def route(index, x):
    y = router[index](x)
    for i in range(len(router)):
        y = y + 0.0 * router[i](x)
    return y + router[len(router) - 1](x)


print(route(1, jnp.ones(2)), router.names)
