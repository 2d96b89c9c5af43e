# category: clean/format-of-tracer
import jax
import jax.numpy as jnp
import numpy as np

BASELINE = np.array([0.5, 1.0, 2.0], np.float32)


def baseline_loss(scale):
    # Does not depend on the argument: what comes out is NumPy's own number.
    return BASELINE.sum()


def report(scale):
    value, slope = jax.value_and_grad(baseline_loss)(scale)
    again, _ = jax.jvp(baseline_loss, (scale,), (1.0,))
    print("baseline %.3f, %.3f" % (value, again))
    return slope


def constant(scale):
    value, slope = jax.value_and_grad(lambda s: 3.0)(scale)
    return f"{value:.1f}", slope


print(report(2.0))
print(jax.make_jaxpr(report)(2.0))
print(jax.jit(lambda scale: constant(scale)[1])(2.0))
