# category: silent/donate-unusable
import jax
import jax.numpy as jnp

total = jax.jit(jnp.sum, donate_argnums=0)  #! OAK704
print(total(jnp.ones(6)))
