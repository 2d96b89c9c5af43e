# category: boolean-mask-index
import jax
import jax.numpy as jnp


def residuals(theta, data):
    prediction = theta[0] * jnp.exp(-theta[1] * data["t"])
    return (prediction - data["y"])[data["valid"]]  #! OAK213  #~ NonConcreteBooleanIndexError


def gauss_newton(theta, data):
    r = residuals
    jacobian = jax.jacfwd(r)(theta, data)
    return theta - jnp.linalg.lstsq(jacobian, r(theta, data))[0]


data = {"t": jnp.arange(4.0), "y": jnp.ones(4), "valid": jnp.array([True, True, False, True])}
print(jax.jit(gauss_newton)(jnp.ones(2), data))
