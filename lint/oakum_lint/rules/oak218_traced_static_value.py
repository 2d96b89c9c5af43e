"""OAK218: a value that tracing knows is computed with jnp, and needed as a Python value."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum_lint.domain.events import StagedConstant
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracedStaticValue(Rule[StagedConstant]):
    """## What it does
    Finds where sizes, axes and indices that depend on shapes and constants only are computed with
    `jnp`, and a later line needs them as Python values.

    ## Why it matters
    Under `jit` every operation of `jnp` is staged, whatever it gets: `jnp.cumsum` of three
    sizes is a tracer, though the sizes are known. The line that needs the value fails, and the
    line to be fixed is another.

    ## Example
    ```python
    @jax.jit
    def parts(x):
        cuts = jnp.arange(1, 3) * (x.shape[0] // 3)
        return jnp.split(x, cuts)
    ```

    ## Use instead
    Use NumPy, or plain Python, for all that is known while tracing:
    ```python
    @jax.jit
    def parts(x):
        cuts = np.arange(1, 3) * (x.shape[0] // 3)
        return jnp.split(x, cuts)
    ```

    ## Known limits
    The line that needs the value has its own finding. Where both are one line, this is it.

    ## Fix
    Writes `np.f` for `jnp.f`, where NumPy has the function and the arguments. Unsafe: what else is
    computed of the value is computed by NumPy then, in 64 bits.

    ## At run time
    `jax.errors.ConcretizationTypeError` or `jax.errors.TracerIntegerConversionError` at the line
    that needs the value:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError
    """

    code = Code(
        "OAK218",
        "traced-static-value",
        "What is known while tracing is computed with jnp, and needed as a Python value",
        "Under jit every jnp operation is staged, also on shapes and constants: it gives a tracer.",
        "Compute it with NumPy, whose results stay values.",
    )
    confidence = (
        "proved where the use that needs a Python value is; both are in one trace that is seen"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def parts(x):
    cuts = jnp.arange(1, 3) * (x.shape[0] // 3)  #! OAK218
    return jnp.split(x, cuts)  #~ ConcretizationTypeError


parts(jnp.arange(6.0))
""",
        """\
import jax
import jax.numpy as jnp


def half_of(shape):
    return jnp.array(shape[0]) // 2  #! OAK218


@jax.jit
def doubled(x):
    for _ in range(half_of(x.shape)):  #~ TracerIntegerConversionError
        x = 2 * x
    return x


doubled(jnp.ones((4, 3)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def parts(x):
    cuts = np.arange(1, 3) * (x.shape[0] // 3)
    return jnp.split(x, cuts)


parts(jnp.arange(6.0))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def weights(x):
    steps = jnp.arange(x.shape[0]) / x.shape[0]
    return jnp.interp(steps, steps, x)


weights(jnp.arange(6.0))
""",
    )

    def check(self, event: StagedConstant) -> Iterator[Finding]:
        """Reports each value that was known before JAX made a tracer of it."""
        yield self.finding(
            event,
            headline(
                f"`{{}}` is traced, but line {event.line} needs a Python value",
                event.operand.source,
            ),
            "Compute it with NumPy, or in plain Python.",
            f"{event.operand} is computed of what tracing knows, and all the same traced by "
            f"{event.trace}",
        )

    def fix(self, event: StagedConstant, site: Site) -> Fix | None:
        """Computes the value with NumPy."""
        from oakum_lint.fixes.editing.calls import call_of_numpy

        return call_of_numpy(site)
