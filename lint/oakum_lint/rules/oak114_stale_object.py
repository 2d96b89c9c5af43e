"""OAK114: an object is changed that a compiled function has read."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import trace_reads


class StaleObject(Rule["trace_reads.ChangedObject"]):
    """## What it does
    Finds assignments to attributes of objects, and to items of what they hold, that a jitted
    function has read before and is called with, or closes over, again. Where it closes over a list
    or dict by name, OAK113 names the place that reads it.

    ## Why it matters
    What tracing reads of a static or closed-over object is a constant of the compiled program. The
    later call runs the same program, with the old value.

    ## Example
    ```python
    class Stage:
        def __init__(self, gain):
            self.gain = gain

        @functools.partial(jax.jit, static_argnums=0)
        def __call__(self, x):
            return self.gain * x


    stage = Stage(2.0)
    stage(x)
    stage.gain = 5.0
    stage(x)
    ```

    ## Use instead
    ```python
    @jax.jit
    def amplify(gain, x):
        return gain * x


    amplify(2.0, x)
    amplify(5.0, x)
    ```
    Or keep static objects unchanged (`@dataclass(frozen=True)`), and make a new one.

    ## Known limits
    Reported are known numbers and texts, the length of containers, elements assigned to NumPy
    arrays, arrays and trees of them in whose place new ones were put, and calls that run the program
    of an earlier one: a finding is likely where not all is known of their arguments, or where a
    loop computes the number.

    ## At run time
    Nothing: the results are those of the old value.
    https://docs.jax.dev/en/latest/faq.html#how-to-use-jit-with-methods
    """

    code = Code(
        "OAK114",
        "stale-object",
        "An object is changed that a compiled function has read",
        "What was read is a constant of the compiled program, which goes on with the old value.",
        "Pass what changes as an argument, or make a new object.",
    )
    confidence = (
        "proved where both calls and the change between them are seen, and the second call "
        "runs the program of the first; likely where their arguments are not all known, or "
        "the object is known only by its way there"
    )
    not_in_uncalled = "what changes the object has to be seen to run between two calls."
    severity = Severity.WARNING
    bad = (
        """\
import functools

import jax
import jax.numpy as jnp


class Stage:
    def __init__(self, gain):
        self.gain = gain

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.gain * x


stage = Stage(2.0)
print(stage(jnp.ones(3)))
stage.gain = 5.0  #! OAK114
print(stage(jnp.ones(3)))
""",
        """\
import jax
import jax.numpy as jnp



class Config:
    gain = 2.0


config = Config()


@jax.jit
def amplify(x):
    return config.gain * x


print(amplify(jnp.ones(3)))
config.gain = 5.0  #! OAK114
print(amplify(jnp.ones(3)))
""",
    )
    good = (
        """\
import functools

import jax
import jax.numpy as jnp


class Stage:
    def __init__(self, gain):
        self.gain = gain
        self.calls = 0

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.gain * x


stage = Stage(2.0)
print(stage(jnp.ones(3)))
stage.calls = 1
print(stage(jnp.ones(3)))
print(Stage(5.0)(jnp.ones(3)))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def amplify(config, x):
    return config["gain"] * x


config = {"gain": 2.0}
print(amplify(config, jnp.ones(3)))
config["gain"] = 5.0
print(amplify(config, jnp.ones(3)))
""",
    )

    def check(self, event: "trace_reads.ChangedObject") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("later call `{}` still uses the old `{}`", event.call, event.operand.source),
            "Pass what changes as an argument, or make a new object.",
            f"{event.operand} is changed after a compiled function has read it",
        )
