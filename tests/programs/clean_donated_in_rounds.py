# category: clean/use-after-donate
import jax
import jax.numpy as jnp

scaled = jax.jit(lambda row, weight: row * weight, donate_argnums=0)


def first_good(state, weights):
    for weight in weights:
        if weight > 0.5:
            state = scaled(state, weight)
            break
    return state


def once(state, steps):
    result = None
    for step in range(steps):
        if step == 0:
            result = scaled(state, 0.5)
    return result


def tried(state, steps):
    for step in range(steps):
        copy = jnp.copy(state)
        print(step, scaled(copy, 2.0).sum())
    return state + 1.0


def in_place(rows, named):
    for place, row in enumerate(rows):
        rows[place] = scaled(row, 2.0)
    for name, row in named.items():
        named[name] = scaled(row, 3.0)
    return rows[0] + rows[1] + named["a"] + named["b"]


def twins(left, right):
    lower = [scaled(a, 0.5) for a, _ in zip(left, right, strict=True)]
    return lower[0] + right[0]


def make(n):
    return jnp.ones(n)


print(first_good(make(3), [0.1, 0.9, 0.95]), once(make(3), 20), tried(make(3), 12))
print(in_place([make(4), make(4)], {"a": make(4), "b": make(4)}))
print(twins([make(5)], [make(5)]))
