# category: format-of-tracer
import jax
import jax.numpy as jnp


def describe(name, value, spec="8.3f"):
    return name.rjust(6) + format(value, spec)  #! OAK217  #~ TypeError


@jax.jit
def sharpe(returns):
    ratio = returns.mean() / returns.std()
    describe("sharpe", ratio)
    return ratio


print(sharpe(jnp.array([0.01, -0.02, 0.03])))
