# category: python-branch-on-tracer
import bisect
import heapq

import jax
import jax.numpy as jnp


@jax.jit
def relaxed(cost, bound):
    """What a function of the standard library puts into a list is in it."""
    frontier, visited = [], 0
    heapq.heappush(frontier, (0.0, 0))
    while frontier:
        distance, node = heapq.heappop(frontier)
        if cost[node] + distance > bound:  #! OAK201 #~ TracerBoolConversionError
            break
        visited += 1
        if node < 2:
            heapq.heappush(frontier, (distance + 1.0, node + 1))
    return visited


@jax.jit
def lowest(x):
    levels = [1, 2]
    bisect.insort(levels, 0)
    if levels[0] > 0:
        return x
    list.append(levels, x)
    return int(x)  #! OAK204


print(relaxed(jnp.ones(3), 2.0))
print(lowest(jnp.ones(())))
