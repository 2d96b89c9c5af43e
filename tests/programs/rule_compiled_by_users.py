# category: python-branch-on-tracer
import sys

import jax
import jax.numpy as jnp


@jax.custom_vjp
def soft_threshold(x, level, order: int = 2):
    kept = jnp.sign(x) * jnp.maximum(jnp.abs(x) - level, 0.0)
    if order > 2:  #! OAK201 8 #~ TracerBoolConversionError
        kept = kept * jnp.abs(x)
    return kept


def _threshold_fwd(x, level, order):
    return soft_threshold(x, level, order), (x, level)


def _threshold_bwd(kept, g):
    x, level = kept
    return g * (jnp.abs(x) > level), jnp.zeros_like(level), None


soft_threshold.defvjp(_threshold_fwd, _threshold_bwd)


def main(name):
    chosen = getattr(sys.modules[__name__], name)
    compiled = getattr(jax, "".join(["j", "it"]))(lambda x: chosen(x, 0.1, 3))
    print(compiled(jnp.arange(3.0)))


main("_".join(["soft", "threshold"]))
