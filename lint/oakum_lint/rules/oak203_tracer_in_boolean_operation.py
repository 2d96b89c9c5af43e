"""OAK203: a Python operation asks a traced value whether it is true."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import BooleanUse
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInBooleanOperation(Rule[BooleanUse]):
    """## What it does
    Finds operations that ask a traced value for its truth value without a visible `if`: `and`,
    `or`, `not`, chained comparisons, `in`, the builtins `min`, `max`, `any`, `all`, `sorted` and
    `filter`, the searching methods of lists, comparisons of tuples, and `bisect`.

    ## Why it matters
    Each of them calls `bool()` on its operand or on a comparison of its operands. Python gives
    programs no way to overload `and`, `or`, `not`, `in` or `a < x < b`, so they cannot be traced,
    though the operators `&`, `|`, `~` and the functions of `jax.numpy` can.

    ## Example
    ```python
    @jax.jit
    def inside(x, low, high):
        return low < x and x < high
    ```

    ## Use instead
    ```python
    @jax.jit
    def inside(x, low, high):
        return (low < x) & (x < high)
    ```
    The parentheses are needed: `&` binds tighter than `<`. Use `jnp.minimum` and `jnp.maximum` for
    two values, `jnp.min`, `jnp.max`, `jnp.any`, `jnp.all` and `jnp.sort` for arrays, `jnp.isin` for
    `in`, `jnp.searchsorted` for `bisect`, and `value if value is not None else default` where
    `value or default` means a missing argument.

    ## Known limits
    `x is None or ...` stops at the first operand that decides; what stands behind it is reported
    only where it is reached. The builtins `sum`, `abs`, `round` and `pow` work on tracers and are
    never reported. `min(x)` of one scalar compares nothing.

    ## Fix
    `and`, `or` and `not` become `&`, `|` and `~` between comparisons, else `jnp.logical_and` and
    so on; a chain becomes comparisons joined by `&`; `in`, `min`, `max`, `any`, `all` and `bisect`
    become functions of `jax.numpy`; what is asserted becomes a `checkify.debug_check` (see OAK201).
    Safe where the operands are arrays or numbers by their form: all of them are computed, and
    Python could not choose. Unsafe where an operand may be something else, where a function is
    called that Python might have left out, where `a or b` is not asked for its truth but for one of
    the two values, and for `sorted`, which gives an array in the place of a list.

    ## At run time
    `jax.errors.TracerBoolConversionError`, a kind of `ConcretizationTypeError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError
    """

    code = codes.TRACER_IN_BOOLEAN_OPERATION
    confidence = (
        "proved where the operator or builtin asks a tracer of a trace that is seen for its truth"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def inside(x, low, high):
    return low < x and x < high  #! OAK203


@jax.jit
def inside_chained(x, low, high):
    return low < x < high  #! OAK203


@jax.jit
def outside(x, low, high):
    return not ((low < x) & (x < high))  #! OAK203


inside(0.5, 0.0, 1.0)
inside_chained(0.5, 0.0, 1.0)
outside(0.5, 0.0, 1.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def scale(x, factor):
    factor = factor or 1.0  #! OAK203
    return x * factor


@jax.jit
def is_special(token):
    return token in (0, 1, 2)  #! OAK203


scale(jnp.ones(3), 2.0)
is_special(5)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def cap(x, limit):
    return x * min(jnp.linalg.norm(x), limit)  #! OAK203


@jax.jit
def finished(errors):
    return all(errors < 1e-3)  #! OAK203


@jax.jit
def median(x):
    return sorted(x)[x.shape[0] // 2]  #! OAK203


cap(jnp.ones(3), 1.0)
finished(jnp.zeros(3))
median(jnp.array([3.0, 1.0, 2.0]))
""",
        """\
import bisect

import jax
import jax.numpy as jnp

EDGES = [0.0, 1.0, 2.0]


def bucket(x):
    return bisect.bisect(EDGES, x)  #! OAK203


@jax.jit
def without(x, unwanted):
    kinds = [0, 1, 2]
    kinds.remove(unwanted)  #! OAK203
    return x[jnp.array(kinds)]


jax.vmap(bucket)(jnp.array([0.5, 1.5]))
without(jnp.ones(3), 1)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def inside(x, low, high):
    return (low < x) & (x < high)


@jax.jit
def is_special(token):
    return jnp.isin(token, jnp.array([0, 1, 2]))


@jax.jit
def cap(x, limit):
    return x * jnp.minimum(jnp.linalg.norm(x), limit)


inside(jnp.linspace(-1.0, 2.0, 4), 0.0, 1.0)
is_special(jnp.arange(4))
cap(jnp.ones(3), 1.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def layer(x, weight, bias=None, residual=None):
    y = x @ weight
    if bias is not None and bias.ndim == 1:
        y = y + bias
    if residual is not None and residual.shape == y.shape:
        y = y + residual
    scale = max(x.shape[-1], 1)
    return sum(abs(row) for row in y) / scale


layer(jnp.ones((2, 3)), jnp.ones((3, 3)), bias=jnp.zeros(3))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def losses(x):
    return {"train": jnp.mean(x), "test": jnp.max(x)}


history = sorted(float(v) for v in losses(jnp.arange(3.0)).values())
print(min(history), all(v >= 0.0 for v in history))
""",
    )

    def check(self, event: BooleanUse) -> Iterator[Finding]:
        """Reports each hidden conversion to bool."""
        subject = _SUBJECTS.get(event.construct, f"`{event.construct}`")
        yield self.finding(
            event,
            headline(f"{subject} on traced value `{{}}`", event.operand.source),
            _HINTS.get(event.construct.removeprefix("bisect."), _OTHERWISE),
            traced(event, "this raises TracerBoolConversionError"),
        )

    def fix(self, event: BooleanUse, site: Site) -> Fix | None:
        """Puts an operation on arrays in the place of one on truth values."""
        from oakum_lint.fixes.control_flow.logical_operators import (
            array_function,
            elementwise_operation,
        )

        match event.construct:
            case "and" | "or" | "not" | "chained comparison" | "in" | "not in":
                return elementwise_operation(site, may_loop=not event.is_differentiated)
            case name:
                return array_function(site, name, event.holder)


_SUBJECTS = {
    "chained comparison": "chained comparison",
    "==": "`==` of two sequences",
}

_HINTS = {
    "and": "Write `&` with each side in parentheses, or `jnp.logical_and`.",
    "or": "Write `|` with each side in parentheses or `jnp.logical_or`; "
    "for a default value test `is not None`.",
    "not": "Write `~` on a boolean array, or `jnp.logical_not`.",
    "chained comparison": "Write two comparisons joined by `&`: `(low < x) & (x < high)`.",
    "in": "Write `jnp.isin(x, jnp.array([...]))`, or `(x == a) | (x == b)`.",
    "not in": "Write `~jnp.isin(x, jnp.array([...]))`, or `(x != a) & (x != b)`.",
    "min": "Write `jnp.minimum(a, b)` for two values, `jnp.min(x)` for the elements of an array.",
    "max": "Write `jnp.maximum(a, b)` for two values, `jnp.max(x)` for the elements of an array.",
    "any": "Write `jnp.any(x)`.",
    "all": "Write `jnp.all(x)`.",
    "sorted": "Write `jnp.sort(x)`, or `jnp.argsort` where the order is needed.",
    "list.sort": "Stack the values and write `jnp.sort(jnp.stack(values))`.",
    "filter": "Keep all elements and mask them with `jnp.where(test, x, 0)`.",
    "bisect": "Write `jnp.searchsorted(jnp.asarray(edges), x)`.",
    "list.index": "Write `jnp.argmax(jnp.asarray(items) == x)`.",
    "list.count": "Write `jnp.sum(jnp.asarray(items) == x)`.",
    "list.remove": "Keep the items and mask: `jnp.where(jnp.asarray(items) != x, ..., ...)`.",
}

_OTHERWISE = "Compare the values one by one with `==` or `<`, and join the results with `&` or `|`."
