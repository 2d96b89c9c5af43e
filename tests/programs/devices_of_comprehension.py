# category: device-mismatch
import jax
import jax.numpy as jnp


@jax.jit
def score(weights, batch):
    return jnp.sum(weights * batch)


devices = jax.devices()
weights = jax.device_put(jnp.ones(3), devices[0])
replicas = {k: jax.device_put({"w": jnp.ones(3)}, device) for k, device in enumerate(devices)}
shards = [jax.device_put(jnp.arange(3.0), device) for device in devices]
print([score(replicas[k]["w"], shard) for k, shard in enumerate(shards)])
total = jnp.zeros(())
for shard, device in zip(shards, devices, strict=True):
    total = jax.device_put(total, device) + shard.sum()
for device in devices:
    copied = jax.device_put(weights, device)
    print(score(copied, jax.device_put(jnp.ones(3), device)))
print(shards[0] + shards[1])  #! OAK702 #~ ValueError
print(replicas[0]["w"] - replicas[1]["w"])  #! OAK702
print([score(weights, jax.device_put(jnp.ones(3), device)) for device in devices])  #! OAK702
for device in devices:
    print(score(weights, jax.device_put(jnp.ones(3), device)))  #! OAK702
for device in devices:
    total = total + jax.device_put(jnp.ones(()), device)  #! OAK702
