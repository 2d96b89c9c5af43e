"""OAK202: a `while` loop tests a traced value."""

from collections.abc import Iterator

from oakum.values import codes, uses
from oakum.values.uses import Use
from oakum_lint.domain.events import LoopCondition
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInLoopCondition(Rule[LoopCondition]):
    """## What it does
    Finds `while` loops whose test is a traced value.

    ## Why it matters
    A Python loop is unrolled while the function is traced, so the number of iterations has to be
    known then. A test that depends on traced values is not: tracing stops with an error at the
    first iteration.

    ## Example
    ```python
    @jax.jit
    def square_root(a):
        x = a
        while jnp.abs(x * x - a) > 1e-6:
            x = 0.5 * (x + a / x)
        return x
    ```

    ## Use instead
    ```python
    @jax.jit
    def square_root(a):
        def unfinished(x):
            return jnp.abs(x * x - a) > 1e-6

        def improve(x):
            return 0.5 * (x + a / x)

        return jax.lax.while_loop(unfinished, improve, a)
    ```
    Everything that changes in the loop goes into the carry (a tuple or dict, if there is more than
    one thing), and keeps its shape and dtype. `while_loop` has no reverse-mode derivative: where
    one is needed, use `jax.lax.fori_loop` or `jax.lax.scan` with a fixed number of steps and
    freeze the carry with `jnp.where` once it has converged.

    ## Known limits
    A `break` behind a traced test is an ordinary branch and is reported as OAK201.

    ## Fix
    The loop becomes a `jax.lax.while_loop`: its test and its body become functions of the names
    that an iteration hands on to the next. Unsafe: all of them have to keep their shapes and
    dtypes. There is no fix under `grad`, nor where the body leaves the loop, changes an object, or
    reads a name that may have no value before the loop.

    ## At run time
    `jax.errors.TracerBoolConversionError`, a kind of `ConcretizationTypeError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError
    """

    code = codes.TRACER_IN_LOOP_CONDITION
    confidence = (
        "proved where the test of the loop is a tracer when it is first asked, in a trace "
        "that is seen"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def square_root(a):
    x = a
    while jnp.abs(x * x - a) > 1e-6:  #! OAK202
        x = 0.5 * (x + a / x)
    return x


square_root(2.0)
""",
        """\
import jax


def collatz_length(n):
    steps = 0
    while n > 1:  #! OAK202
        n = jax.numpy.where(n % 2 == 0, n // 2, 3 * n + 1)
        steps = steps + 1
    return steps


jax.vmap(collatz_length)(jax.numpy.arange(1, 5))
""",
        """\
import jax
import jax.numpy as jnp


def backtrack(loss, x, direction, rate):
    while loss(x - rate * direction) > loss(x):  #! OAK202
        rate = rate / 2
    return rate


@jax.jit
def descend(x):
    direction = 2.0 * x
    rate = backtrack(lambda v: jnp.sum(v**2), x, direction, 4.0)
    return x - rate * direction


descend(jnp.ones(3))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def square_root(a):
    def unfinished(x):
        return jnp.abs(x * x - a) > 1e-6

    def improve(x):
        return 0.5 * (x + a / x)

    return jax.lax.while_loop(unfinished, improve, a)


square_root(2.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def halve(x):
    width = x.shape[0]
    while width > 1:
        width = width // 2
        x = x[:width] + x[width : 2 * width]
    return x


halve(jnp.arange(8.0))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def improve(x, a):
    return 0.5 * (x + a / x)


x = 2.0
while jnp.abs(x * x - 2.0) > 1e-3:
    x = improve(x, 2.0)
print(x)
""",
    )

    def check(self, event: LoopCondition) -> Iterator[Finding]:
        """Reports each loop that a tracer would have to end."""
        yield self.finding(
            event,
            headline("`while` on traced value `{}`", event.operand.source),
            uses.hint(Use.LOOP, event.operand.source),
            traced(event, "this raises TracerBoolConversionError"),
        )

    def fix(self, event: LoopCondition, site: Site) -> Fix | None:
        """Makes it a loop of JAX."""
        from oakum_lint.fixes.control_flow.loops import while_loop

        return None if event.is_differentiated else while_loop(site)
