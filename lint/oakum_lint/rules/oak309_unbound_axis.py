"""OAK309: a collective operation names an axis that nothing maps."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding


class UnboundAxis(Rule[events.UnboundAxis]):
    """## What it does
    Finds calls of `psum`, `pmean`, `all_gather`, `axis_index` and their like that name an axis
    which no `vmap` or `pmap` around the call binds, where the program itself makes the call.

    ## Why it matters
    These operations combine what a map has split over an axis of that name. A training step that
    takes the mean over devices fails when it is run without its map: in a test, on one device, or
    under `jax.jit` alone.

    ## Example
    ```python
    def step(w, batch):
        return w - 0.1 * jax.lax.pmean(jax.grad(loss)(w, batch), "devices")

    jax.vmap(step, in_axes=(None, 0))(w, batches)
    ```

    ## Use instead
    ```python
    jax.vmap(step, in_axes=(None, 0), axis_name="devices")(w, batches)
    ```

    ## Known limits
    A function that nobody is seen to call may be mapped elsewhere, so it is not reported. Under
    `shard_map`, and under maps of other libraries, which axes there are is not known.

    ## At run time
    `NameError: unbound axis name: devices`
    https://docs.jax.dev/en/latest/_autosummary/jax.lax.psum.html
    """

    code = codes.UNBOUND_AXIS
    confidence = "proved where each transform around the call is known"
    not_in_uncalled = "who calls it may map it over an axis of that name."
    bad = (
        """\
import jax
import jax.numpy as jnp


def step(w, batch):
    gradient = jax.grad(lambda w: jnp.mean((batch - w) ** 2))(w)
    return w - 0.1 * jax.lax.pmean(gradient, "devices")  #! OAK309


jax.vmap(step, in_axes=(None, 0))(1.0, jnp.ones((2, 3)))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def normalized(x):
    total = jax.lax.psum(x, axis_name=("rows", "batch"))  #! OAK309
    return x / total


jax.vmap(normalized, axis_name="batch")(jnp.ones(3))
""",
    )
    good = (
        """\
from functools import partial

import jax
import jax.numpy as jnp


def step(w, batch):
    gradient = jax.grad(lambda w: jnp.mean((batch - w) ** 2))(w)
    return w - 0.1 * jax.lax.pmean(gradient, "devices")


@partial(jax.vmap, axis_name="rows")
def ranked(row):
    def body(total, x):
        return total + jax.lax.psum(x, "rows"), jax.lax.axis_index("rows")

    return jax.lax.scan(body, 0.0, row)


jax.vmap(step, in_axes=(None, 0), axis_name="devices")(1.0, jnp.ones((2, 3)))
print(ranked(jnp.ones((2, 3))), jax.lax.psum(jnp.ones((2, 3)), (0,)))
""",
        """\
import jax
import jax.numpy as jnp


def is_mapped(name):
    try:
        jax.lax.axis_index(name)
    except NameError:
        return False
    return True


@jax.jit
def mean(x, axis_name=None):
    return x if axis_name is None else jax.lax.pmean(x, axis_name)


print(is_mapped("devices"), mean(1.0))
jax.vmap(lambda x: mean(x) - jax.lax.pmean(x, "devices"), axis_name="devices")(jnp.ones(3))
""",
    )

    def check(self, event: events.UnboundAxis) -> Iterator[Finding]:
        """Reports each operation over an axis that nothing binds."""
        names = ", ".join(f"`{name}`" for name in event.available)
        yield self.finding(
            event,
            headline("`{}` names axis `{}`, which nothing maps", event.function, event.axis),
            f"Map the function with that name: `jax.vmap(f, axis_name={event.axis!r})`.",
            f"the axes around it are {names}" if names else "no axis around it has a name",
        )
