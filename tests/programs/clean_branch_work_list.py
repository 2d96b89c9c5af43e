# category: clean/python-branch-on-tracer
import copy
import operator
from collections import deque

import jax
import jax.numpy as jnp


@jax.jit
def scaled(x):
    """What is traced has left the list before the next entry is asked for."""
    pending = [x, 2, 3]
    result = pending.pop(0)
    while pending:
        factor = pending.pop(0)
        if factor > 2:
            result = result * factor
    return result


@jax.jit
def drained(x):
    pending, table = deque([x, 4]), {"start": x, "limit": 3}
    first = pending.popleft() + table.pop("start")
    if pending[0] > 3 and all(value > 2 for value in table.values()):
        return first * pending[0]
    return first


def widths(x, names):
    table = {"low": 1, "high": 2, "all": x}
    for name in names:
        # Which entry goes is not seen here, and one that is not there has no width.
        if table.pop(name, 0) is x:
            return x
    return x + (0 if {1, 2}.pop() == 2 else 1)


@jax.jit
def windowed(x):
    recent, oldest = deque([x, 1.0, 2.0], maxlen=2), deque(maxlen=1)
    for value in (x, 3.0):
        oldest.append(value)
    kept = copy.copy(recent.copy())
    recent.appendleft(x)
    kept.extend((3.0, 4.0))
    if kept[0] < oldest[-1] or recent[-1] > 1:
        return x if x > 0 else -x
    return x * kept[1]


print(scaled(jnp.ones(3)), drained(jnp.ones(3)), windowed(jnp.ones(3)))
print(jax.jit(widths, static_argnames="names")(jnp.ones(3), names=("low", "none")))


@jax.jit
def edited(x):
    """What is set and deleted by functions is set and deleted."""
    rows, table = [x, 1.0, 2.0], {"start": x, "limit": 3}
    operator.setitem(rows, 0, 4.0)
    operator.delitem(table, "start")
    if rows[0] > 3 and sum(operator.concat(rows, [x][1:])) > 5:
        x = x * len(table)
    last = [x, 1.0]
    operator.delitem(last, 0)
    return x if last[0] > 0 else -x


print(edited(jnp.ones(3)))
