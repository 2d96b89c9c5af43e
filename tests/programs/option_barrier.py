# category: python-branch-on-tracer
"""Monte-Carlo price of a knock-out option."""
import jax
import jax.numpy as jnp

RATE, VOL = 0.03, 0.2


def path(key, spot, n):
    z = jax.random.normal(key, (n,))
    dt = 1.0 / n
    increments = (RATE - 0.5 * VOL**2) * dt + VOL * jnp.sqrt(dt) * z
    return spot * jnp.exp(jnp.cumsum(increments))


def payoff(prices, *, strike, barrier):
    knocked = (prices > barrier).any()
    value = jnp.maximum(prices[-1] - strike, 0.0)
    for test, result in ((knocked, 0.0), (None, value)):
        if test is None:
            return result
        if test:  #! OAK201  #~ TracerBoolConversionError
            return result


def price(key, spot, paths=8):
    keys = jax.random.split(key, paths)
    one = lambda k: payoff(path(k, spot, 5), strike=1.0, barrier=1.4)
    return jnp.exp(-RATE) * jnp.mean(jax.lax.map(one, keys))


print(jax.jit(price, static_argnames="paths")(jax.random.key(1), 1.0))
