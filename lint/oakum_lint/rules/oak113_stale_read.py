"""OAK113: a compiled function reads a variable that changes later."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import trace_reads


class StaleRead(Rule["trace_reads.ReadVariable"]):
    """## What it does
    Finds reads of global and closed-over variables in jitted functions, where the variable, or the
    list or dict that it names, has another value at a later call.

    ## Why it matters
    What tracing reads is a constant of the compiled program. The later call runs the same program,
    with the old value.

    ## Example
    ```python
    rate = 0.1


    @jax.jit
    def update(w, g):
        return w - rate * g


    w = update(w, g)
    rate = 0.01
    w = update(w, g)
    ```

    ## Use instead
    ```python
    @jax.jit
    def update(w, g, rate):
        return w - rate * g


    w = update(w, g, 0.1)
    w = update(w, g, 0.01)
    ```

    ## Known limits
    Reported are known numbers, texts and functions, arrays and trees of them in whose place new
    ones were put, and calls that run the program of an earlier one: a finding is likely where not
    all is known of their arguments, or where a loop computes the number.

    ## Fix
    The variable becomes the last parameter of the function, and each call gives its value, where
    the function is jitted by a decorator at the top of the file and only called in it. Unsafe:
    calls from other files lack the new argument.

    ## At run time
    Nothing: the results are those of the old value.
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions
    """

    code = Code(
        "OAK113",
        "stale-read",
        "A compiled function reads a variable that changes later",
        "Its value is a constant of the compiled program, which goes on with the old one.",
        "Pass the value as an argument.",
    )
    confidence = (
        "proved where both calls and the change between them are seen, and the second call "
        "runs the program of the first; likely where their arguments are not all known, but "
        "of one form"
    )
    not_in_uncalled = "what changes the variable has to be seen to run between two calls."
    severity = Severity.WARNING
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp

rate = 0.5


@jax.jit
def update(w, g):
    return w - rate * g  #! OAK113


print(update(jnp.ones(2), jnp.ones(2)))
rate = 0.25
print(update(jnp.ones(2), jnp.ones(2)))
""",
        """\
import jax
import jax.numpy as jnp


def run():
    scale = 1.0

    def inner(x):
        return x * scale  #! OAK113

    apply = jax.jit(inner)
    first = apply(jnp.ones(2))
    scale = 3.0
    second = apply(jnp.ones(2))
    return first, second


print(run())
""",
        """\
import jax
import jax.numpy as jnp

weights = jnp.zeros(2)
activation = jnp.tanh


@jax.jit
def predict(x):
    return activation(x @ weights)  #! OAK113


print(predict(jnp.ones(2)))
weights = weights + 1.0
print(predict(jnp.ones(2)))
""",
        """\
import jax
import jax.numpy as jnp

settings = {"gain": 2.0, "calls": 0}


@jax.jit
def amplify(x):
    return settings["gain"] * x  #! OAK113


print(amplify(jnp.ones(3)))
settings["gain"] = 5.0
print(amplify(jnp.ones(3)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

RATE = 0.5
size = 2


@jax.jit
def update(w, g):
    return w - RATE * g * size


print(update(jnp.ones(2), jnp.ones(2)))
size = 3
print(update(jnp.ones(3), jnp.ones(3)))
""",
        """\
import jax
import jax.numpy as jnp

rate = 0.5
rate = 0.25


@jax.jit
def update(w, rate):
    return w - rate


print(update(jnp.ones(2), rate))
rate = 0.125
print(update(jnp.ones(2), rate))
for scale in (1, 2):
    stretch = jax.jit(lambda x: jnp.tile(x, scale))
    print(stretch(jnp.ones(2)), [stretch(jnp.ones(2)) for _ in range(2)])
""",
    )

    def check(self, event: "trace_reads.ReadVariable") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("later call `{}` still uses the old `{}`", event.call, event.name),
            f"Pass `{event.name}` as an argument.",
            f"`{event.name}` is a constant of the compiled program",
        )

    def fix(self, event: "trace_reads.ReadVariable", site: Site) -> Fix | None:
        """Makes a parameter of the variable."""
        from oakum_lint.fixes.functions.captured_variables import pass_variable

        if not event.name.isidentifier():
            # An item of a dict: who calls would give the whole.
            return None
        return pass_variable(site, event.name)
