# category: deleted-array
# Several names bound at once: one of them is a second name of what is donated.
import jax
import jax.numpy as jnp


def advance(field, rate):
    return field + rate * jnp.roll(field, 1)


advance = jax.jit(advance, donate_argnums=0)


def change_of(field):
    before, rate = field, 0.1
    after = advance(field, rate)
    return after - before  #! OAK701 #~ RuntimeError


change_of(jnp.arange(4.0))
