"""OAK710: a long Python loop runs while its code is traced."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import unrolled_loops


class UnrolledLoop(Rule["unrolled_loops.UnrolledLoop"]):
    """## What it does
    Finds loops of a hundred iterations and more in traced code that compute with
    traced values, and calls of `functools.reduce`, `accumulate`, `map` and `sum` over so many
    items; the iterations of a loop in a loop are multiplied.

    ## Why it matters
    Tracing runs the loop and writes down the operations of every iteration. The program that is
    compiled is as long as all iterations together: compiling it takes seconds to minutes.

    ## Example
    ```python
    @jax.jit
    def rollout(x):
        for _ in range(400):
            x = x + 0.01 * jnp.sin(x)
        return x
    ```

    ## Use instead
    ```python
    @jax.jit
    def rollout(x):
        return jax.lax.fori_loop(0, 400, lambda _, x: x + 0.01 * jnp.sin(x), x)
    ```
    Use `jax.lax.scan` where each iteration has an input or an output of its own.

    ## Known limits
    Only loops whose number of iterations is known are reported; of `while` loops those that count
    with a constant step up to a constant.

    ## Fix
    A loop over `range` that only binds names becomes `jax.lax.fori_loop`. Unsafe:
    the counter is an array in the body, and what is handed on has to keep its type.

    ## At run time
    Nothing: compilation is slow.
    https://docs.jax.dev/en/latest/control-flow.html
    """

    code = Code(
        "OAK710",
        "unrolled-loop",
        "A long Python loop runs while its code is traced",
        "Each iteration is traced and compiled: compilation takes longer with every one.",
        "Loop with jax.lax.fori_loop or jax.lax.scan, which compile the body once.",
    )
    confidence = (
        "proved where the number of iterations is known and each is seen to make traced operations"
    )
    fixes = (Safety.UNSAFE,)
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax
import jax.numpy as jnp

STEPS = 120


@jax.jit
def rollout(x):
    for _ in range(STEPS):  #! OAK710
        x = x + 0.01 * jnp.sin(x)
    return x


assert str(jax.make_jaxpr(rollout)(1.0)).count("sin") == 120
""",
        """\
import jax
import jax.numpy as jnp


def total(xs):
    seen = []
    for i, x in enumerate(xs):  #! OAK710
        seen.append(x * i)
    return sum(seen)


assert str(jax.make_jaxpr(jax.jit(total))(jnp.ones(100))).count("mul") >= 100
jax.jit(total)(jnp.ones(100))
""",
        """\
import functools

import jax
import jax.numpy as jnp

RATES = [0.1, 0.01] * 60


def descend(x, rate):
    return x - rate * jnp.sin(x)


@jax.jit
def settle(x):
    return functools.reduce(descend, RATES, x)  #! OAK710


assert str(jax.make_jaxpr(settle)(1.0)).count("sin") == 120
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def settle(x):
    step = 0
    while step < 120:  #! OAK710
        x = jnp.sin(x)
        step += 1
    return x


def smooth(x):
    for _ in range(12):  #! OAK710
        for _ in range(10):
            x = jnp.cos(x)
    return x


assert str(jax.make_jaxpr(settle)(1.0)).count("sin") == 120
assert str(jax.make_jaxpr(jax.jit(smooth))(1.0)).count("cos") == 120
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

STEPS = 120


@jax.jit
def rollout(x):
    for _ in range(3):
        x = jnp.sin(x)
    total = 0
    for i in range(STEPS):
        total += i
    while total > 100:
        total -= 1
    return jax.lax.fori_loop(0, STEPS, lambda _, x: x + 0.01 * jnp.sin(x), x) + total


rollout(1.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return x + 0.01 * jnp.sin(x)


x = jnp.ones(3)
for _ in range(150):
    x = step(x)
""",
    )

    def check(self, event: "unrolled_loops.UnrolledLoop") -> Iterator[Finding]:
        """Reports each long loop."""
        yield self.finding(
            event,
            headline(
                f"loop over `{{}}` unrolls {event.iterations} iterations while tracing",
                event.operand.source,
            ),
            "Loop with `jax.lax.fori_loop`, or with `jax.lax.scan` where iterations have "
            "inputs or outputs of their own: the body is compiled once.",
            "all iterations are traced and compiled one after the other",
        )

    def fix(self, event: "unrolled_loops.UnrolledLoop", site: Site) -> Fix | None:
        """Makes the loop one of JAX."""
        from oakum_lint.fixes.control_flow.loops import fori_loop

        return fori_loop(site)
