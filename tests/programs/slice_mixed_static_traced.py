# category: traced-slice-bound
import jax
import jax.numpy as jnp


def lagged(x, lag):
    """Pairs (x[t], x[t + lag])."""
    return x[:-lag], x[lag:]  #! OAK214 #~ IndexError


def autocorrelation(x, lags):
    x = x - x.mean()

    def one(lag):
        a, b = lagged(x, lag)
        return jnp.vdot(a, b) / jnp.vdot(x, x)

    return jax.vmap(one)(lags)


x = jnp.array([1.0, 2.0, 0.5, 1.5])
print([u.shape for u in lagged(x, 1)])
print(autocorrelation(x, jnp.arange(1, 3)))
