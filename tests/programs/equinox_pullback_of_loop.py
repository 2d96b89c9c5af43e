# category: irreversible-loop
import equinox as eqx
import jax.numpy as jnp
from jax import lax


def root(a):
    def far(carry):
        return jnp.abs(carry[0] - carry[1]) > 1e-5

    def newton(carry):
        return carry[1], 0.5 * (carry[1] + a / carry[1])

    return lax.while_loop(far, newton, (a + 1.0, a))[1]  #! OAK604


value, pull = eqx.filter_vjp(root, jnp.array(2.0))
(slope,) = pull(jnp.array(1.0))  #~ ValueError
print(value, slope)
