# category: silent/oob-index
"""Names and comments that speak of masks, padding and `where` take care of no index."""

import jax
import jax.numpy as jnp


def masked_differences(padded):
    def fill(where, selected):
        # Where the condition is clipped, the minimum is masked: no % is left.
        return selected.at[where].set(padded[where + 1] - padded[where])  #! OAK506

    return jax.lax.fori_loop(0, 4, fill, jnp.zeros(4))


def window_maximum(signal):
    def condense(position, out):
        window = jax.lax.dynamic_slice_in_dim(signal, position, 3)  #! OAK506
        return out.at[position].set(window.max())

    return jax.lax.fori_loop(0, 4, condense, jnp.zeros(4))


def clipped(signal):
    following = signal[jnp.arange(1, 5)]  #! OAK506
    return following, jnp.where(signal > 1.0, 1.0, signal)


steps = masked_differences(jnp.arange(4.0))
assert steps[3] == 0
assert window_maximum(jnp.arange(4.0))[3] == 3
assert clipped(jnp.arange(4.0))[0][3] == 3
