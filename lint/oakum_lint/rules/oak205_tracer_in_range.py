"""OAK205: a traced value is used where Python needs an integer."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import RangeUse
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, or_static, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInRange(Rule[RangeUse]):
    """## What it does
    Finds traced values where Python asks for an integer through `__index__`: `range(n)`,
    repetition of a list or string, `operator.index`, `itertools.islice`, `enumerate` with a start,
    `chr`, `bin`, `hex`.

    ## Why it matters
    A Python loop is unrolled while the function is traced, so the number of iterations has to be
    known then. An argument of a jitted function is a tracer even when the caller passes an `int`
    and even when it is annotated `int`.

    ## Example
    ```python
    @jax.jit
    def power(matrix, n):
        result = jnp.eye(matrix.shape[0])
        for _ in range(n):
            result = result @ matrix
        return result
    ```

    ## Use instead
    If the number may differ from call to call, loop inside the compiled program:
    ```python
    @jax.jit
    def power(matrix, n):
        start = jnp.eye(matrix.shape[0])
        return jax.lax.fori_loop(0, n, lambda i, result: result @ matrix, start)
    ```
    If it takes few different values, make it static; each value is compiled once:
    ```python
    @partial(jax.jit, static_argnames=("n",))
    def power(matrix, n): ...
    ```

    ## Known limits
    Sizes that come from `x.shape` or `len(x)` are Python integers and are not reported.

    ## Fix
    A number that is handed to the jitted function itself becomes a static argument. Else a loop
    over `range(n)` becomes a `jax.lax.fori_loop`, whose body is a function of the names that an
    iteration hands on to the next. Both are unsafe: each value of a static argument is compiled by
    itself, and what a loop hands on has to keep its shape and dtype. There is no such fix under
    `grad`, nor where the body leaves it, changes an object, or reads a name that may have no value
    before.

    ## At run time
    `jax.errors.TracerIntegerConversionError` from `range` and most uses, a plain `TypeError` or
    `ValueError` from some (`[0] * n`, `islice`):
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError
    """

    code = codes.TRACER_IN_RANGE
    confidence = "proved where Python asks a tracer of a trace that is seen for an index"
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def power(matrix, n):
    result = jnp.eye(matrix.shape[0])
    for _ in range(n):  #! OAK205
        result = result @ matrix
    return result


power(jnp.ones((2, 2)), 3)
""",
        """\
import jax
import jax.numpy as jnp


def smooth(x, rounds):
    for _ in range(rounds):  #! OAK205
        x = 0.5 * (x + jnp.roll(x, 1))
    return x


fast_smooth = jax.jit(lambda x, rounds: smooth(x, rounds))
fast_smooth(jnp.arange(4.0), 2)
""",
        """\
import operator

import jax
import jax.numpy as jnp


@jax.jit
def first_weights(x, count):
    weights = [1.0] * count  #! OAK205
    return x * jnp.asarray(weights).sum()


@jax.jit
def as_index(x, i):
    return x[operator.index(i)]  #! OAK205


first_weights(jnp.ones(3), 2)
as_index(jnp.ones(3), 2)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def power(matrix, n):
    start = jnp.eye(matrix.shape[0])
    return jax.lax.fori_loop(0, n, lambda i, result: result @ matrix, start)


power(jnp.ones((2, 2)), 3)
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("rounds",))
def smooth(x, rounds=2):
    for _ in range(rounds):
        x = 0.5 * (x + jnp.roll(x, 1))
    for axis in range(x.ndim):
        x = x - jnp.mean(x, axis=axis, keepdims=True)
    return x


smooth(jnp.arange(4.0), rounds=3)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def weighted(layers, x):
    weights = [1.0 / len(layers)] * len(layers)
    for i, layer in enumerate(layers):
        x = jnp.tanh(x @ layer) * weights[i]
    return x


weighted([jnp.ones((2, 2)), jnp.ones((2, 2))], jnp.ones(2))
""",
    )

    def check(self, event: RangeUse) -> Iterator[Finding]:
        """Reports each tracer that would have to be an integer."""
        function, source = event.function, event.operand.source
        yield self.finding(
            event,
            headline("sequence repeated by traced value `{}`", source)
            if _is_repetition(function)
            else headline("`{}` on traced value `{}`", function, source),
            _hint(event),
            traced(event, f"this {_consequence(function)}"),
        )

    def fix(self, event: RangeUse, site: Site) -> Fix | None:
        """Makes the number static, or the loop one of JAX."""
        from oakum_lint.fixes.control_flow.loops import fori_loop
        from oakum_lint.fixes.functions.static_arguments import make_static

        static = make_static(site, event.related)
        if static is not None or event.is_differentiated:
            return static
        return fori_loop(site)


def _is_repetition(function: str) -> bool:
    return "*" in function or function.startswith("repetition")


def _consequence(function: str) -> str:
    if _is_repetition(function):
        return "fails while tracing"
    if function.endswith("islice"):
        return "raises ValueError"
    return "raises TracerIntegerConversionError"


def _hint(event: RangeUse) -> str:
    if event.function == "range":
        return f"Loop with `jax.lax.fori_loop(0, n, body, carry)`{or_static(event)}."
    if _is_repetition(event.function):
        return f"Give the sequence a fixed length and mask its end{or_static(event)}."
    return f"Use an integer that tracing knows, such as one from `x.shape`{or_static(event)}."
