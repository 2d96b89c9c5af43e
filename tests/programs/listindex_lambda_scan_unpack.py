# category: list-index-by-tracer
import jax
from jax import numpy as jnp, tree_util as jtu


def make_stages(widths):
    return [jnp.ones((n, m)) / n for n, m in zip(widths[:-1], widths[1:])]


def apply_stage(stages, i, x):
    return jnp.tanh(x @ stages[i])  #! OAK206 32 #~ TracerIntegerConversionError


stages = make_stages((2, 2, 2))
by_hand = apply_stage(stages, 1, apply_stage(stages, 0, jnp.ones(2)))
assert jtu.tree_all(jtu.tree_map(lambda a: a.shape == (2, 2), stages))
print(by_hand)
out, _ = jax.lax.scan(lambda x, i: (apply_stage(stages, i, x), None), jnp.ones(2), jnp.arange(len(stages)))
print(out)
