"""OAK219: `~` is applied to a Python bool."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum_lint.domain import events
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity


class InvertedBool(Rule[events.InvertedBool]):
    """## What it does
    Finds `~` of a Python `True` or `False`: a flag, or a comparison of shapes and other numbers
    that tracing knows.

    ## Why it matters
    `~` negates the elements of a boolean array. Of a Python bool it inverts the bits of a number:
    `~True` is -2 and `~False` is -1. Both count as true, in `if` and in `jnp.where`.

    ## Example
    ```python
    use_bias = True
    y = jnp.where(~use_bias, y, y + bias)
    ```

    ## Use instead
    ```python
    use_bias = True
    y = jnp.where(not use_bias, y, y + bias)
    ```

    ## Known limits
    Only what is known to be a Python bool is reported, not what NumPy gives. In library mode that
    is likely of a parameter, or of a field of a dataclass, that is annotated as `bool` and has True
    or False for its default.

    ## Fix
    `~flag` becomes `not flag`. Unsafe: the program took every such flag for true. There is none
    beside `&` and a comparison or a variable, where the bits have the right truth for truths and
    arrays.

    ## At run time
    Nothing: the mask is wrong. Python 3.12 warns that `~` of a bool is deprecated.
    https://docs.python.org/3/library/functions.html#bool
    """

    code = Code(
        "OAK219",
        "inverted-bool",
        "A Python bool is inverted with `~`",
        "Of a Python bool `~` gives -1 or -2, and both count as true.",
        "Write `not`, or make it an array.",
    )
    confidence = (
        "proved where the operand is known to be True or False; likely where only an "
        "annotation and a default say so"
    )
    severity = Severity.WARNING
    silent = True
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import warnings

import jax
import jax.numpy as jnp

warnings.simplefilter("ignore")


@jax.jit
def shifted(y, bias):
    use_bias = y.ndim == 1
    return jnp.where(~use_bias, y, y + bias)  #! OAK219


assert (shifted(jnp.ones(2), 1.0) == 1).all()
""",
        """\
import warnings

import jax.numpy as jnp

warnings.simplefilter("ignore")


def attention(scores, causal=False):
    if ~causal:  #! OAK219
        return scores
    return jnp.tril(scores)


assert attention(jnp.ones((2, 2)), causal=True)[0, 1] == 1
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def masked(x, flag):
    mask = x > 0
    return jnp.where(~mask & ~flag, x, 0.0) * ~np.bool_(True) + ~np.any(np.ones(2)) + ~3


print(masked(jnp.ones(2), True))
""",
        """\
import jax.numpy as jnp


def attention(scores, causal=False):
    if not causal:
        return scores
    return jnp.tril(scores, ~0)


print(attention(jnp.ones((2, 2)), causal=True))
""",
    )

    def check(self, event: events.InvertedBool) -> Iterator[Finding]:
        """Reports each."""
        number, value = _NUMBERS[event.value]
        yield self.finding(
            event,
            headline("`{}` on a Python bool is always truthy", event.operand.source),
            f"Write `not {event.inverted}`.",
            f"`{event.inverted}` is {value}a Python bool and not an array: inverted it is the "
            f"number {number} as true",
        )

    def fix(self, event: events.InvertedBool, site: Site) -> Fix | None:
        """Negates the flag."""
        from oakum_lint.fixes.control_flow.logical_operators import negated_bool

        return negated_bool(site)


_NUMBERS = {
    True: ("-2, which counts", "True, "),
    False: ("-1, which counts", "False, "),
    None: ("-1 or -2, which both count", ""),
}
"""The number that a bool becomes, and how the bool itself is spelled."""
