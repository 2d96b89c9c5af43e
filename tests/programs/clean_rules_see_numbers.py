# category: clean/scalar-cast-of-tracer
import math

import jax
import jax.numpy as jnp

seen = []


@jax.custom_vjp
def scaled(x, y):
    seen.append(float(x))
    return jnp.sin(x) * y


def scaled_forward(x, y):
    seen.append(float(x))
    return jnp.sin(x) * y, (math.cos(float(x)), y)


def scaled_backward(residuals, cotangent):
    slope, y = residuals
    print(f"cotangent {float(cotangent):.2f}")
    return slope * cotangent * y, cotangent


scaled.defvjp(scaled_forward, scaled_backward)


@jax.custom_jvp
def level(x):
    return jnp.asarray(math.floor(float(x)) + 0.5)


@level.defjvp
def level_tangent(primals, tangents):
    (x,), (tangent,) = primals, tangents
    if float(x) > 0:
        return level(x), tangent
    return level(x), -tangent


print(scaled(1.0, 2.0), jax.grad(scaled)(1.0, 2.0))
print(jax.grad(lambda x: level(x) * x)(1.5), seen)
