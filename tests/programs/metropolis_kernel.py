# category: python-branch-on-tracer
import functools

import jax
import jax.numpy as jnp


def log_density(theta):
    return -0.5 * jnp.sum(theta**2) + jnp.log1p(jnp.cos(theta[0]) ** 2)


def metropolis(log_p, scale):
    def kernel(carry, key):
        theta, logp = carry
        propose, accept = jax.random.split(key)
        candidate = theta + scale * jax.random.normal(propose, theta.shape)
        new_logp = log_p(candidate)
        log_u = jnp.log(jax.random.uniform(accept))
        match log_u < new_logp - logp:
            case True:  #? OAK201
                theta, logp = candidate, new_logp
            case _:
                pass
        return (theta, logp), theta

    return kernel


def assert_finite(value, what):
    assert jnp.isfinite(value), f"{what} is not finite"  #! OAK201  #~ TracerBoolConversionError
    return value


def run(log_p, theta, key, steps):
    kernel = metropolis(log_p, 0.3)
    start = (theta, assert_finite(log_p(theta), "initial density"))
    return jax.lax.scan(kernel, start, jax.random.split(key, steps))


sampler = jax.vmap(functools.partial(run, log_density, steps=4))
print(sampler(jnp.zeros((2, 3)), jax.random.split(jax.random.key(0), 2)))
