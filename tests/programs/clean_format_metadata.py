# category: clean/format-of-tracer
import logging

import jax
import jax.numpy as jnp

logger = logging.getLogger(__name__)


def describe(name, x):
    return f"{name}: shape={x.shape} dtype={x.dtype!s:>8} ndim={x.ndim:02d} size={x.size:.1e} {x!r}"


@jax.jit
def forward(x):
    text = describe("x", x)
    assert "float32" in text, f"bad input {text}"
    jax.debug.print("mean {m:.3f}", m=x.mean())
    return x * len("%s %d" % ("rows", x.shape[0]))


y = forward(jnp.ones(3))
logger.info("sum %.3f", y.sum())
print(f"{y.sum():.3f}", "{:6.2f}".format(float(y[0])), "%.1f" % y[1])
