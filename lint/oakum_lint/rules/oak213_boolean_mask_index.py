"""OAK213: an array is indexed by a traced boolean mask."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import MaskIndex
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class BooleanMaskIndex(Rule[MaskIndex]):
    """## What it does
    Finds a traced boolean mask as an index: in a read, `x[mask]`, and in an update,
    `x.at[mask].set(value)`.

    ## Why it matters
    `x[mask]` has as many elements as the mask has true ones, and that number is not known while
    tracing. An update through a mask goes through the same selection, although its result has the
    shape of `x`.

    ## Example
    ```python
    @jax.jit
    def positive_part(x):
        return x.at[x < 0].set(0.0)


    @jax.jit
    def masked_mean(x, mask):
        return x[mask].mean()
    ```

    ## Use instead
    The three-argument `jnp.where` keeps the shape:
    ```python
    @jax.jit
    def positive_part(x):
        return jnp.where(x < 0, 0.0, x)


    @jax.jit
    def masked_mean(x, mask):
        return jnp.mean(x, where=mask)
    ```
    Sums, means, maxima and the like take `where=`. If the selected elements themselves are
    needed, fix their number: `x[jnp.nonzero(mask, size=16, fill_value=0)]`.

    ## Known limits
    A mask made from constants with NumPy is concrete and is not reported. Under `grad` alone
    masks are concrete too.

    ## Fix
    `x.at[mask].set(v)`, and the other updates, become `jnp.where(mask, v, x)`, and a reduction of
    `x[mask]` one with `where=mask`. Safe where the mask is known to have as many dimensions as the
    array, or compares the array's own elements, and `v` is a number or is taken by the same mask;
    unsafe where that is not known, and where the reduction is of what is computed of `x[mask]`: it
    is computed of all elements then, and their gradients may be NaN (OAK602). `x[mask] += v`
    becomes `x = jnp.where(mask, x + v, x)`. A mask of fewer dimensions selects whole rows, and has
    no fix; nor has what else is done with `x[mask]`.

    ## At run time
    `jax.errors.NonConcreteBooleanIndexError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.NonConcreteBooleanIndexError
    """

    code = codes.BOOLEAN_MASK_INDEX
    confidence = "proved where the index is a tracer whose dtype is known to be bool"
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def masked_mean(x, threshold):
    mask = x > threshold
    return x[mask].mean()  #! OAK213


masked_mean(jnp.arange(4.0), 1.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def positive_part(x):
    return x.at[x < 0].set(0.0)  #! OAK213


@jax.jit
def reflect(x):
    return x.at[x < 0].multiply(-1.0)  #! OAK213


positive_part(jnp.arange(-2.0, 3.0))
reflect(jnp.arange(-2.0, 3.0))
""",
        """\
import jax
import jax.numpy as jnp


def drop_missing(row):
    return row[~jnp.isnan(row)].sum()  #! OAK213


def body(grid, column):
    grid = grid.at[column > 0, 0].add(1.0)  #! OAK213
    return grid, None


jax.vmap(drop_missing)(jnp.ones((2, 3)))
jax.lax.scan(body, jnp.zeros((2, 3)), jnp.ones((4, 2)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def masked_mean(x, threshold):
    mask = x > threshold
    return jnp.mean(x, where=mask), jnp.where(mask, x, 0.0).sum()


@jax.jit
def reflect(x):
    return jnp.where(x < 0, x * -1.0, x)


masked_mean(jnp.arange(4.0), 1.0)
reflect(jnp.arange(-2.0, 3.0))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np

EDGES = np.array([True, False, False, True])


@jax.jit
def clear_edges(x, order):
    x = x.at[EDGES].set(0.0)
    return x[order], x[None, ~EDGES], x[jnp.argsort(x)]


clear_edges(jnp.arange(4.0), jnp.array([3, 2, 1, 0]))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def residuals(x):
    return x - jnp.mean(x)


errors = residuals(jnp.arange(4.0))
print(errors[errors > 0])
""",
    )

    def check(self, event: MaskIndex) -> Iterator[Finding]:
        """Reports each index that is a traced mask."""
        dot = ".at" if event.update else ""
        yield self.finding(
            event,
            headline(
                f"`{{}}{dot}[...]` indexed by traced mask `{{}}`",
                event.container.removesuffix(".at"),
                event.operand.source,
            ),
            _hint(event),
            "the number of elements that the mask selects is not known while tracing",
            traced(event, "this raises NonConcreteBooleanIndexError"),
        )

    def fix(self, event: MaskIndex, site: Site) -> Fix | None:
        """Keeps the shape, and has the mask select."""
        from oakum_lint.fixes.arrays.masks import masked_reduction, masked_update
        from oakum_lint.fixes.arrays.updates import masked_assignment

        if event.update:
            return masked_update(site, event.whole)
        return masked_assignment(site, event.whole) or masked_reduction(site, event.whole)


_UPDATED = {
    "set": "value",
    "add": "{x} + value",
    "subtract": "{x} - value",
    "multiply": "{x} * value",
    "mul": "{x} * value",
    "divide": "{x} / value",
    "power": "{x} ** value",
    "min": "jnp.minimum({x}, value)",
    "max": "jnp.maximum({x}, value)",
    "apply": "function({x})",
}


def _hint(event: MaskIndex) -> str:
    mask = quoted(event, "mask")
    if "," in mask:
        mask = "mask"
    array = event.container.removesuffix(".at")
    if len(array) > 20:
        array = "x"
    if event.update in _UPDATED:
        updated = _UPDATED[event.update].format(x=array)
        return f"Write `jnp.where({mask}, {updated}, {array})`, which keeps the shape."
    return (
        f"Write `jnp.where({mask}, {array}, 0)`, or give a reduction `where={mask}`; "
        f"`{array}[jnp.nonzero({mask}, size=...)]` fixes the number instead."
    )
