# category: clean/boolean-mask-index
import jax
import jax.numpy as jnp


@jax.jit
def forward(x):
    return jnp.tanh(x), x > 0


class Report:
    """Masks are applied to results, outside any trace."""

    def __init__(self):
        self.rows = []

    def add(self, x):
        y, mask = forward(x)
        self.rows.append(y[mask])
        keep = y.at[~mask].set(0.0)
        return keep[keep != 0].shape[0]


def soft_select(x, mask):
    idx = jnp.argsort(~mask)
    return x[idx][: mask.shape[0] // 2] * mask[idx][: mask.shape[0] // 2]


report = Report()
print(report.add(jnp.array([-1.0, 1.0, 2.0])))
print(jax.jit(soft_select)(jnp.arange(4.0), jnp.array([True, False, True, False])))
