# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, **options):
        self.options = options

    def __call__(self, x):
        return self.forward(x)

    def forward(self, x):
        return x


class Scaled(Layer):
    def forward(self, x):
        x = super().forward(x)
        return x * self.options["scale"]


class Clipped(Scaled):
    def forward(self, x):
        x = super().forward(x)
        norm = jnp.linalg.norm(x)
        if norm > self.options.get("limit", 1.0):
            x = x / norm
        return x


stack = [Scaled(scale=2.0), Clipped(scale=0.5, limit=3.0)]
print(jax.grad(lambda x: sum(layer(x).sum() for layer in stack))(jnp.ones(3)))
