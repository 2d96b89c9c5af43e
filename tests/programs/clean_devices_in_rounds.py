# category: clean/device-mismatch
import jax
import jax.numpy as jnp
import numpy as np


def mean_of(parts):
    total = None
    for part in parts:
        part = jax.device_put(part, jax.devices()[0])
        total = part if total is None else total + part
    return total / len(parts)


def first_only(x):
    for device in jax.local_devices():
        y = jax.device_put(x, device)
        return y + jax.device_put(x, jax.local_devices()[0])
    return x


params = {device: jax.device_put(jnp.ones(3), device) for device in jax.devices()}
outputs = []
for device in jax.devices():
    x = jax.device_put(jnp.arange(3.0), device)
    outputs.append(params[device] * x + jnp.ones(3))
mine = [jax.device_put(jnp.ones(3), device) for device in jax.devices()]
other = [jax.device_put(jnp.zeros(3), device) for device in jax.devices()]
print(np.stack([jax.device_get(a + b) for a, b in zip(mine, other, strict=True)]).shape)
print(mean_of(outputs), first_only(jnp.ones(2)), mine[0] + other[0])
if len(jax.devices()) == 1:
    print(mine[0] + jax.device_put(jnp.ones(3), jax.devices()[-1]))
key = jax.random.key(0)
draws = [jax.random.normal(k) for k in jax.random.split(key, len(jax.devices()))]
print([jax.device_put(draw, device) for draw, device in zip(draws, jax.devices(), strict=True)])
