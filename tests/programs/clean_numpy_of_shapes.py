# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def init_layer(key, x, features):
    fan_in = np.prod(x.shape[1:])
    bound = np.sqrt(6.0 / (fan_in + features))
    w = jax.random.uniform(key, (int(fan_in), features), minval=-bound, maxval=bound)
    return x.reshape(x.shape[0], -1) @ w / np.float32(np.log2(x.ndim))


forward = jax.jit(init_layer, static_argnums=2)
print(forward(jax.random.key(0), jnp.ones((2, 3, 4)), 5).shape, np.ndim(jnp.ones(2)))
