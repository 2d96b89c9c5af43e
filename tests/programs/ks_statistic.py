# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
from scipy import stats


def log_prior(theta):
    return stats.norm.logpdf(theta, 0.0, 2.0).sum()  #! OAK208  #~ TracerArrayConversionError


def log_likelihood(theta, data):
    return -0.5 * jnp.sum((data - theta[0]) ** 2 * jnp.exp(theta[1]))


def posterior(theta, data):
    return log_prior(theta) + log_likelihood(theta, data)


score = jax.grad(posterior)
print(score(jnp.zeros(2), jnp.ones(5)))
