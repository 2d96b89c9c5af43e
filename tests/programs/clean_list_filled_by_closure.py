# category: clean/closure
import jax.numpy as jnp


def snapshots(state, steps, wanted):
    kept = []
    last = None

    def keep(value):
        nonlocal last
        last = value
        kept.append(value)

    for step in range(steps):
        state = state * 2.0
        if step in wanted:
            keep(state)
    return jnp.asarray(kept), last


def first(state, steps, wanted):
    kept, last = snapshots(state, steps, wanted)
    return kept[0] + last


def compare(state, other, steps):
    return first(state, steps, (0,)) - first(other, steps, (0, 2))


def fill(kept, state):
    kept.append(state)


def fill_twice(kept, state):
    fill(kept, state)
    fill(kept, state)


def collected(state):
    kept = []
    fill_twice(kept, state)
    return jnp.asarray(kept)


def sum_of_first(state):
    return jnp.sum(collected(state)[1])


kept, last = snapshots(jnp.ones(3), 4, (0, 2))
assert kept.shape == (2, 3) and last.shape == (3,)
assert compare(jnp.ones(3), jnp.zeros(3), 3).shape == (3,)
