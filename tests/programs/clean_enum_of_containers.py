# category: clean/python-branch-on-tracer
"""Members whose values are texts, containers or None: a look-up compares no tracer for its truth."""

import enum

import jax


class Layout(enum.Enum):
    NONE = None
    FLAT = 1


class Order(enum.Enum):
    ROWS = "rows"
    COLUMNS = "columns"


@jax.jit
def placed(x, layout):
    return x if Layout(layout) is Layout.NONE else -x


@jax.jit
def ordered(x, orders):
    for name in ("rows", "columns"):
        x = x + (1 if Order(name) is Order.ROWS else 2)
    return x, orders


print(placed(1.0, None), ordered(1.0, 2.0))
