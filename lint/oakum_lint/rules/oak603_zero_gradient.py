"""OAK603: a gradient is zero, whatever the arguments are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses.gradients import gradient_is_zero


class ZeroGradient(Rule["gradient_is_zero.ZeroGradient"]):
    """## What it does
    Finds differentiated functions whose whole result goes through an operation with a derivative of
    zero: rounding, `sign`, a comparison, `argmax`, a conversion to integers, `stop_gradient`. The
    finding stands at that operation. Also finds calls of `grad` by arguments on which no result of
    the function depends.

    ## Why it matters
    The gradient is zero everywhere. Nothing fails; the parameters just never change.

    ## Example
    ```python
    def error_rate(w, x, labels):
        predicted = jnp.argmax(x @ w, axis=-1)
        return jnp.mean((predicted != labels).astype(jnp.float32))


    gradient = jax.grad(error_rate)(w, x, labels)
    ```

    ## Use instead
    Differentiate a smooth stand-in, such as the cross entropy:
    ```python
    def loss(w, x, labels):
        logp = jax.nn.log_softmax(x @ w)
        return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], axis=1))


    gradient = jax.grad(loss)(w, x, labels)
    ```
    To quantize and train all the same, let the gradient pass straight through:
    `x + jax.lax.stop_gradient(jnp.round(x) - x)`.

    ## Known limits
    A gradient that is zero in some of its parts only is not reported.

    ## At run time
    Nothing: the gradient is zero.
    https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
    """

    code = Code(
        "OAK603",
        "zero-gradient",
        "A gradient is zero, whatever the arguments are",
        "All paths from the argument to the result go through a step: rounding, a comparison, "
        "argmax.",
        "Use a smooth function in place of the step, or a straight-through estimator (custom_vjp).",
    )
    confidence = (
        "proved where every path from the argument to the result is seen to pass a function "
        "whose derivative is zero"
    )
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax
import jax.numpy as jnp


def quantize(x, levels):
    return jnp.round(x * levels) / levels  #! OAK603


def loss(w):
    return jnp.sum(quantize(w, 16.0) ** 2)


assert jnp.all(jax.grad(loss)(jnp.array([0.3, 0.7])) == 0)
""",
        """\
import jax
import jax.numpy as jnp


def error_rate(w, x, labels):
    predicted = jnp.argmax(x @ w, axis=-1)  #! OAK603
    return jnp.mean((predicted != labels).astype(jnp.float32))


x, labels = jnp.ones((8, 3)), jnp.zeros(8, dtype=jnp.int32)
value, gradient = jax.value_and_grad(error_rate)(jnp.ones((3, 2)), x, labels)
assert jnp.all(gradient == 0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def hits(w):
    return jnp.where(w > 0.5, 1.0, 0.0)  #! OAK603


@jax.jit
@jax.grad
def slope(w):
    return jnp.sum(hits(w)) * 2.0


assert jnp.all(slope(jnp.ones(3)) == 0)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


def loss(w, x, labels):
    logits = x @ w
    accuracy = jnp.mean(jnp.argmax(logits, axis=-1) == labels)
    logp = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], axis=1)), accuracy


x, labels = jnp.ones((8, 3)), jnp.zeros(8, dtype=jnp.int32)
jax.grad(loss, has_aux=True)(jnp.ones((3, 2)), x, labels)
jax.grad(lambda w: jnp.max(w) + w[jnp.argmax(w)])(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp


@jax.custom_vjp
def spike(x):
    return (x > 0).astype(jnp.float32)


spike.defvjp(lambda x: (spike(x), x), lambda x, g: (g / (1 + x**2),))


def straight_through(x):
    return x + jax.lax.stop_gradient(jnp.round(x) - x)


jax.grad(lambda x: jnp.sum(spike(x) * 2))(jnp.ones(3))
jax.grad(lambda x: jnp.sum(straight_through(x)))(jnp.ones(3))
jax.grad(lambda x: jnp.sum(jnp.where(x > 0, x, 0.0)))(jnp.ones(3))
""",
    )

    def check(self, event: "gradient_is_zero.ZeroGradient") -> Iterator[Finding]:
        """Reports each gradient that is zero on every path."""
        function = shown(event.function)
        if event.independent:
            names = " and ".join(f"`{name}`" for name in event.independent)
            yield self.finding(
                event,
                headline(
                    f"`{event.transform}` of `{{}}` is zero: it does not use {{}}", function, names
                ),
                f"Have `{function}` compute with {names}, and not with an object of outside that "
                "holds the same values, or choose the argument by `argnums`.",
                f"nothing that `{function}` returns depends on {names}",
            )
        else:
            yield self.finding(
                event,
                headline(
                    f"`{event.transform}` of `{{}}` is zero: `{{}}` has derivative zero",
                    function,
                    event.operand.source,
                ),
                "Put a smooth function in its place for the loss, or let the gradient pass "
                "straight through: `x + jax.lax.stop_gradient(jnp.round(x) - x)`.",
                f"all that `{function}` returns goes through `{event.operand.source}`",
            )
