# category: clean/dynamic-shape-op
import jax
import jax.numpy as jnp


@jax.jit
def histogram(x, edges):
    """Fixed-size cousins of the dynamic operations."""
    bins = jnp.searchsorted(edges, x)
    counts = jnp.zeros(len(edges) + 1).at[bins].add(1.0)
    order = jnp.argsort(x)
    first = jnp.argmax(x > edges[0])
    segments = jax.ops.segment_sum(x, bins, num_segments=4)
    hist, _ = jnp.histogram(x, bins=edges)
    packed = jnp.where(jnp.isin(x, edges), x, jnp.nan)
    picked = jnp.compress(jnp.array([True, False, True, True]), x, size=2)
    return counts, x[order], first, segments, hist, packed, picked, jnp.count_nonzero(x)


out = histogram(jnp.array([0.1, 0.7, 0.4, 0.9]), jnp.array([0.0, 0.5, 1.0]))
print([o.shape for o in out])
