# category: python-branch-on-tracer
from collections import deque

import jax
import jax.numpy as jnp


def depth_of(tree, x):
    """Takes a nested list apart from its front; its leaves are thresholds."""
    waiting, seen = [tree], 0
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, list):
            waiting = node + waiting
        elif x > node:  #! OAK201 14 #~ TracerBoolConversionError
            seen += 1
    return seen


@jax.jit
def second_of(x):
    parts = [1.0, x, 2.0]
    parts.pop(0)
    if parts[0] > 0:  #! OAK201
        return parts[0]
    return x


@jax.jit
def first_in(x):
    queue = deque([x, 1.0])
    queue.appendleft(2.0)
    queue.popleft()
    return float(queue.popleft())  #! OAK204


@jax.jit
def any_of(x):
    table = {"scale": x, "shift": x}
    # Which entry goes is not seen here.
    first = table.pop("scale,shift".split(",")[0], x)
    if table.get("scale") is None and {2, 9}.pop() > 2:
        return int(x)  #! OAK204
    return float(first)  #! OAK204


@jax.jit
def last_two(x):
    window = deque(maxlen=2)
    for value in (1.0, 2.0, x):
        window.append(value)
    return int(window[1])  #! OAK204


print(jax.jit(lambda x: depth_of([0.5, [1.0, 2.0]], x))(jnp.ones(())))
print(second_of(jnp.ones(())), first_in(1.0), any_of(1.0), last_two(1.0))
