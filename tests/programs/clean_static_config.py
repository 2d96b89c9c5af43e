# category: clean/python-branch-on-tracer
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    layers: int = 2
    residual: bool = True
    activation: str = "tanh"


def build(config):
    activation = getattr(jnp, config.activation)

    def forward(params, x):
        for index in range(config.layers):
            h = activation(params[index] @ x)
            x = x + h if config.residual and h.shape == x.shape else h
        return x

    return jax.jit(jax.vmap(forward, in_axes=(None, 0)))


forward = build(Config())
print(forward([jnp.eye(3)] * 2, jnp.ones((2, 3))))
