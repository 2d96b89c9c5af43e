# category: clean/stale-object
import jax
import jax.numpy as jnp
import numpy as np

layers = [jnp.sin]
history = []
weights = np.ones(3, dtype=np.float32)
indices = np.array([0, 1, 2])


@jax.jit
def forward(x):
    for layer in layers:
        x = layer(x)
    return jnp.sum(x * weights)


@jax.jit
def pick(x, indices):
    return x[indices]


layers.append(jnp.exp)
weights[1:] = 0.5
indices[2] = 1
for step in range(3):
    history.append(float(forward(jnp.ones(3))))
    indices[0] = step % 2
    print(pick(jnp.ones(2), indices))
weights = np.zeros(3)
print(history, weights)
