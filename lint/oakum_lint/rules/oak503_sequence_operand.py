"""OAK503: a list or tuple stands where an array is needed."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, shown
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class SequenceOperand(Rule[events.SequenceOperand]):
    """## What it does
    Finds lists and tuples that are passed to functions of `jax.numpy` and `jax.nn`, to operators of
    arrays, and as the index of an array.

    ## Why it matters
    NumPy makes an array of a list wherever it gets one. JAX refuses: each element of the list would
    be moved to the device on its own, every time that the line runs.

    ## Example
    ```python
    losses = []
    for batch in batches:
        losses.append(loss_fn(batch))
    print(jnp.mean(losses))
    ```

    ## Use instead
    ```python
    losses = []
    for batch in batches:
        losses.append(loss_fn(batch))
    print(jnp.mean(jnp.stack(losses)))
    ```
    `jnp.asarray(sequence)` and `jnp.array(sequence)` make an array of numbers, `jnp.stack` one of
    arrays. An index list becomes `x[jnp.array([0, 2])]`.

    ## Known limits
    Of what functions get that take a sequence of arrays (`jnp.stack`, `jnp.concatenate`) only a
    list or tuple in it is reported, where it stands there: `jnp.concatenate(([0], x))`. A
    comparison of an array with a list is not.

    ## Fix
    Puts the sequence into `jnp.array(...)`, but a tuple that a call returns, of which one item was
    meant, and what an integer multiplies: to repeat it may be meant. Safe: without it there is no
    result.

    ## At run time
    `TypeError` ("mean requires ndarray or scalar arguments, got <class 'list'> at position 0"):
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#non-array-inputs-numpy-vs-jax
    """

    code = codes.SEQUENCE_OPERAND
    confidence = "proved where the list or tuple is seen, and the declaration asks for an array"
    fixes = (Safety.SAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def loss_fn(w):
    return jnp.sum((w - 1.0) ** 2)


losses = []
for step in range(3):
    losses.append(loss_fn(jnp.full(2, 0.1 * step)))
print(jnp.mean(losses))  #! OAK503
""",
        """\
import jax
import jax.numpy as jnp


def shifted(x, offsets=(0.1, 0.2)):
    return x + offsets  #! OAK503


jax.vmap(shifted)(jnp.ones((3, 2)))
""",
        """\
import jax
import jax.numpy as jnp

COLUMNS = [0, 2]


@jax.jit
def pick(x):
    return x[COLUMNS]  #! OAK503


pick(jnp.arange(4.0))
""",
        """\
import jax.numpy as jnp


def padded(x):
    return jnp.concatenate(([0.0], x))  #! OAK503


padded(jnp.ones(3))
""",
        """\
import jax.numpy as jnp


def padding(lengths):
    return [0] * jnp.max(lengths)  #! OAK503


padding(jnp.array([3, 5]))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import numpy as np

losses = [jnp.float32(step) for step in range(3)]
jnp.mean(jnp.stack(losses))
jnp.max(jnp.asarray(losses))
np.mean([1.0, 2.0])
jnp.stack(losses)
jnp.concatenate([jnp.ones(2), jnp.zeros(1)])
jnp.sum(jnp.ones((2, 3)), axis=[0])
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np

COLUMNS = np.array([0, 2])


@jax.jit
def pick(x):
    return x[COLUMNS] + x[(0,)] + x[jnp.array([1, 3])]


pick(jnp.arange(4.0))
np.arange(4)[[0, 2]] + [1, 2]
""",
        """\
import jax.numpy as jnp
import numpy as np


def padding(lengths):
    return [0] * int(jnp.max(lengths)) + [1] * np.max([2, 3]) + ["=" * jnp.min(lengths)]


padding(jnp.array([3, 5]))
""",
    )

    def check(self, event: events.SequenceOperand) -> Iterator[Finding]:
        """Reports each sequence that stands where an array is needed."""
        yield self.finding(event, _message(event), _hint(event), "this raises TypeError")

    def fix(self, event: events.SequenceOperand, site: Site) -> Fix | None:
        """Makes the sequence an array."""
        from oakum_lint.fixes.arrays.conversions import convert_operand

        if event.count:
            return None
        return convert_operand(site, event.operand.source, is_tuple=event.kind == "tuple")


def _message(event: events.SequenceOperand) -> str:
    source = event.operand.source
    if not event.function:
        return headline(f"array indexed by the {event.kind} `{{}}`", source)
    if event.count:
        return headline(
            f"the {event.kind} `{{}}` is multiplied by the array `{{}}`", source, event.count
        )
    return headline(f"`{{}}` needs an array, not the {event.kind} `{{}}`", event.function, source)


def _hint(event: events.SequenceOperand) -> str:
    value = quoted(event, "sequence")
    if not event.function:
        return f"Index by an array: `jnp.array({value})`, or by a tuple for one index per axis."
    if event.count:
        repeated = f"`{value} * int({shown(event.count)})`"
        return f"Write `jnp.asarray({value})` for a product, {repeated} to repeat it."
    return f"Write `jnp.asarray({value})`, or `jnp.stack({value})` for a sequence of arrays."
