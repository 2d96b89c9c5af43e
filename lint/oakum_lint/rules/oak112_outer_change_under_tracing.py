"""OAK112: traced code changes a Python value outside of it."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum.values.records import replace
from oakum_lint.domain.events import OuterChange
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity


class OuterChangeUnderTracing(Rule[OuterChange]):
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
    A counter, list or `print` that may be meant, by its name or text, is *information*. Its
    name matches one of `trace-counters` in `[tool.oakum]`, by default `*trac*`, `*compil*`,
    `*cache*`, `*seen*`, `*debug*`, `*shape*`, `*dtype*`, `*ndim*`, `*type(*`, `*log`; or it is an
    attribute or an item, and its name matches one of `call-counters`, by default `*depth*`,
    `*level*`, `*nest*`, `*indent*`, `*scope*`, `*stack*`, `*uid*`, `*_id*`, `*name*`. An empty list
    makes all of them proved. An attribute that the function sets back itself is not reported.

    ## Fix
    `print` becomes `jax.debug.print`, which prints whenever the program runs; unsafe, as that is
    more often. What may be meant has none, nor has any other change.

    ## At run time
    Nothing: the count is too small.
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions
    """

    code = Code(
        "OAK112",
        "outer-change-under-tracing",
        "Traced code changes a Python value outside of it",
        "The change happens once, while tracing, and not when the compiled program runs.",
        "Return what is counted or collected, and change it outside.",
    )
    confidence = (
        "proved where the name is seen to be bound outside the trace; likely where the name "
        "is one of `call-counters`, or the text printed says that it is meant"
    )
    not_in_uncalled = "a `global` statement there names a variable of the module."
    fixes = (Safety.UNSAFE,)
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
import jax


def step(i, x):
    print("one step")  #! OAK112
    return x + i


print(jax.lax.fori_loop(0, 3, step, 0.0))
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

@jax.jit
def step(x):
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

    def check(self, event: OuterChange) -> Iterator[Finding]:
        """Reports each."""
        found = self._found(event)
        if event.meant:
            severity, notes = Severity.INFORMATION, (*found.notes, _MEANT)
            found = replace(found, severity=severity, notes=notes)
        yield found

    def _found(self, event: OuterChange) -> Finding:
        if event.how == "write":
            return self.finding(
                event,
                headline("`{}` writes only while tracing", event.target),
                "Write outside, or hand the values to `jax.debug.callback`.",
                f"the code is traced by {event.trace}: nothing is written when the compiled "
                "program runs",
            )
        return self.finding(
            event,
            headline("outer `{}` changes only while tracing", event.target),
            f"Change `{shown(event.target)}` outside, or return the new value.",
            f"the code is traced by {event.trace}: nothing changes when the compiled program runs",
        )

    def fix(self, event: OuterChange, site: Site) -> Fix | None:
        """Prints when the program runs."""
        from oakum_lint.fixes.functions.prints import debug_print

        if event.how != "write" or event.meant:
            return None
        return debug_print(site, Safety.UNSAFE)


_MEANT = "the name says that it may be meant: `trace-counters`, `call-counters` in `[tool.oakum]`"
