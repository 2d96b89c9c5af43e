# category: bool-op-on-tracer
from typing import Sequence

import jax
import jax.numpy as jnp


def bounding_length(segments: Sequence[jax.Array]) -> jax.Array:
    """Largest extent over all segments."""
    extents = [seg.max() - seg.min() for seg in segments]
    return max(extents)  #! OAK203 #~ TracerBoolConversionError


def normalize(segments):
    length = bounding_length(segments)
    return [seg / length for seg in segments]


@jax.jit
def features(batch):
    parts = normalize([batch["x"], batch["y"]])
    biggest = max(p.shape[0] for p in parts)
    return jnp.stack([jnp.pad(p, (0, biggest - p.shape[0])) for p in parts])


print(features({"x": jnp.arange(4.0), "y": jnp.arange(3.0) * 2}))
