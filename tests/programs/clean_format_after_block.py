# category: clean/format-of-tracer
import jax
import jax.numpy as jnp


def make_logger(prefix):
    def log(step, **metrics):
        body = " ".join(f"{k}={v:.3f}" for k, v in metrics.items())
        return f"{prefix}[{step:04d}] {body}"

    return log


log = make_logger("train")


@jax.jit
def step(w):
    loss = jnp.sum(w**2)
    jax.debug.callback(lambda v: log(0, inside=float(v)), loss)
    return w - 0.1 * w, {"loss": loss, "norm": jnp.sqrt(loss)}


w = jnp.ones(2)
for i in range(2):
    w, metrics = step(w)
    print(log(i, **metrics))
value, g = jax.value_and_grad(lambda x: x**2)(3.0)
print("%.2f %s" % (value, format(g, ".1e")))
