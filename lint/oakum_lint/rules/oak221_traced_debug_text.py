"""OAK221: the text of `jax.debug.print` is made while tracing."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import debug_texts


class TracedDebugText(Rule["debug_texts.TracedText"]):
    """## What it does
    Finds `jax.debug.print(f"{x}")` with a traced `x`, and `jax.debug.log` of such a text.

    ## Why it matters
    Python makes the text of an f-string while the function is traced, when `x` has no number: what
    is printed at each call is the tracer, `JitTracer(float32[2])`. Values are formatted when the
    program runs only where they are arguments of their own.

    ## Example
    ```python
    @jax.jit
    def step(x):
        jax.debug.print(f"x = {x}")
        return x + 1
    ```

    ## Use instead
    ```python
    @jax.jit
    def step(x):
        jax.debug.print("x = {}", x)
        return x + 1
    ```

    ## Known limits
    Only f-strings that are written as the argument are looked at; a text with a numeric format,
    `f"{x:.3f}"`, raises, and is OAK217.

    ## Fix
    The values of the f-string become arguments. Safe: it changes only what is printed, to what was
    meant.

    ## At run time
    Nothing raises: the printed text names the tracer.
    https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html
    """

    code = Code(
        "OAK221",
        "traced-debug-text",
        "The text of jax.debug.print is made while tracing",
        "An f-string is made when the function is traced, and shows the tracer.",
        'Hand the values over: jax.debug.print("x = {}", x).',
    )
    confidence = (
        "proved where the f-string is written as the argument and holds a tracer of a trace "
        "that is seen"
    )
    severity = Severity.WARNING
    keeps_results = True
    fixes = (Safety.SAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    jax.debug.print(f"x = {x}")  #! OAK221
    return x + 1


step(jnp.ones(2))
jax.effects_barrier()
""",
        """\
import jax
import jax.numpy as jnp
from jax import debug


def body(total, x):
    debug.print(f"total {total} in {'all'}")  #! OAK221
    return total + x, total


jax.lax.scan(jax.jit(body), 0.0, jnp.ones(2))
jax.effects_barrier()
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    jax.debug.print("x = {}", x)
    jax.debug.print(f"{x.shape} and {jnp.ndim(x)} of {{}}", x)
    return x + 1


step(jnp.ones(2))
jax.effects_barrier()
""",
        """\
import jax
import jax.numpy as jnp


def step(x):
    jax.debug.print(f"x = {x}")
    return x + 1


step(jnp.ones(2))
jax.effects_barrier()
""",
    )

    def check(self, event: "debug_texts.TracedText") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("text of `{}` shows tracer `{}`", event.function, event.operand.source),
            f'Hand the value over: `{event.function}("{{}}", {event.operand.source})`.',
            f"an f-string is made while tracing: `{event.operand.source}` has no number yet",
        )

    def fix(self, event: "debug_texts.TracedText", site: Site) -> Fix | None:
        """Hands the values over."""
        from oakum_lint.fixes.functions.prints import values_apart

        return values_apart(site)
