# category: python-loop-on-tracer
import jax
import jax.numpy as jnp
from jax.scipy.stats import norm


def call_price(spot, strike, vol, maturity=1.0):
    d1 = (jnp.log(spot / strike) + 0.5 * vol**2 * maturity) / (vol * jnp.sqrt(maturity))
    return spot * norm.cdf(d1) - strike * norm.cdf(d1 - vol * jnp.sqrt(maturity))


vega = jax.grad(call_price, argnums=2)


def implied(quote, spot, strike):
    vol = 0.2
    while True:
        gap = call_price(spot, strike, vol) - quote
        if abs(gap) < 1e-5:  #! OAK201  #~ TracerBoolConversionError
            break
        vol = vol - gap / vega(spot, strike, vol)
    return vol


quotes = jnp.array([0.1, 0.12, 0.14])
print(jax.vmap(implied, in_axes=(0, None, None))(quotes, 1.0, 1.0))
