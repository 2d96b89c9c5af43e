"""OAK302: `nondiff_argnums` of a custom derivative names a parameter that is an array."""

from collections.abc import Iterator

from oakum.values import codes
from oakum.values.records import replace
from oakum_lint.domain import events
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown, traced
from oakum_lint.text.finding import Finding, Severity


class ArrayNondiffArgument(Rule[events.ArrayNondiffArgument]):
    """## What it does
    Finds parameters that `nondiff_argnums` of `jax.custom_vjp` names, though the function annotates
    them as arrays, and traced values that are passed for them. For those of `jax.custom_jvp` it
    finds traced values where the call is differentiated only when their trace has ended: by `grad`
    around a `jit` or `scan`.

    ## Why it matters
    `nondiff_argnums` is for functions, strings, shapes and Python numbers. The function works as
    long as such an argument is concrete, and fails at the first call under `jit`, `vmap`, `scan` or
    `grad` that makes it a tracer.

    ## Example
    ```python
    @partial(jax.custom_vjp, nondiff_argnums=(1,))
    def clip_gradient(x: jax.Array, limit: jax.Array) -> jax.Array:
        return x


    def forward(x, limit):
        return x, None


    def backward(limit, _, g):
        return (jnp.clip(g, -limit, limit),)
    ```

    ## Use instead
    Hand the array from the forward to the backward pass, and return `None` as its derivative:
    ```python
    @jax.custom_vjp
    def clip_gradient(x: jax.Array, limit: jax.Array) -> jax.Array:
        return x


    def forward(x, limit):
        return x, limit


    def backward(limit, g):
        return jnp.clip(g, -limit, limit), None
    ```

    ## Known limits
    A function that is only ever called with concrete arrays for a parameter that is annotated as
    one works in spite of the finding.
    `jax.custom_jvp` takes other tracers there, which are not reported.

    ## At run time
    `jax.errors.UnexpectedTracerError` ("Found a JAX Tracer object passed as an argument to a
    custom_vjp function in a position indicated by nondiff_argnums") at the call:
    https://docs.jax.dev/en/latest/_autosummary/jax.custom_vjp.html
    """

    code = codes.ARRAY_NONDIFF_ARGUMENT
    confidence = (
        "proved where `nondiff_argnums` and the annotation of the parameter that it names are "
        "both seen"
    )
    severity = Severity.WARNING
    bad = (
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(1,))  #! OAK302
def clip_gradient(x: jax.Array, limit: jax.Array) -> jax.Array:
    return x


def forward(x, limit):
    return x, None


def backward(limit, _, g):
    return (jnp.clip(g, -limit, limit),)


clip_gradient.defvjp(forward, backward)


@jax.jit
def loss(x, limit):
    return jnp.sum(clip_gradient(x, limit) ** 2)  #~ UnexpectedTracerError


clip_gradient(jnp.ones(3), jnp.float32(0.1))
loss(jnp.ones(3), 0.1)
""",
        """\
import jax
import jax.numpy as jnp


def weighted(weights: jnp.ndarray, residuals: jnp.ndarray) -> jnp.ndarray:
    return jnp.sum(weights * residuals**2)


def forward(weights, residuals):
    return weighted(weights, residuals), residuals


def backward(weights, residuals, g):
    return (2.0 * g * weights * residuals,)


robust = jax.custom_vjp(weighted, nondiff_argnums=(0,))  #! OAK302
robust.defvjp(forward, backward)
jax.grad(robust, argnums=1)(jnp.ones(3), jnp.arange(3.0))
batch = jnp.ones((2, 3))
jax.vmap(robust)(batch, batch)  #~ UnexpectedTracerError
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x: jax.Array, limit: jax.Array) -> jax.Array:
    return x


def forward(x, limit):
    return x, limit


def backward(limit, g):
    return jnp.clip(g, -limit, limit), None


clip_gradient.defvjp(forward, backward)


@jax.jit
def loss(x, limit):
    return jnp.sum(clip_gradient(x, limit) ** 2)


jax.grad(loss)(jnp.ones(3), 0.1)
""",
        """\
from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(0, 2))
def solve(f: Callable[[jax.Array], jax.Array], x: jax.Array, steps: int) -> jax.Array:
    for _ in range(steps):
        x = f(x)
    return x


def forward(f, x, steps):
    return solve(f, x, steps), None


def backward(f, steps, _, g):
    return (g,)


solve.defvjp(forward, backward)
jax.jit(jax.grad(lambda x: jnp.sum(solve(jnp.cos, x, 20))))(jnp.ones(2))
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def soft_clip(x: jax.Array, limit: jax.Array) -> jax.Array:
    return limit * jnp.tanh(x / limit)


@soft_clip.defjvp
def soft_clip_jvp(limit, primals, tangents):
    (x,), (dx,) = primals, tangents
    return soft_clip(x, limit), dx


jax.jit(jax.grad(lambda x, limit: jnp.sum(soft_clip(x, limit))))(jnp.ones(3), 2.0)
""",
    )

    def check(self, event: events.ArrayNondiffArgument) -> Iterator[Finding]:
        """Reports each array that the derivative of `custom_vjp` is not to be taken by."""
        parameter, function = event.parameter, event.function
        derivative = (
            "leave out its tangent in the rule"
            if event.is_forward
            else "return None as its derivative from the backward pass"
        )
        hint = f"Take `{parameter}` out of `nondiff_argnums`, and {derivative}."
        if event.annotation:
            yield self.finding(
                event,
                headline("`nondiff_argnums` names array `{}` of `{}`", parameter, function),
                hint,
                f"`{parameter}` is annotated as `{shown(event.annotation)}`: a tracer there raises "
                "UnexpectedTracerError",
            )
        else:
            found = self.finding(
                event,
                headline(
                    "`nondiff_argnums` names `{}` of `{}`, which is traced", parameter, function
                ),
                hint,
                traced(
                    event,
                    "the rule gets it when that has ended, which raises UnexpectedTracerError or "
                    "TypeError"
                    if event.is_forward
                    else "this raises UnexpectedTracerError",
                ),
            )
            yield replace(found, severity=Severity.ERROR)
