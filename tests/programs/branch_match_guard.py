# category: python-branch-on-tracer
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Box:
    low: float
    high: float


@dataclass(frozen=True)
class Ball:
    radius: float


def project(shape, x):
    match shape:
        case Box(low=lo, high=hi):
            return jnp.clip(x, lo, hi)
        case Ball(radius=r) if jnp.linalg.norm(x) > r:  #! OAK201 32 #~ TracerBoolConversionError
            return x * (r / jnp.linalg.norm(x))
        case Ball():
            return x
        case _:
            raise TypeError(f"no projection for {type(shape).__name__}")


def projected_gradient(shape, x0, lr=0.1, steps=3):
    def body(x, _):
        x = project(shape, x - lr * jax.grad(lambda v: jnp.sum(v**2))(x))
        return x, None

    return jax.lax.scan(body, x0, length=steps)[0]


print(projected_gradient(Box(-1.0, 1.0), jnp.full(2, 3.0)))
print(projected_gradient(Ball(1.0), jnp.full(2, 3.0)))
