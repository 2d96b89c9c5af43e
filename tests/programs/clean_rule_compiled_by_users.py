# category: clean/python-branch-on-tracer
import functools
import sys

import jax
import jax.numpy as jnp


@functools.partial(jax.custom_vjp, nondiff_argnums=(2,))
def soft_threshold(x, level, order: int = 2):
    kept = jnp.sign(x) * jnp.maximum(jnp.abs(x) - level, 0.0)
    if order > 2:
        kept = kept * jnp.abs(x)
    return kept


def _threshold_fwd(x, level, order):
    return soft_threshold(x, level, order), (x, level)


def _threshold_bwd(order, kept, g):
    x, level = kept
    return g * (jnp.abs(x) > level) * order, jnp.zeros_like(level)


soft_threshold.defvjp(_threshold_fwd, _threshold_bwd)


@jax.custom_jvp
def harmonic(x, weights=None):
    if weights is None:
        return 1.0 / jnp.mean(1.0 / x)
    return jnp.sum(weights) / jnp.sum(weights / x)


@harmonic.defjvp
def _harmonic_jvp(primals, tangents):
    x, weights = primals
    value = harmonic(x, weights)
    return value, value * jnp.sum(tangents[0])


def main(name):
    chosen = getattr(sys.modules[__name__], name)
    transform = getattr(jax, "".join(["j", "it"]))
    print(transform(lambda x: chosen(x, 0.1, 3))(jnp.arange(3.0)))
    print(transform(harmonic)(jnp.arange(1.0, 3.0)))


main("_".join(["soft", "threshold"]))
