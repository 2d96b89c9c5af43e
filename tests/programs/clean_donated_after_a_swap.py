# category: clean/deleted-array
# Names that are swapped, or bound at once to a copy, hold other arrays than the one that is donated.
import jax
import jax.numpy as jnp


def advance(field, rate):
    return field + rate * jnp.roll(field, 1)


advance = jax.jit(advance, donate_argnums=0)


def change_of(field):
    before, rate = field.copy(), 0.1
    return advance(field, rate) - before


def leapfrog(first, second):
    first, second = second, first
    after = advance(second, 0.1)
    return first + after


change_of(jnp.arange(4.0))
leapfrog(jnp.arange(4.0), jnp.ones(4))
