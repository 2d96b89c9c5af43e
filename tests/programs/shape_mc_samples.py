# category: traced-shape
import jax
import jax.numpy as jnp
from jax import random


def sample_posterior(key, mean, std, num):
    eps = random.normal(key, (num,) + mean.shape)  #! OAK211 #~ TypeError
    return mean + std * eps


def elbo(params, key, num_samples=4):
    z = sample_posterior(key, params["mean"], jnp.exp(params["log_std"]), num_samples)
    log_p = -0.5 * jnp.sum(z**2, -1)
    entropy = params["log_std"].sum()
    return log_p.mean() + entropy


params = {"mean": jnp.zeros(2), "log_std": jnp.zeros(2)}
key = random.key(0)
print(jax.jit(elbo)(params, key))
grad = jax.jit(jax.grad(elbo))
print(grad(params, key, num_samples=8))
