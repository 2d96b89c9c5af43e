# category: silent/discarded-update
"""Functions that nobody calls here drop updates; what a data frame holds may be a set or a series."""

import jax
import jax.numpy as jnp


def set_boundary(u, left, right):
    u.at[0].set(left)  #! OAK220
    u.at[-1].set(right)  #! OAK220
    return u


def relax(state):
    state.grid.at[0].multiply(0.5)  #! OAK220
    return state


def note(frame, row, label):
    frame.at[row, "labels"].add(label)
    frame.at[row, "series"].apply(print)
    return jnp.asarray(frame.values)


def put(store, place, value):
    store.where[place].set(value)


print(jax.jit(jnp.sin)(0.0))
