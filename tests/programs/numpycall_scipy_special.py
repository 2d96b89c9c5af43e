# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as onp
from jax.scipy.special import gammaln


def poisson_logpmf(k, rate):
    return k * jnp.log(rate) - rate - gammaln(k + 1.0)


def zero_inflated(k, rate, pi):
    base = poisson_logpmf(k, rate)
    return jnp.where(k == 0, onp.logaddexp(jnp.log(pi), base), base)  #! OAK208 30 #~ TracerArrayConversionError


@jax.jit
def total(counts, params):
    lp = jax.vmap(lambda k: zero_inflated(k, params["rate"], params["pi"]))(counts)
    return lp.sum()


print(total(onp.array([0.0, 1.0, 4.0]), {"rate": 1.5, "pi": 0.2}))
