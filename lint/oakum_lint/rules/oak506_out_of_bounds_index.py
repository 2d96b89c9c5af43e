"""OAK506: a constant index is beyond the end of an array."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum.values.records import replace
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import index_bounds


class OutOfBoundsIndex(Rule["index_bounds.OutOfBoundsIndex"]):
    """## What it does
    Finds indices that are beyond the end of an array whose shape is known: constants, arrays of
    constants, and the counters of loops; and dynamic slices that reach beyond it.

    ## Why it matters
    A compiled program cannot raise IndexError. JAX gives the last (or first) element for a read,
    drops an update, `jnp.take` gives NaN, and `lax.dynamic_slice` is moved until it fits: the
    program goes on with wrong numbers.

    ## Example
    ```python
    series = jnp.arange(10)
    first, last = series[0], series[10]
    ```

    ## Use instead
    ```python
    series = jnp.arange(10)
    first, last = series[0], series[-1]
    ```
    To have an index beyond the end read as something else on purpose, say so:
    `series.at[i].get(mode="fill", fill_value=0)`.

    ## Known limits
    Only integers that are known are checked, and not the bounds of slices, which Python clamps too.
    Of a counter or an index array only some elements are beyond the end. Where their result becomes
    an operand of `jnp.where` or its kin, is multiplied by booleans, or is made in a branch of
    `lax.cond`, nothing is reported; where arrays are selected or compared around it, it is likely.

    ## At run time
    An error where the axis has no elements: IndexError for an integer, nothing for an update at an
    array of indices. Else nothing: the numbers are wrong.
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#out-of-bounds-indexing
    """

    code = codes.OUT_OF_BOUNDS_INDEX
    confidence = "proved where the index is a constant and the length of the axis is known"
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax.numpy as jnp


def ends(values):
    n = 10
    return values[0], values[n]  #! OAK506


first, last = ends(jnp.arange(10))
assert last == 9
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def update(grid):
    grid = grid.at[1, 4].set(7.0)  #! OAK506
    return grid + grid[..., -5]  #! OAK506


assert jnp.all(update(jnp.zeros((4, 4))) == 0)
assert jnp.isnan(jnp.take(jnp.ones(3), 3))  #! OAK506
""",
        """\
import jax
import jax.numpy as jnp


def total(x):
    def add(i, sum_so_far):
        return sum_so_far + x[i + 1]  #! OAK506

    return jax.lax.fori_loop(0, x.shape[0], add, 0.0)


def histogram(bins):
    return jnp.zeros(3, int).at[bins].add(1)  #! OAK506


assert total(jnp.arange(4.0)) == 9
assert histogram(jnp.array([0, 2, 3])).sum() == 2
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def windows(x):
    last = jax.lax.dynamic_slice(x, (8,), (4,))  #! OAK506
    x = jax.lax.dynamic_update_slice_in_dim(x, jnp.zeros(3), 9, axis=0)  #! OAK506
    return last, x


def means(x):
    def mean(i, out):
        return out.at[i].set(jax.lax.dynamic_slice_in_dim(x, i, 3).mean())  #! OAK506

    return jax.lax.fori_loop(0, x.shape[0], mean, jnp.zeros_like(x))


last, zeroed = windows(jnp.arange(10.0))
assert last[0] == 6 and zeroed[7] == 0
assert means(jnp.arange(4.0))[3] == means(jnp.arange(4.0))[1]
""",
    )
    good = (
        """\
import jax.numpy as jnp


def ends(values):
    return values[0], values[-1], values[-10], values[9], values[2:50]


assert ends(jnp.arange(10))[1] == 9
grid = jnp.zeros((4, 3))
grid[3, 2], grid[None, 3], grid[..., 2], grid[:, -3], grid[3][2]
""",
        """\
import jax.numpy as jnp
from jax import lax

series = jnp.ones(3)
assert series.at[7].get(mode="fill", fill_value=0.0) == 0
assert (series.at[5].set(0.0, mode="drop") == 1).all()
jnp.take(series, 5, mode="clip")
jnp.take(series, 2)
lax.dynamic_slice(series, (1,), (2,)), lax.dynamic_slice_in_dim(series, -2, 2)
lax.dynamic_index_in_dim(series, 2), lax.dynamic_update_index_in_dim(series, 1.0, -1, 0)
""",
        """\
import jax
import jax.numpy as jnp


def differences(x):
    def fill(i, out):
        following = jnp.where(i + 1 < 4, x[i + 1], 0.0)
        return out.at[i].set(following - x[i])

    return jax.lax.fori_loop(0, 4, fill, jnp.zeros(4))


x = jnp.arange(4.0)
assert differences(x)[3] == -3
assert x[jnp.array([[0, -4], [3, 1]])].shape == (2, 2)
assert jax.lax.fori_loop(0, 3, lambda i, total: total + x[i + 1] - x[i - 1], 0.0) == 2
""",
    )

    def check(self, event: "index_bounds.OutOfBoundsIndex") -> Iterator[Finding]:
        """Reports each index beyond the end."""
        found = self._window(event) if event.width > 1 else self._element(event)
        yield replace(found, cause=event.read or found.cause)

    def _element(self, event: "index_bounds.OutOfBoundsIndex") -> Finding:
        allowed = f"from -{event.length} to {event.length - 1}"
        return self.finding(
            event,
            headline(
                f"index {event.index} is out of bounds for axis {event.axis} of `{{}}` "
                f"(size {event.length})",
                event.container,
            ),
            f"Index within the axis ({allowed} here), or say with `mode=` what is meant."
            if event.length
            else "Index only where the axis has elements.",
            _outcome(event),
        )

    def _window(self, event: "index_bounds.OutOfBoundsIndex") -> Finding:
        start = 0 if event.index < -event.length else event.length - event.width
        return self.finding(
            event,
            headline(
                f"slice of {event.width} from index {event.index} overruns axis {event.axis} of "
                f"`{{}}` (size {event.length})",
                event.container,
            ),
            "Pad the array, or begin where the whole slice is within the axis.",
            f"this {'writes' if event.update else 'reads'} the {event.width} elements from index "
            f"{start} on, without an error",
        )


def _outcome(event: "index_bounds.OutOfBoundsIndex") -> str:
    if not event.length and event.update:
        return "this changes nothing, or raises IndexError: the axis has no elements"
    if not event.length:
        return "this is an error: the axis has no elements"
    if event.update:
        return f"`.{event.update}` is dropped without an error"
    if event.fills:
        return "the result is filled with NaN or the like, without an error"
    return f"this reads the {'last' if event.index > 0 else 'first'} element, without an error"
