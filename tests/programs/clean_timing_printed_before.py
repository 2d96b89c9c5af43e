# category: clean/unawaited-timing
"""What is shown before the clock is read is made of the result: it is there by then."""

import time

import jax
import jax.numpy as jnp


@jax.jit
def smooth(field):
    return jnp.tanh(field @ field.T)


def show(text):
    print(text)


def by_name(field):
    start = time.perf_counter()
    result = smooth(field)
    print("done", result)
    return time.perf_counter() - start


def by_percent(field):
    start = time.perf_counter()
    result = smooth(field).sum()
    text = "sum %s"
    print(text % result)
    return time.perf_counter() - start


def by_format(field):
    start = time.perf_counter()
    result = smooth(field)
    template = "corner {}"
    show(template.format(result[0, 0]))
    return time.perf_counter() - start


def by_text(field):
    start = time.perf_counter()
    result = smooth(field)
    text = f"field {result}"
    print("done", text)
    return time.perf_counter() - start


def by_list(field):
    start = time.perf_counter()
    results = [smooth(field)]
    print("done", results)
    return time.perf_counter() - start


field = jnp.ones((16, 16))
print(by_name(field), by_percent(field), by_format(field), by_text(field), by_list(field))
