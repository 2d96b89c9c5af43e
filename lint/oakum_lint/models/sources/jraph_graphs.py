"""`jraph`, as far as it decides what a program does."""

from typing import Any, NamedTuple

import jax


class GraphsTuple(NamedTuple):
    """A batch of graphs; how many there are is the length of `n_node` and `n_edge`."""

    nodes: Any
    edges: Any
    receivers: jax.Array | None
    senders: jax.Array | None
    globals: Any
    n_node: jax.Array
    n_edge: jax.Array
