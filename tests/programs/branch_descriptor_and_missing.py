# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


class Positive:
    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, instance, owner):
        return getattr(instance, self.slot)

    def __set__(self, instance, value):
        if value < 0:  #! OAK201 #~ TracerBoolConversionError
            raise ValueError(f"{self.slot} must be positive")
        setattr(instance, self.slot, value)


class Kernel:
    scale = Positive()

    def __init__(self, scale):
        self.scale = scale

    def __call__(self, distance):
        return self.scale * jnp.exp(-(distance**2))


class Settings:
    def __init__(self, values):
        self.values = values

    def __getattr__(self, name):
        return self.values[name]


@jax.jit
def windowed(x, width):
    settings = Settings({"width": width, "kind": "flat"})
    return x + jnp.ones(settings.width).sum()  #! OAK211


@jax.jit
def covariance(scale, distances):
    return Kernel(scale)(distances)


print(Kernel(2.0)(jnp.arange(3.0)))
print(covariance(1.0, jnp.arange(3.0)))
print(windowed(jnp.ones(2), 3))
