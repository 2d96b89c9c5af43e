"""OAK110: a side effect shows or writes a traced value."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum_lint.domain.events import SideEffect
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, shown, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity


class SideEffectUnderTracing(Rule[SideEffect]):
    """## What it does
    Finds `print`, logging, warnings and writes to files that get a traced value.

    ## Why it matters
    They run while the function is traced, and not when the compiled program does. So they show
    something like `JitTracer(float32[3])` in place of numbers, and they show it once, however
    often the function is called.

    ## Example
    ```python
    @jax.jit
    def train_step(w, x):
        loss = jnp.mean((x @ w) ** 2)
        print("loss", loss)
        return w - 0.1 * loss
    ```

    ## Use instead
    ```python
    @jax.jit
    def train_step(w, x):
        loss = jnp.mean((x @ w) ** 2)
        jax.debug.print("loss {}", loss)
        return w - 0.1 * loss
    ```
    For logging and writing, `jax.debug.callback(function, loss)` calls a Python function with the
    numbers each time the program runs. Or return the value, and print it outside.

    ## Known limits
    Printing shapes, dtypes and other things that tracing knows is a way to watch tracing, and is
    not reported. Nor is a tracer that is printed on purpose, as `type(x)` or `repr(x)`.

    ## Fix
    `print("x", x)` becomes `jax.debug.print("x {}", x)`, and so with f-strings, `%`,
    `format` and `sep`. Safe: what was printed was a tracer. Unsafe in a loop of JAX, which prints
    in each iteration, and under `make_jaxpr` and `eval_shape`, whose program shows the print and
    does not run. Other functions, and `print` with other options, have no fix.

    ## At run time
    Nothing: the text shows a tracer, once.
    https://docs.jax.dev/en/latest/debugging.html
    """

    code = Code(
        "OAK110",
        "side-effect-under-tracing",
        "A side effect shows or writes a traced value",
        "It happens once, while tracing, with a tracer in place of the value.",
        "Use jax.debug.print or jax.debug.callback, or do it outside with the returned value.",
    )
    confidence = "proved where the printed value is a tracer of a trace that is seen"
    fixes = (Safety.SAFE, Safety.UNSAFE)
    severity = Severity.WARNING
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    print("loss", loss)  #! OAK110
    return w - 0.1 * loss


w = jnp.ones(3)
for _ in range(3):
    w = train_step(w, jnp.ones((2, 3)))
""",
        """\
import logging
import sys

import jax
import jax.numpy as jnp

logger = logging.getLogger("sampler")
logger.addHandler(logging.StreamHandler(sys.stdout))


def body(position, step):
    position = position + step
    logger.warning("position %s", position)  #! OAK110
    print("step", step)  #! OAK110
    return position, position


jax.lax.scan(body, jnp.zeros(2), jnp.ones((3, 2)))
""",
        """\
import sys

import jax
import jax.numpy as jnp


def show(name, value):
    sys.stdout.write(f"{name}: {value}\\n")  #! OAK110


@jax.jit
def forward(x):
    y = jnp.tanh(x)
    show("y", y)
    return y


forward(jnp.ones(2))
forward(jnp.zeros(2))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    jax.debug.print("loss {}", loss)
    jax.debug.callback(lambda value: print("loss", value), loss)
    return w - 0.1 * loss, loss


_, loss = train_step(jnp.ones(3), jnp.ones((2, 3)))
print("loss", loss)
""",
        """\
import logging

import jax
import jax.numpy as jnp

logger = logging.getLogger("model")


@jax.jit
def forward(x):
    print("tracing forward for", x.shape, x.dtype)
    logger.info("tracing for %s", x.shape)
    return jnp.tanh(x)


print("result", forward(jnp.ones(2)))
""",
    )

    def check(self, event: SideEffect) -> Iterator[Finding]:
        """Reports each side effect that shows a tracer."""
        yield self.finding(
            event,
            headline(
                "`{}` shows a tracer, not the value of `{}`",
                event.function,
                event.operand.source,
            ),
            _hint(event),
            traced(event, f"`{shown(event.function)}` runs only while tracing"),
        )

    def fix(self, event: SideEffect, site: Site) -> Fix | None:
        """Prints the value when the program runs."""
        from oakum_lint.fixes.functions.prints import debug_print

        return debug_print(site, Safety.SAFE if event.once else Safety.UNSAFE)


def _hint(event: SideEffect) -> str:
    value = quoted(event, "x")
    if event.function in {"print", "pprint.pprint", "pprint"}:
        return f'Write `jax.debug.print("{{}}", {value})`, or print what the function returns.'
    return (
        f"Call it with `jax.debug.callback(function, {value})`, or outside, with what the traced "
        "function returns."
    )
