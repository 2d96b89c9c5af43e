# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


class Base:
    def loss(self, params, batch):
        return jnp.mean((batch @ params) ** 2)

    def scale(self):
        return 1.0


class Decayed(Base):
    def loss(self, params, batch):
        return super().loss(params, batch) + 0.1 * jnp.sum(params**2)


class Clipped(Base):
    ceiling = 10.0

    def loss(self, params, batch):
        value = super().loss(params, batch)
        return value if value < self.ceiling else self.ceiling  #! OAK201 #~ TracerBoolConversionError

    def scale(self):
        return 0.5


class Model(Decayed, Clipped):
    def step(self, params, batch):
        return params - self.scale() * jax.grad(self.loss)(params, batch)


print(jax.jit(Decayed().loss)(jnp.ones(3), jnp.ones((2, 3))))
print(jax.jit(Model().step)(jnp.ones(3), jnp.ones((2, 3))))
