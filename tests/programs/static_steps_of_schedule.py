# category: traced-static-argument
import jax
import jax.numpy as jnp
import optax


@jax.jit
def rate_at(step, total, peak):
    warm = optax.linear_schedule(0.0, peak, 10)
    cosine = optax.cosine_decay_schedule(peak, total)  #! OAK212 #~ TracerBoolConversionError
    return jnp.where(step < 10, warm(step), cosine(step - 10))


print(rate_at(20, 100, 0.1))
