# category: clean/python-branch-on-tracer
"""Arguments that are not passed keep their Python default, also under jit."""

import jax
import jax.numpy as jnp


@jax.jit
def norm(x, order=2, eps=None):
    if order == 2:
        out = jnp.sqrt(jnp.sum(x**2))
    else:
        out = jnp.sum(jnp.abs(x) ** order) ** (1 / order)
    if eps is None:
        return out
    return out + eps


def scaled(x, **options):
    if options.get("center", True):
        x = x - x.mean()
    return norm(x) if not options else norm(x, eps=options["eps"])


print(norm(jnp.ones(4)), jax.jit(scaled)(jnp.ones(3), eps=1e-3), scaled(jnp.ones(2)))
