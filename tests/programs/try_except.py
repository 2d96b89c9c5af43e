# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


def first_available(*candidates):
    for candidate in candidates:
        try:
            return candidate or jnp.zeros(())  #! OAK203  #~ TracerBoolConversionError
        except ValueError:
            continue
    return None


def loss(params, x):
    temperature = first_available(params["temperature"], params.get("fallback"))
    return jnp.sum(x / temperature)


print(jax.jit(jax.grad(loss))({"temperature": jnp.array(2.0), "fallback": 1.0}, jnp.ones(2)))
