# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.custom_jvp
def safe_sqrt(x):
    return jnp.sqrt(jnp.maximum(x, 0.0))


@safe_sqrt.defjvp
def _(primals, tangents):
    (x,), (t,) = primals, tangents
    y = safe_sqrt(x)
    return y, t / (2 * y) if y > 0 else jnp.zeros_like(t)  #! OAK201 #~ TracerBoolConversionError


print(jax.grad(safe_sqrt)(4.0))
print(jax.vmap(jax.grad(safe_sqrt))(jnp.array([0.0, 4.0])))
