"""OAK705: a compiled function holds a large array that it read from outside."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import guards


class CapturedConstant(Rule["guards.CapturedConstant"]):
    """## What it does
    Finds arrays that a jitted function takes from outside, not by its arguments, and that are
    larger than the option `jax_captured_constants_warn_bytes` says (2 GB).

    ## Why it matters
    Such an array is copied into the compiled program, and into each one that is compiled for other
    shapes: memory fills, compilation takes long, and what the variable holds later is not
    seen.

    ## Example
    ```python
    table = jnp.ones((50_000, 20_000))


    @jax.jit
    def embed(x):
        return x @ table
    ```

    ## Use instead
    ```python
    @jax.jit
    def embed(table, x):
        return x @ table
    ```

    ## Known limits
    Each array counts for itself, while JAX adds those of a program up. What is indexed before it is
    used is not followed.

    ## At run time
    UserWarning: A large amount of constants were captured during lowering.
    https://docs.jax.dev/en/latest/config_options.html#jax_captured_constants_warn_bytes
    """

    code = codes.CAPTURED_CONSTANT
    confidence = "proved where the shape and dtype of the array are known"
    severity = Severity.WARNING
    silent = True
    not_in_uncalled = "who calls it may have set the option to another value."
    bad = (
        """\
import warnings

import jax
import jax.numpy as jnp

jax.config.update("jax_captured_constants_warn_bytes", 1000)
table = jnp.ones((100, 10))


@jax.jit
def embed(x):
    return x @ table  #! OAK705


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    embed(jnp.ones(100))
jax.config.update("jax_captured_constants_warn_bytes", 2_000_000_000)
assert any("captur" in str(warning.message) for warning in caught)
""",
        """\
import warnings

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_captured_constants_warn_bytes", 1000)


class Model:
    def __init__(self):
        self.table = np.ones((100, 10), np.float32)

    def loss(self, x):
        return jnp.sum(jnp.dot(x, self.table))  #! OAK705


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    jax.jit(jax.grad(Model().loss))(jnp.ones(100))
jax.config.update("jax_captured_constants_warn_bytes", 2_000_000_000)
assert any("captur" in str(warning.message) for warning in caught)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

jax.config.update("jax_captured_constants_warn_bytes", 1000)
table = jnp.ones((100, 10))


@jax.jit
def embed(table, x):
    return x @ table


print(embed(table, jnp.ones(100)), table * 2.0)
jax.config.update("jax_captured_constants_warn_bytes", 2_000_000_000)
""",
        """\
import jax
import jax.numpy as jnp

table = jnp.ones((100, 10))


@jax.jit
def embed(x):
    return x @ table + jnp.ones((1000, 10))


print(embed(jnp.ones(100)))
""",
    )

    def check(self, event: "guards.CapturedConstant") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("`{}` becomes a constant of a compiled program", event.operand.source),
            "Pass the array as an argument.",
            f"{event.operand} has {event.bytes:,} bytes, and is read by {event.trace} from outside",
            f"jax_captured_constants_warn_bytes is {event.limit:,}: JAX warns of this",
        )
