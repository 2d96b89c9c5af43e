"""OAK211: a traced value is used as a shape or a size."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import ShapeArgument
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, or_static, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracedShape(Rule[ShapeArgument]):
    """## What it does
    Finds traced values where a shape or a number of elements is needed: `jnp.zeros(n)`,
    `x.reshape(n, -1)`, `jnp.arange(n)`, `jnp.linspace(a, b, n)`, `jax.random.normal(key, (n,))`,
    `jnp.broadcast_to`, `jnp.tile`, `jnp.pad`, `jax.random.split(key, n)`.

    ## Why it matters
    A compiled program has fixed shapes, and an argument of a jitted function has no value while
    the program is made. A size computed with `jnp` is the same mistake in disguise: it is traced
    under `jit` even if it starts from constants.

    ## Example
    ```python
    @jax.jit
    def pad_rows(x, n):
        return jnp.zeros((n, x.shape[1])).at[: x.shape[0]].set(x)
    ```

    ## Use instead
    Make the size static; the function is compiled once for each value:
    ```python
    @partial(jax.jit, static_argnames=("n",))
    def pad_rows(x, n):
        return jnp.zeros((n, x.shape[1])).at[: x.shape[0]].set(x)
    ```
    Take sizes from `x.shape` where there is an array to ask, and compute with sizes in Python or
    NumPy (`math.prod(x.shape)`, not `jnp.prod(jnp.array(x.shape))`). If the size really changes on
    every call, allocate the largest and mask the rest.

    ## Known limits
    Arguments that select what is computed rather than how large it is are OAK212.

    ## Fix
    A size that is handed to the jitted function itself becomes a static argument there. Unsafe:
    each value is compiled by itself, and no caller may hand over an array.

    ## At run time
    `TypeError` ("Shapes must be 1D sequences of concrete values of integer type"), or
    `jax.errors.ConcretizationTypeError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError
    """

    code = codes.TRACED_SHAPE
    confidence = (
        "proved where the declaration of the function says that the parameter is a shape or a "
        "size, and a tracer is passed for it"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def pad_rows(x, n):
    return jnp.zeros((n, x.shape[1])).at[: x.shape[0]].set(x)  #! OAK211


pad_rows(jnp.ones((2, 3)), 4)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def time_grid(end, steps):
    return jnp.linspace(0.0, end, steps)  #! OAK211


@jax.jit
def positions(length):
    return jnp.arange(length)  #! OAK211


@jax.jit
def split_heads(x, heads):
    return x.reshape(heads, -1)  #! OAK211


time_grid(1.0, 5)
positions(4)
split_heads(jnp.ones(8), 2)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    return jnp.reshape(x, (jnp.prod(jnp.array(x.shape)),))  #! OAK211


def draw(key, count):
    return jax.random.normal(key, (count, 2))  #! OAK211


flatten(jnp.ones((2, 3)))
jax.jit(draw)(jax.random.key(0), 3)
""",
    )
    good = (
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("n",))
def pad_rows(x, n):
    return jnp.zeros((n, x.shape[1])).at[: x.shape[0]].set(x)


@partial(jax.jit, static_argnums=1)
def time_grid(end, steps):
    return jnp.linspace(0.0, end, steps)


pad_rows(jnp.ones((2, 3)), n=4)
time_grid(1.0, 5)
""",
        """\
import math

import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    size = math.prod(x.shape)
    rows, columns = x.shape
    padding = jnp.zeros_like(x, shape=(rows, columns + 1))
    return x.reshape(size), jnp.arange(len(x)), padding, jnp.arange(x.size // 2)


flatten(jnp.ones((2, 3)))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def time_grid(start, end):
    return jnp.linspace(start, end, 5)


def draw(key, scale, shape=(3,)):
    return scale * jax.random.normal(key, shape)


time_grid(0.0, 1.0)
jax.jit(draw)(jax.random.key(0), 2.0)
""",
    )

    def check(self, event: ShapeArgument) -> Iterator[Finding]:
        """Reports each shape or size that has no value while tracing."""
        yield self.finding(
            event,
            headline(
                "`{}` of `{}` depends on traced value `{}`",
                event.parameter,
                event.function,
                event.operand.source,
            ),
            f"Take the size from an array's `shape`{or_static(event)}.",
            traced(event, "this fails while tracing"),
        )

    def fix(self, event: ShapeArgument, site: Site) -> Fix | None:
        """Makes it static."""
        from oakum_lint.fixes.functions.static_arguments import make_static

        return make_static(site, event.related)
