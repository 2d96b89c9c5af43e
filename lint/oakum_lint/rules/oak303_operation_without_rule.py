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
    two arguments; and forward mode (`jax.jvp`, `jax.jacfwd`) through functions that have a reverse
    rule only (`jax.custom_vjp`).

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
    A function that calls back gets a rule of its own with `jax.custom_jvp` or `jax.custom_vjp`. One
    with `jax.custom_vjp` has its derivatives taken by `jax.grad`, `jax.vjp` or `jax.jacrev`; a
    `jax.custom_jvp` serves both directions.

    ## Known limits
    Derivatives that nobody in the checked files is seen to take are not reported. Operations that
    lack a rule for `vmap`, or one for going back, are found when they run.

    ## At run time
    `NotImplementedError: Differentiation rule for 'pmax' not implemented`, of callbacks
    `ValueError: Pure callbacks do not support JVP.`, in forward mode `TypeError: can't apply
    forward-mode differentiation (jvp) to a custom_vjp function.`
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
        """\
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clipped(x):
    return jnp.clip(x, -1.0, 1.0)


def clipped_fwd(x):
    return clipped(x), x


def clipped_bwd(x, cotangent):
    return (jnp.where(jnp.abs(x) < 1.0, cotangent, 0.1 * cotangent),)


clipped.defvjp(clipped_fwd, clipped_bwd)


def response(x):
    return clipped(2.0 * x) ** 2  #! OAK303


print(jax.jacfwd(response)(jnp.linspace(-1.0, 1.0, 4)))
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
        """\
import functools

import jax
import jax.numpy as jnp
from jax import lax


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def clipped(x, limit):
    return jnp.clip(x, -limit, limit)


def clipped_fwd(x, limit):
    return clipped(x, limit), x


def clipped_bwd(limit, x, cotangent):
    return (jnp.where(jnp.abs(x) < limit, cotangent, 0.1 * cotangent),)


clipped.defvjp(clipped_fwd, clipped_bwd)


def response(x, offset):
    kept = lax.fori_loop(0, 2, lambda _, c: clipped(c, 1.0), offset)
    return x * kept + clipped(lax.stop_gradient(x), 1.0)


x = jnp.linspace(-1.0, 1.0, 4)
print(jax.jacrev(lambda x: clipped(x, 1.0))(x), jax.jacfwd(response)(x, jnp.ones(4)))
print(jax.jvp(jax.grad(lambda x: response(x, 1.0).sum()), (x,), (x,)))
""",
    )

    def check(self, event: "missing_rules.OperationWithoutDerivative") -> Iterator[Finding]:
        """Reports each function that is differentiated and has no derivative."""
        if event.reversed:
            yield self.finding(
                event,
                headline(
                    "forward mode through `{}`, which has a reverse rule only", event.function
                ),
                "Use `jax.grad`, `jax.vjp` or `jax.jacrev`, or make its rule a `jax.custom_jvp`.",
            )
            return
        hint = "Keep it out of the derivative: pass `jax.lax.stop_gradient(x)`."
        if event.callback:
            hint = "Give the function around it a rule with `jax.custom_jvp` or `jax.custom_vjp`."
        yield self.finding(
            event,
            headline("`{}` is differentiated, and has no derivative", event.function),
            hint,
        )
