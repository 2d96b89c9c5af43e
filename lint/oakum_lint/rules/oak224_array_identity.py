"""OAK224: an array is compared with `True`, `False` or a number by `is`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, or_static, quoted, traced
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import array_identity


class ArrayIdentity(Rule["array_identity.ArrayIdentityTest"]):
    """## What it does
    Finds `flag is True`, `flag is not False`, `x is 0` and their like, where the value is an array
    of JAX: mostly a flag that `jit` or `vmap` has made a tracer.

    ## Why it matters
    `is` asks whether both sides are one object. An array is never the object `True`, whatever it
    holds, and Python lets no class overload `is`: the test has the same outcome for every value,
    and raises nothing. Without `jit`, with a flag of Python, the same line works.

    ## Example
    ```python
    @jax.jit
    def step(x, training):
        if training is True:
            x = x * 0.5
        return x
    ```

    ## Use instead
    ```python
    @jax.jit
    def step(x, training):
        return jnp.where(training, x * 0.5, x)
    ```
    Or make the argument static: `jax.jit(step, static_argnames=("training",))`.

    ## Known limits
    Nothing is reported where the code has something for arrays beside the two flags: where it reads
    the value on the way that an array takes, or tests it for `True` and for `False`. An array of
    numbers that is compared with `False` is not reported either, which mostly asks whether it was
    passed; nor the patterns `case True:` and `case False:`, nor a constant by its name.

    ## At run time
    Nothing: `is` gives False, and `is not` True. Python warns of `x is 0` with a SyntaxWarning, and
    not of `x is True`.
    https://docs.python.org/3/reference/expressions.html#is-not
    """

    code = Code(
        "OAK224",
        "array-identity",
        "An array is compared with `True`, `False` or a number by `is`",
        "An array is never the object `True`, whatever it holds.",
        "Test its value: `jnp.where(flag, x, y)`, or make the flag static.",
    )
    confidence = (
        "proved where the value is an array in every call of the function, by what makes it there; "
        "likely where a caller, a default or an annotation may bring a value of Python"
    )
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x, training):
    if training is True:  #! OAK224
        x = x * 0.5
    return x


assert step(jnp.ones(2), True).sum() == 2
assert step.__wrapped__(jnp.ones(2), True).sum() == 1
""",
        """\
import jax
import jax.numpy as jnp


def largest(values):
    finite = jnp.isfinite(values).all()
    return jnp.max(values) if finite is not False else 0.0  #! OAK224


def sign(x):
    return jnp.where((x > 0) is True, 1.0, -1.0)  #! OAK224


assert largest(jnp.array([1.0, jnp.inf])) == jnp.inf
assert jax.vmap(sign)(jnp.array([2.0])) == -1
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


def scaled(x, flag):
    if flag is True:
        return x * 2
    if flag is False:
        return x
    return jnp.where(flag, x * 2, x)


def selected(x, flag):
    if flag is not True:
        return jax.lax.cond(flag, lambda: x * 2, lambda: x)
    return x * 2


print(scaled(jnp.ones(2), True), jax.jit(scaled)(jnp.ones(2), True))
print(selected(jnp.ones(2), True), jax.jit(selected)(jnp.ones(2), True))
""",
        """\
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("training",))
def step(x, training):
    if training is True:
        x = x * 0.5
    return x


@jax.jit
def attended(x, mask=False, scale=None):
    if mask is False:
        mask = jnp.ones(x.shape, bool)
    if scale is not None:
        x = x * scale
    return jnp.where(mask, x, 0.0)


print(step(jnp.ones(2), training=True))
print(attended(jnp.ones(2)), attended(jnp.ones(2), jnp.array([True, False]), 2.0))
""",
    )

    def check(self, event: "array_identity.ArrayIdentityTest") -> Iterator[Finding]:
        """Reports each."""
        holds = "never" if event.operator == "is" else "always"
        never = f"it is never the object `{event.literal}`, whatever it holds"
        yield self.finding(
            event,
            headline(f"`{{}}` {holds} holds: `{{}}` is an array", event.test, event.operand.source),
            _hint(event),
            traced(event, never) if event.trace else f"{event.operand} is an array of JAX: {never}",
        )


def _hint(event: "array_identity.ArrayIdentityTest") -> str:
    """What to write in the place of the test."""
    if event.literal not in ("True", "False"):
        comparison = "==" if event.operator == "is" else "!="
        return f"Compare its value: `{quoted(event, 'x')} {comparison} {event.literal}`."
    flag = quoted(event, "flag")
    if event.trace:
        return f"Select by its value, `jnp.where({flag}, x, y)`{or_static(event)}."
    return f"Test its value: `bool({flag})`."
