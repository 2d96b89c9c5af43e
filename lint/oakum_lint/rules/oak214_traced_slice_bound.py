"""OAK214: a slice has a traced bound."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import SliceBound
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, or_static, quoted, shown, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracedSliceBound(Rule[SliceBound]):
    """## What it does
    Finds slices `x[start:stop:step]` of which a bound is a traced value, in reads and in `.at[]`
    updates.

    ## Why it matters
    The size of the slice is the difference of its bounds. If they are traced it is not known, even
    where it is plainly the same number on every call, as in `x[i : i + 3]`.

    ## Example
    ```python
    @jax.jit
    def window(x, i):
        return x[i : i + 3]
    ```

    ## Use instead
    ```python
    @jax.jit
    def window(x, i):
        return jax.lax.dynamic_slice_in_dim(x, i, 3)
    ```
    `dynamic_slice` has a traced start and a fixed size; `dynamic_update_slice` writes. Both move
    the start so that the slice lies inside the array. For a size that varies, keep the whole array
    and mask: `jnp.where(jnp.arange(x.shape[0]) < n, x, 0)`.

    ## Known limits
    A traced index without a colon, `x[i]`, is fine for a JAX array.

    ## Fix
    `x[i : i + k]`, `x[i - k : i]` and `x[i * k : (i + 1) * k]` become
    `jax.lax.dynamic_slice_in_dim(x, start, k)`, also beside other indices, and such slices of
    several axes `jax.lax.dynamic_slice(x, starts, sizes)`. Unsafe: near the end of the array the
    start is moved back, where Python would give fewer elements. An update `x.at[i : i + k]` gets
    the indices `i + jnp.arange(k)`. A reduction of a slice of any length, or of what is computed of
    each of its elements, takes the whole array with `where=` and a mask of the positions; `max`,
    `min`, `argmax` and `argmin` take an element of the slice in the place of those outside, and an
    update becomes `jnp.where`. Unsafe: a bound below zero, and an empty slice of which there is no
    maximum, are not known. There is none where the number of dimensions is not known, nor for what
    else is done with such a slice.

    ## At run time
    `IndexError` ("Slice entries must be static integers"); for a slice of a Python or NumPy
    sequence `jax.errors.TracerIntegerConversionError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError
    """

    code = codes.TRACED_SLICE_BOUND
    confidence = "proved where the bound is a tracer of a trace that is seen"
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def window(x, i):
    return x[i : i + 3]  #! OAK214


@jax.jit
def prefix_sum(x, n):
    return x[:n].sum()  #! OAK214


window(jnp.arange(8.0), 2)
prefix_sum(jnp.arange(8.0), 3)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def thin(x, every):
    return x[::every]  #! OAK214


def clear_past(t, cache):
    return cache.at[:, :t].set(0.0)  #! OAK214


thin(jnp.arange(8.0), 2)
jax.lax.fori_loop(0, 3, clear_past, jnp.ones((2, 4)))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def last_valid(tokens, lengths):
    return jax.vmap(lambda row, n: row[n - 1 : n])(tokens, lengths)  #! OAK214


last_valid(jnp.ones((2, 4)), jnp.array([1, 3]))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def window(x, i):
    return jax.lax.dynamic_slice_in_dim(x, i, 3)


@jax.jit
def prefix_sum(x, n):
    return jnp.where(jnp.arange(x.shape[0]) < n, x, 0.0).sum()


window(jnp.arange(8.0), 2)
prefix_sum(jnp.arange(8.0), 3)
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("width",))
def windows(x, i, width):
    half = x.shape[0] // 2
    left, right = x[:half], x[half:]
    return left[::-1], right[:width], x[i], x.at[i].set(0.0)[1:-1]


windows(jnp.arange(8.0), 2, width=2)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def peak(x):
    return jnp.argmax(x)


signal = jnp.array([0.0, 3.0, 1.0, 2.0])
i = peak(signal)
print(signal[i : i + 2])
""",
    )

    def check(self, event: SliceBound) -> Iterator[Finding]:
        """Reports each slice that has no size while tracing."""
        yield self.finding(
            event,
            headline(
                f"slice of `{{}}` has traced {event.bound} `{{}}`",
                event.container,
                event.operand.source,
            ),
            _hint(event),
            traced(event, "the size of the slice is not known, and tracing fails"),
        )

    def fix(self, event: SliceBound, site: Site) -> Fix | None:
        """Takes as many elements from a traced start on, or all with a mask of their positions."""
        from oakum_lint.fixes.arrays.slices import slice_otherwise

        return slice_otherwise(site, event.rank)


def _hint(event: SliceBound) -> str:
    bound, container = quoted(event, event.bound), shown(event.container)
    match event.bound:
        case "start":
            return (
                f"Write `jax.lax.dynamic_slice_in_dim({container}, {bound}, size)` with a "
                f"fixed size{or_static(event)}."
            )
        case "stop":
            return (
                f"Keep the whole array and mask it with `jnp.arange(...) < {bound}`, or write "
                f"`jax.lax.dynamic_slice_in_dim({container}, start, size)` with a fixed size."
            )
        case "step":
            return f"Index with `{container}[jnp.arange(size) * {bound}]`{or_static(event)}."
