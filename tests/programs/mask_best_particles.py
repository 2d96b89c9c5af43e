# category: boolean-mask-index
import jax
import jax.numpy as jnp


class Swarm:
    def __init__(self, inertia=0.7):
        self.inertia = inertia

    def elite(self, pos, cost):
        order = cost < jnp.median(cost)
        return jnp.mean(pos[order], axis=0)  #! OAK213 #~ NonConcreteBooleanIndexError

    def step(self, carry, key):
        pos, vel = carry
        cost = jnp.sum(pos**2, axis=-1)
        pull = self.elite(pos, cost) - pos
        vel = self.inertia * vel + jax.random.uniform(key, pos.shape) * pull
        return (pos + vel, vel), cost.min()


swarm = Swarm()
start = (jax.random.normal(jax.random.key(0), (6, 2)), jnp.zeros((6, 2)))
print(swarm.elite(start[0], jnp.arange(6.0)))
print(jax.lax.scan(swarm.step, start, jax.random.split(jax.random.key(1), 3))[1])
