"""OAK206: a Python sequence is indexed by a traced value."""

from collections.abc import Iterator

from oakum.values import codes, uses
from oakum.values.uses import Use
from oakum_lint.domain.events import SequenceIndex
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class SequenceIndexedByTracer(Rule[SequenceIndex]):
    """## What it does
    Finds a list, tuple, string or range that is indexed by a traced value.

    ## Why it matters
    A Python sequence needs a Python integer, and a tracer has none to give. The counter of
    `fori_loop` and the index that a `vmap` or `scan` hands to its function are tracers too.

    ## Example
    ```python
    SCHEDULE = [0.1, 0.01, 0.001]


    @jax.jit
    def rate(phase):
        return SCHEDULE[phase]
    ```

    ## Use instead
    Numbers, or arrays of one shape, become one array:
    ```python
    SCHEDULE = jnp.array([0.1, 0.01, 0.001])


    @jax.jit
    def rate(phase):
        return SCHEDULE[phase]
    ```
    Functions become the branches of `jax.lax.switch(index, functions, *operands)`. Layers of the
    same shape can be stacked leaf by leaf and indexed, or scanned over. If the index takes few
    values and is known at the call, make it static. An index past the end is not an error for an
    array: it is clamped.

    ## Known limits
    A dict with a traced key is hashed, not indexed: that is OAK216.

    ## Fix
    Indexes `jnp.array(sequence)`: safe for a list or tuple that is written as numbers, else
    unsafe, for the elements have to be arrays of one shape. A function that is called out of a
    list is chosen by `jax.lax.switch`, which is unsafe too: all have to return the same types.
    Texts have no fix, and neither have lists of objects.

    ## At run time
    `jax.errors.TracerIntegerConversionError`, or `TypeError` where the index is not an integer:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError
    """

    code = codes.SEQUENCE_INDEXED_BY_TRACER
    confidence = (
        "proved where the container is a sequence of Python and its index a tracer of a trace "
        "that is seen"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import jax

SCHEDULE = [0.1, 0.01, 0.001]


@jax.jit
def rate(phase):
    return SCHEDULE[phase]  #! OAK206


rate(1)
""",
        """\
import jax
import jax.numpy as jnp

layers = (jnp.ones((2, 2)), jnp.zeros((2, 2)))


def apply(i, x):
    return jnp.tanh(x @ layers[i])  #! OAK206


jax.lax.fori_loop(0, 2, apply, jnp.ones(2))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def route(x, scores):
    experts = [jnp.sin, jnp.cos, jnp.tanh]
    best = jnp.argmax(scores)
    return experts[best](x)  #! OAK206


route(jnp.ones(2), jnp.array([0.1, 0.7, 0.2]))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

SCHEDULE = [0.1, 0.01, 0.001]


@jax.jit
def rate(phase):
    return jnp.array(SCHEDULE)[phase]


@jax.jit
def route(x, scores):
    experts = [jnp.sin, jnp.cos, jnp.tanh]
    return jax.lax.switch(jnp.argmax(scores), experts, x)


rate(1)
route(jnp.ones(2), jnp.array([0.1, 0.7, 0.2]))
""",
        """\
import jax
import jax.numpy as jnp

layers = [jnp.ones((2, 2)), jnp.zeros((2, 2))]


@jax.jit
def forward(x):
    for i in range(len(layers)):
        x = jnp.tanh(x @ layers[i])
    return x, layers[-1][0], x[jnp.argmax(x)]


forward(jnp.ones(2))
""",
        """\
import jax
import jax.numpy as jnp

NAMES = ["low", "high"]


@jax.jit
def classify(x):
    return jnp.where(x > 0.5, 1, 0)


print(NAMES[classify(0.7)])
""",
    )

    def check(self, event: SequenceIndex) -> Iterator[Finding]:
        """Reports each Python sequence with a traced index."""
        yield self.finding(
            event,
            headline(
                f"{event.kind} `{{}}` indexed by traced value `{{}}`",
                event.container,
                event.operand.source,
            ),
            uses.hint(Use.SEQUENCE_INDEX, event.operand.source, container=shown(event.container)),
            traced(event, "this raises TracerIntegerConversionError"),
        )

    def fix(self, event: SequenceIndex, site: Site) -> Fix | None:
        """Makes the sequence an array."""
        from oakum_lint.fixes.arrays.conversions import convert_container

        if event.kind in ("list", "tuple", "range") and not event.of_objects:
            return convert_container(site, dotted.ARRAY)
        return None
