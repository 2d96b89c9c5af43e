"""OAK303: a derivative is taken through an operation that has none."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses.gradients import missing_rules


class OperationWithoutRule(Rule["missing_rules.OperationWithoutDerivative"]):
    """## What it does
    Finds derivatives that are taken through functions which have none: callbacks, the greatest and
    least over a named axis (`pmax`, `pmin`), eigenvectors of a general matrix, Schur and Hessenberg
    forms and what is computed by them (`sqrtm`, `funm`), `nextafter`, and `betainc` by its first
    two arguments.

    ## Why it matters
    The function itself runs, so that tests without a gradient pass; the first training step
    raises.

    ## Example
    ```python
    def loss(x):
        top = jax.lax.pmax(x, "devices")
        return jnp.sum(jnp.exp(x - top))

    jax.pmap(jax.grad(loss), axis_name="devices")(xs)
    ```

    ## Use instead
    ```python
    def loss(x):
        top = jax.lax.pmax(jax.lax.stop_gradient(x), "devices")
        return jnp.sum(jnp.exp(x - top))
    ```
    A function that calls back gets a rule of its own with `jax.custom_jvp` or `jax.custom_vjp`.

    ## Known limits
    Derivatives that nobody in the checked files is seen to take are not reported. Operations that
    lack a rule for `vmap`, or one for going back, are found when they run.

    ## At run time
    `NotImplementedError: Differentiation rule for 'pmax' not implemented`, of callbacks
    `ValueError: Pure callbacks do not support JVP.`
    https://docs.jax.dev/en/latest/external-callbacks.html
    """

    code = codes.OPERATION_WITHOUT_RULE
    confidence = "proved where the derivative is seen to be taken"
    bad = (
        """\
import jax
import jax.numpy as jnp


def loss(x):
    top = jax.lax.pmax(2.0 * x, "rows")  #! OAK303
    return jnp.sum(jnp.exp(x - top))


jax.vmap(jax.grad(loss), axis_name="rows")(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


def simulated(x):
    shape = jax.ShapeDtypeStruct((), jnp.float32)
    return jax.pure_callback(np.sin, shape, x)  #! OAK303


@jax.jit
def step(x):
    return x - 0.1 * jax.grad(simulated)(x)


step(1.0)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


def loss(x):
    top = jax.lax.pmax(jax.lax.stop_gradient(x), "rows")
    return jnp.sum(jnp.exp(x - top))


def greatest(x):
    return jax.lax.pmax(x, "rows")


jax.vmap(jax.grad(loss), axis_name="rows")(jnp.ones(3))
jax.vmap(greatest, axis_name="rows")(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_jvp
def simulated(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x)


@simulated.defjvp
def simulated_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    return simulated(x), jnp.cos(x) * dx


def logged(w, step):
    shape = jax.ShapeDtypeStruct((), jnp.float32)
    return w**2 + jax.pure_callback(lambda n: np.float32(n), shape, step)


print(jax.grad(simulated)(1.0), jax.grad(logged)(1.0, jnp.int32(3)))
""",
    )

    def check(self, event: "missing_rules.OperationWithoutDerivative") -> Iterator[Finding]:
        """Reports each function that is differentiated and has no derivative."""
        hint = "Keep it out of the derivative: pass `jax.lax.stop_gradient(x)`."
        if event.callback:
            hint = "Give the function around it a rule with `jax.custom_jvp` or `jax.custom_vjp`."
        yield self.finding(
            event,
            headline("`{}` is differentiated, and has no derivative", event.function),
            hint,
        )
