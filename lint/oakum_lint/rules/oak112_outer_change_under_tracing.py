"""OAK112: traced code changes a Python value outside of it."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import Event, OuterChange
from oakum_lint.rules.rule import Rule
from oakum_lint.text.finding import Finding, Severity


class OuterChangeUnderTracing(Rule):
    """## What it does
    Finds what traced code does to Python values outside of it: counters that it assigns (global and
    nonlocal names, attributes of objects and of functions, items of a dict), numbers that it
    appends to a list, and files that it writes.

    ## Why it matters
    The change happens once, while the function is traced, however often it is called.

    ## Example
    ```python
    @jax.jit
    def step(x):
        global calls
        calls += 1
        return jnp.sin(x)
    ```

    ## Use instead
    ```python
    @jax.jit
    def step(x, calls):
        return jnp.sin(x), calls + 1
    ```

    ## Known limits
    A counter or list whose name says that it watches tracing (`n_traces`, `compiled_shapes`) is
    meant, and is not reported. Nor is an attribute that goes up and down with calls (`self.depth`).

    ## At run time
    Nothing: the count is too small.
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions
    """

    code = codes.OUTER_CHANGE_UNDER_TRACING
    not_in_uncalled = "a `global` statement there names a variable of the module."
    listens = (OuterChange,)
    severity = Severity.WARNING
    bad = (
        """\
import jax
import jax.numpy as jnp

calls = 0


@jax.jit
def step(x):
    global calls
    calls += 1  #! OAK112
    return jnp.sin(x)


for _ in range(3):
    step(jnp.ones(3))
print(calls)
""",
        """\
import jax
import jax.numpy as jnp

history = []


def note(number):
    history.append(number)  #! OAK112


@jax.jit
def step(x):
    note(7)
    return jnp.sin(x)


for _ in range(3):
    step(jnp.ones(3))
print(history)
""",
        """\
import collections
from functools import partial

import jax
import jax.numpy as jnp

uses = collections.Counter()


class Trainer:
    def __init__(self):
        self.steps = 0

    @partial(jax.jit, static_argnums=0)
    def update(self, w):
        self.steps += 1  #! OAK112
        uses["update"] += 1  #! OAK112
        return w * 0.5


trainer = Trainer()
for _ in range(3):
    trainer.update(jnp.ones(3))
print(trainer.steps, uses["update"])
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

n_traces = 0


@jax.jit
def step(x):
    global n_traces
    n_traces += 1
    names = []
    names.append("step")
    return jnp.sin(x)


calls = 0
for _ in range(3):
    step(jnp.ones(3))
    calls += 1
print(calls)
""",
        """\
import jax
import jax.numpy as jnp


def make(scale):
    uses = 0

    def loss(w):
        nonlocal uses
        uses += 1
        return jnp.sum(w * scale)

    for _ in range(3):
        jax.grad(loss)(jnp.ones(3))
    return uses


print(make(2.0))
""",
    )

    def check(self, event: Event) -> Iterator[Finding]:
        """Reports each."""
        if isinstance(event, OuterChange) and event.how == "write":
            yield self.finding(
                event,
                f"`{event.target}` writes once, when the code is traced by {event.trace}, and not "
                "when the compiled program runs",
                "Write outside, or hand the values to `jax.debug.callback`.",
            )
        elif isinstance(event, OuterChange):
            yield self.finding(
                event,
                f"`{event.target}` is changed once, when the code is traced by {event.trace}, and "
                "not when the compiled program runs",
                f"Change `{event.target}` outside, or return the new value.",
            )
