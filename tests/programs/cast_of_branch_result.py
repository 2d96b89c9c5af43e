# category: cast
import jax
import jax.numpy as jnp

CLIPPED = False


def price(strike, spot):
    payoff, weight = jax.lax.cond(
        CLIPPED, lambda pair: (jnp.zeros(3), 0.5), lambda pair: pair, (spot - strike, strike)
    )
    print(f"weight {float(weight):.2f}")  #! OAK204 #~ ConcretizationTypeError
    return weight * jnp.sum(payoff)


print(jax.grad(price)(1.5, jnp.arange(3.0)))
