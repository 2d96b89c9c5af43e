# category: python-branch-on-tracer
import jax
import jax.numpy as jnp

import signal_layers as layers
from signal_layers import Gate as SignalGate


def build(depth, threshold):
    gate = SignalGate(threshold)
    stages = [layers.smooth] * depth + [gate]

    def pipeline(x):
        for stage in stages:
            x = stage(x)
        return x

    return pipeline


pipeline = build(2, 0.5)
print(pipeline(jnp.arange(4.0)))
print(jax.jit(jax.vmap(pipeline))(jnp.ones((2, 4))))
