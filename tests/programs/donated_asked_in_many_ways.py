# category: use-after-donate
import jax
import jax.numpy as jnp

advance = jax.jit(lambda field, rate: field * rate, donate_argnums=0)
field = jnp.linspace(0.0, 1.0, 6)
kept = field
field = advance(field, 0.5)
print(kept.shape, kept.dtype, kept.is_deleted(), jax.device_put(kept).nbytes)
print(f"first: {kept}")  #! OAK701 #~ RuntimeError
print(kept.tolist(), field)  #! OAK701
print(kept[0], field)  #! OAK701
print(-kept, field)  #! OAK701
print((kept > 0.5), field)  #! OAK701
print(kept.at[0].set(1.0), field)  #! OAK701
kept.block_until_ready()  #! OAK701
