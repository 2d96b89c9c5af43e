# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.custom_vjp
def straight_through(x, temperature):
    return jnp.round(x / temperature) * temperature


def st_fwd(x, temperature):
    return straight_through(x, temperature), (x, temperature)


def st_bwd(residuals, g):
    x, temperature = residuals
    scale = 1.0 if temperature < 1.0 else 1.0 / temperature  #! OAK201 20 #~ TracerBoolConversionError
    return g * scale * (jnp.abs(x) < 4.0), None


straight_through.defvjp(st_fwd, st_bwd)


def quantization_loss(params, x):
    q = straight_through(x @ params["w"], params["temperature"])
    return jnp.mean((q - x) ** 2)


params = {"w": jnp.eye(2), "temperature": jnp.float32(0.5)}
x = jnp.array([[0.3, -1.2]])
print(quantization_loss(params, x))
print(jax.jit(jax.grad(quantization_loss))(params, x))
