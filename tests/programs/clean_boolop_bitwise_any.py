# category: clean/bool-op-on-tracer
import jax
import jax.numpy as jnp
from jax import lax


def in_set(x, values):
    hit = jnp.zeros(x.shape, bool)
    for v in values:
        hit |= x == v
    return hit


@jax.jit
def filter_tokens(tokens, banned=(0, 1)):
    bad = in_set(tokens, (0, 1)) | jnp.isin(tokens, jnp.array([5, 6]))
    ok = ~bad & (tokens < 10)
    smallest = jnp.minimum(tokens.min(), 3)
    best = sum([ok.sum(), smallest])
    first = lax.cond(ok.any() & (best > 0), lambda: best, lambda: -best)
    return ok, first, lax.select(ok, tokens, -tokens), jnp.stack([ok.all(), bad.any()]).any()


def report(tokens):
    ok, *_ = filter_tokens(tokens)
    return bool(ok.any()) and not bool(ok.all()) and max(tokens) > 2 and 0 in tokens


print(report(jnp.array([0, 5, 3])))
