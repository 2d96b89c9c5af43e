# category: dynamic-shape-op
import jax
import jax.numpy as jnp


def compose(*functions):
    def composed(x):
        for function in reversed(functions):
            x = function(x)
        return x

    return composed


def support(p):
    return jnp.argwhere(p > 0.1)  #! OAK210  #~ ConcretizationTypeError


pipeline = compose(support, jax.nn.softmax, jnp.atleast_1d)
print(jax.jit(pipeline)(jnp.arange(4.0)))
