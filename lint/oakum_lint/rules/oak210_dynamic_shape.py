"""OAK210: the size of a result depends on traced values."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import DynamicSize
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class DynamicShape(Rule[DynamicSize]):
    """## What it does
    Finds operations on traced values whose result has as many elements as the values say:
    `jnp.nonzero` and one-argument `jnp.where`, `argwhere`, `flatnonzero`, `unique` and the set
    operations, `bincount`, `repeat` with traced counts, `compress`, `extract`, `delete`.

    ## Why it matters
    A compiled program has fixed shapes. What these functions return has a shape that is known
    only after the values are, so they cannot be compiled as they stand.

    ## Example
    ```python
    @jax.jit
    def mean_of_active(x, threshold):
        active = jnp.where(x > threshold)
        return x[active].mean()
    ```

    ## Use instead
    Mostly the dynamic array is only a step on the way, and a mask does the same:
    ```python
    @jax.jit
    def mean_of_active(x, threshold):
        return jnp.mean(x, where=x > threshold)
    ```
    Where positions are needed, fix how many and what fills the rest:
    `jnp.nonzero(mask, size=16, fill_value=0)`, `jnp.unique(x, size=16)`,
    `jnp.bincount(x, length=16)`, `jnp.repeat(x, counts, total_repeat_length=64)`.

    ## Known limits
    Under `grad` alone values are concrete, and these functions work.

    ## Fix
    Indices that are found by `jnp.where(mask)` or `jnp.nonzero(mask)` and only serve as an index
    are not made: the mask is the index, which is safe. Elsewhere the fix adds `size=` with the
    number of elements of the argument, the most that there can be, where the result is handed back,
    or the first of it are, or the array that is searched is changed at all of it:
    `x.at[rows].add(1)`, for which what is not found is filled with an index that it has not. That
    is unsafe: what is handed back is filled with 0, and whoever gets it has to leave that out.
    There is none for other uses, which what is filled would change, nor for functions without
    `size=`.

    ## At run time
    `jax.errors.ConcretizationTypeError`, from `compress` and `extract` its kind
    `TracerBoolConversionError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError
    """

    code = codes.DYNAMIC_SHAPE
    confidence = (
        "proved where the declaration of the function says that its size depends on values, "
        "and the values are a tracer"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def mean_of_active(x, threshold):
    active = jnp.where(x > threshold)  #! OAK210
    return x[active].mean()


mean_of_active(jnp.arange(4.0), 1.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def first_peaks(signal):
    rising = signal[1:] > signal[:-1]
    (peaks,) = jnp.nonzero(rising)  #! OAK210
    return peaks[:2]


@jax.jit
def class_counts(labels):
    classes = jnp.unique(labels)  #! OAK210
    return classes.shape[0]


@jax.jit
def histogram(labels):
    return jnp.bincount(labels)  #! OAK210


first_peaks(jnp.array([0.0, 1.0, 0.5, 2.0]))
class_counts(jnp.array([0, 1, 1]))
histogram(jnp.array([0, 1, 1]))
""",
        """\
import jax
import jax.numpy as jnp


def expand(values, counts):
    return jnp.repeat(values, counts)  #! OAK210


def survivors(mask, x):
    return jnp.compress(mask, x)  #! OAK210


jax.jit(expand)(jnp.arange(3), jnp.array([1, 2, 1]))
jax.vmap(survivors)(jnp.ones((2, 3)) > 0, jnp.ones((2, 3)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def mean_of_active(x, threshold):
    return jnp.mean(x, where=x > threshold)


@jax.jit
def sparse(x):
    (rows,) = jnp.nonzero(x > 0, size=2, fill_value=0)
    return x[rows], jnp.where(x > 0, x, 0.0)


@jax.jit
def histogram(labels):
    return jnp.bincount(labels, length=3), jnp.unique(labels, size=3)


mean_of_active(jnp.arange(4.0), 1.0)
sparse(jnp.arange(4.0))
histogram(jnp.array([0, 1, 1]))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def tiled(values, counts):
    twice = jnp.repeat(values, 2)
    grown = jnp.repeat(values, counts, total_repeat_length=8)
    return twice, grown, jnp.isin(values, counts)


tiled(jnp.arange(3), jnp.array([1, 2, 1]))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def scores(x):
    return jnp.tanh(x)


result = scores(jnp.arange(-2.0, 3.0))
(positive,) = jnp.nonzero(result > 0)
print(jnp.unique(jnp.sign(result)), result[positive])
""",
    )

    def check(self, event: DynamicSize) -> Iterator[Finding]:
        """Reports each result that has no size while tracing."""
        error = "ConcretizationTypeError"
        if event.function.endswith((".compress", ".extract")):
            error = "TracerBoolConversionError"
        yield self.finding(
            event,
            headline(
                "result size of `{}` depends on traced value `{}`",
                event.function,
                event.operand.source,
            ),
            _hint(event),
            traced(event, f"this raises {error}"),
        )

    def fix(self, event: DynamicSize, site: Site) -> Fix | None:
        """Fixes the size."""
        from oakum_lint.fixes.arrays.sizes import known_size

        is_mask = event.operand.aval.startswith("bool")
        return known_size(site, event.size_parameter, is_mask=is_mask)


def _hint(event: DynamicSize) -> str:
    if event.size_parameter:
        return (
            f"Fix the size with `{event.size_parameter}=...`, or keep the shape and mask with "
            "`jnp.where(mask, x, 0)`."
        )
    mask = quoted(event, "mask")
    return f"Keep the shape and mask: `jnp.where({mask}, x, 0)`."
