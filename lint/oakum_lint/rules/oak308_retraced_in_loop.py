"""OAK308: a loop has a jitted function compiled again in every iteration."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses.recompilation import retrace_in_loop


class RetracedInLoop(Rule["retrace_in_loop.Retracing"]):
    """## What it does
    Finds calls of jitted functions in a loop that give another static argument
    in each iteration, the counter of the loop or a number computed from it, or an array of another
    shape: a slice that the counter bounds on one side, or an array of a list that grows. A `lambda`
    or a `functools.partial` as a static argument, or what the loop defines, is another function in
    each iteration, and one that stands for an argument that was left out (`sensor = sensor or
    (lambda x: x)`) in each call. In what `equinox.filter_jit` compiles, a number of Python is
    static.

    ## Why it matters
    There is one compiled program for each value of the static arguments and each shape of the
    other arguments. A loop that never comes back to a value traces and compiles in every
    iteration, which takes far longer than the work itself, and keeps all the programs.

    ## Example
    ```python
    @partial(jax.jit, static_argnames="step")
    def decay(w, step):
        return w * 0.99**step

    for step in range(1000):
        w = decay(w, step)
    ```

    ## Use instead
    Have the number traced, like all numbers:
    ```python
    @jax.jit
    def decay(w, step):
        return w * 0.99**step

    for step in range(1000):
        w = decay(w, step)
    ```
    What grows can be padded to one shape, with a mask or a length to say how much of it counts.

    ## Known limits
    A number that may choose a shape in the function has to be static, and is not reported; nor is a
    loop of less than five iterations. Later iterations may come back to the same values, so
    findings are likely, never proved.

    ## At run time
    Nothing: the program is slow. `oakum run` reports a line that has a function compiled more than
    eight times, and what changed. `jax.config.update("jax_explain_cache_misses", True)` has JAX
    log the reason.
    https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
    """

    code = codes.RETRACED_IN_LOOP
    confidence = (
        "likely, never proved: how often the loop runs, and whether its compiled programs are "
        "found again, is not known"
    )
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
from functools import partial

import jax
import jax.numpy as jnp

traced = []


@partial(jax.jit, static_argnames="step")
def decay(w, step):
    traced.append("decay")
    return w * 0.99**step


w = jnp.ones(2)
for step in range(6):
    w = decay(w, step)  #! OAK308
assert len(traced) == 6
""",
        """\
import jax
import jax.numpy as jnp

traced = []


@jax.jit
def mean(values):
    traced.append(values.shape)
    return values.mean()


data = jnp.arange(16.0).reshape(2, 8)
seen = []
for i in range(6):
    seen.append(float(i))
    row = data[0, : i + 1]
    print(mean(row))  #! OAK308
    print(mean(jnp.array(seen)))  #! OAK308
assert len(set(traced)) == 6
""",
    )
    good = (
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1, 2))
def step(w, size, training=False):
    return w.sum() + jnp.zeros(size).sum() if training else w.sum() * 2


@jax.jit
def scaled(w, rate, i):
    return w * rate / (i + 1)


w = jnp.arange(12.0)
for size in range(1, 9):
    print(step(w, size, True))
for i in range(6):
    w = scaled(w, 0.5, i)
    print(scaled(w[i : i + 3], 1.0, i), scaled(w[::2], 1.0, i))
    window = []
    for j in range(5):
        window.append(float(j))
    print(scaled(jnp.array(window), 1.0, i))
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("power", "training"))
def step(w, power, training=False):
    return w**power if training else w


for training in (False, True):
    print(step(jnp.ones(2), 2, training=training))
for power in (1, 2, 3):
    print(step(jnp.ones(2), power, training=True))
for i, w in enumerate(jnp.ones((6, 2))):
    print(i, step(w, 2, training=i > 2))
""",
    )

    def check(self, event: "retrace_in_loop.Retracing") -> Iterator[Finding]:
        """Reports each."""
        event = event.weakened("a few iterations may be worth their compilations")
        source = event.operand.source
        if event.default:
            yield self.finding(
                event,
                headline(
                    "`{}` recompiles in every call: static `{}` is a new function",
                    event.function,
                    event.parameter,
                ),
                "Define the default once, at the top of the module.",
                "functions are compared by identity, and each call makes another one",
            )
        elif event.made:
            yield self.finding(
                event,
                headline(
                    "`{}` recompiles in every iteration: static `{}` is a new function",
                    event.function,
                    event.parameter,
                ),
                "Define the function once, before the loop, and pass what changes as an argument.",
                "functions are compared by identity, and each iteration makes another one",
            )
        elif event.number:
            yield self.finding(
                event,
                headline(
                    "`{}` recompiles in every iteration: the number `{}` changes",
                    event.function,
                    event.parameter,
                ),
                f"Pass an array, which is traced: `jnp.asarray({source})`.",
                f"`{source}` is another number of Python in each iteration, and there is a program "
                "for each",
            )
        elif event.parameter:
            yield self.finding(
                event,
                headline(
                    "`{}` recompiles in every iteration: static `{}` changes",
                    event.function,
                    event.parameter,
                ),
                "Have it traced: take it out of the static arguments, or move the loop into the "
                "function, as jax.lax.fori_loop.",
                f"`{source}` is another value for the static argument `{event.parameter}` in each "
                "iteration",
            )
        else:
            yield self.finding(
                event,
                headline(
                    "`{}` recompiles in every iteration: the shape of `{}` changes",
                    event.function,
                    source,
                ),
                "Pass arrays of one shape, padded where they are shorter.",
                f"`{source}` has another shape in each iteration",
            )
