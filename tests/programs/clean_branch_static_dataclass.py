# category: clean/python-branch-on-tracer
from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["weight", "bias"],
    meta_fields=["activation", "residual"],
)
@dataclass
class Layer:
    weight: jax.Array
    bias: jax.Array
    activation: str = "relu"
    residual: bool = field(default=False)

    def __call__(self, x):
        y = x @ self.weight + self.bias
        if self.activation == "relu":
            y = jax.nn.relu(y)
        elif self.activation == "tanh":
            y = jnp.tanh(y)
        if self.residual and x.shape == y.shape:
            y = y + x
        return y


@jax.jit
def forward(layers, x):
    for layer in layers:
        x = layer(x)
        if layer.residual:
            x = x * 0.5
    return x


layers = [Layer(jnp.eye(2), jnp.zeros(2), "tanh", True), Layer(jnp.ones((2, 1)), jnp.zeros(1))]
print(forward(layers, jnp.ones((1, 2))))
