# category: clean/list-index-by-tracer
import jax
import jax.numpy as jnp

ACTIVATIONS = [jnp.tanh, jax.nn.relu, lambda x: x]


def apply(kind, x):
    return jax.lax.switch(kind, ACTIVATIONS, x)


def stack_layers(params, x):
    for index in range(len(params)):
        x = ACTIVATIONS[index % 3](params[index] @ x)
    return x


print(jax.vmap(apply, in_axes=(0, None))(jnp.arange(3), jnp.array(-0.5)))
print(jax.jit(stack_layers)([jnp.eye(2)] * 4, jnp.ones(2)))
