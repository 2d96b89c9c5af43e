# category: format-of-tracer
import jax
import jax.numpy as jnp


class Meter:
    template = "step {step:>5d} | loss {loss:.4f}"

    def line(self, step, loss):
        return self.template.format(step=step, loss=loss)  #! OAK217  #~ TypeError


def fit(x, meter):
    lines = []
    for step in range(2):
        loss = jnp.sum(x**2)
        lines.append(meter.line(step, loss))
        x = 0.5 * x
    return x, len(lines)


print(jax.jit(fit, static_argnames=("meter",))(jnp.ones(2), Meter()))
