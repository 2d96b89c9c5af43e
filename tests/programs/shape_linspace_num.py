# category: traced-shape
import jax
import jax.numpy as jnp


def trapezoid(f, lo, hi, num):
    xs = jnp.linspace(lo, hi, num)  #! OAK211 #~ ConcretizationTypeError
    ys = f(xs)
    return jnp.sum((ys[1:] + ys[:-1]) * jnp.diff(xs)) / 2


def refine(f, lo, hi, levels=2):
    coarse = trapezoid(f, lo, hi, 5)
    for k in range(levels):
        coarse = (4 * trapezoid(f, lo, hi, 2 ** (k + 3)) - coarse) / 3
    return coarse


area = jax.jit(lambda a, n: trapezoid(lambda x: jnp.exp(a * x), 0.0, 1.0, n))
print(refine(jnp.sin, 0.0, 1.0))
print(area(1.0, 9))
