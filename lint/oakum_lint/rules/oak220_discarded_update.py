"""OAK220: the result of an update is dropped."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import dropped_results


class DiscardedUpdate(Rule["dropped_results.DiscardedUpdate"]):
    """## What it does
    Finds `x.at[i].set(v)`, and the other updates of `.at`, as a statement of its own.

    ## Why it matters
    Arrays of JAX do not change. `.at[i].set(v)` returns a new array and leaves `x` as it is: where
    the result is dropped, nothing has happened.

    ## Example
    ```python
    def histogram(bins):
        counts = jnp.zeros(4)
        for bin in bins:
            counts.at[bin].add(1)
        return counts
    ```

    ## Use instead
    ```python
    def histogram(bins):
        counts = jnp.zeros(4)
        for bin in bins:
            counts = counts.at[bin].add(1)
        return counts
    ```

    ## Known limits
    Of a value that is not known, `.at[i].add(v)` and `.at[i].apply(f)` are not reported: what a
    data frame of pandas holds at `i` may have such a method. A result that is bound to a name and
    never used is not reported; a call that is made for its warning alone is: assign it to `_`.

    ## Fix
    The result is assigned to the variable that was to be updated, where that is a local one.
    Unsafe: the program gives other results.

    ## At run time
    Nothing: the array keeps its old elements.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
    """

    code = Code(
        "OAK220",
        "discarded-update",
        "The result of an update is dropped",
        "`x.at[i].set(v)` returns a new array and leaves `x` as it is.",
        "Assign the result: x = x.at[i].set(v).",
    )
    confidence = (
        "proved where the value is known to be an array of JAX; likely where it is not known, and "
        "the method is one that pandas does not have, the other library with `.at[i]`"
    )
    severity = Severity.WARNING
    silent = True
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax.numpy as jnp


def histogram(bins):
    counts = jnp.zeros(4)
    for bin in bins:
        counts.at[bin].add(1)  #! OAK220
    return counts


assert histogram([0, 2, 2]).sum() == 0
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def masked(x, index):
    x.at[index].set(0.0)  #! OAK220
    return x


assert masked(jnp.ones(3), 1).sum() == 3
""",
    )
    good = (
        """\
import jax.numpy as jnp


def histogram(bins):
    counts = jnp.zeros(4)
    for bin in bins:
        counts = counts.at[bin].add(1)
    return counts


print(histogram([0, 2, 2]))
""",
        """\
import jax
import jax.numpy as jnp


class Cells:
    def __init__(self):
        self.at = {0: set()}


cells = Cells()
cells.at[0].add(1)


@jax.jit
def first(x):
    x.at[0].get()
    return x.at[0].mul(2.0)


print(first(jnp.ones(3)), cells.at)
""",
    )

    def check(self, event: "dropped_results.DiscardedUpdate") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("result of `{}.at[...].{}` is dropped", event.target, event.method),
            f"Assign it: `{event.target} = {event.target}.at[...].{event.method}(...)`.",
            f"arrays of JAX do not change: `{event.target}` stays as it is",
        )

    def fix(self, event: "dropped_results.DiscardedUpdate", site: Site) -> Fix | None:
        """Assigns the result."""
        from oakum_lint.fixes.arrays.updates import assign_update

        return assign_update(site)
