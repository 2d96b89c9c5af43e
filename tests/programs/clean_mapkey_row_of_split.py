# category: clean/shape-mismatch
import jax
import jax.numpy as jnp


def jitter(point, key):
    return point + 0.1 * jax.random.normal(key, point.shape)


class Cloud:
    def __init__(self, points):
        self.points = points

    def shared(self, key):
        key, part = jax.random.split(key)
        return jax.vmap(jitter, in_axes=(0, None))(self.points, part), key

    def single(self, key):
        key, part = jax.random.split(key)
        return jax.vmap(jitter)(self.points[:1], part[None]), key

    def paired(self, key):
        first, second = jax.random.split(key, (2, len(self.points)))
        return jax.vmap(jitter)(jax.vmap(jitter)(self.points, first), second)

    def walked(self, key):
        key, *parts = jax.random.split(key, 6)
        return jax.lax.scan(
            lambda point, part: (jitter(point, part), None), self.points[0], jnp.array(parts)
        )


cloud = Cloud(jnp.zeros((5, 2)))
points, key = cloud.shared(jax.random.PRNGKey(0))
point, key = cloud.single(key)
print(points, point, cloud.paired(key), cloud.walked(jax.random.PRNGKey(1))[0])
