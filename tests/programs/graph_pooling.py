# category: traced-static-argument
import functools

import jax
import jax.numpy as jnp
from jax.ops import segment_sum


def aggregate(messages, receivers, nodes):
    return segment_sum(messages, receivers, num_segments=nodes)  #! OAK212  #~ ConcretizationTypeError


@functools.partial(jax.jit, static_argnums=(3,))
def propagate(features, senders, receivers, rounds):
    nodes = receivers.max() + 1
    for _ in range(rounds):
        features = features + aggregate(features[senders], receivers, nodes)
    return features


print(propagate(jnp.ones((3, 2)), jnp.array([0, 1]), jnp.array([1, 2]), 2))
