"""OAK207: a NumPy array is indexed by a traced value."""

from collections.abc import Iterator

from oakum.values import codes, uses
from oakum.values.uses import Use
from oakum_lint.domain.events import NumpyIndex
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class NumpyArrayIndexedByTracer(Rule[NumpyIndex]):
    """## What it does
    Finds a `numpy.ndarray` that is indexed by a traced value.

    ## Why it matters
    NumPy does the indexing, and NumPy asks the index for its numbers, which a tracer does not have.
    The line has no NumPy call in it, so the message at run time, about a conversion to an array,
    is hard to connect with its cause: a table that was made or loaded with NumPy.

    ## Example
    ```python
    table = np.load("embedding.npy")


    @jax.jit
    def embed(tokens):
        return table[tokens]
    ```

    ## Use instead
    ```python
    table = jnp.asarray(np.load("embedding.npy"))


    @jax.jit
    def embed(tokens):
        return table[tokens]
    ```
    A large table is better passed as an argument than closed over: closed over, it is built into
    the compiled program. If the index is known at the call, make it static.

    ## Known limits
    Arithmetic between a NumPy array and a tracer works, and gives a tracer.

    ## Fix
    Indexes `jnp.asarray(table)`. Safe: NumPy cannot be asked for the elements.

    ## At run time
    `jax.errors.TracerArrayConversionError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerArrayConversionError
    """

    code = codes.NUMPY_ARRAY_INDEXED_BY_TRACER
    confidence = (
        "proved where the array is seen to be NumPy's and its index a tracer of a trace that "
        "is seen"
    )
    fixes = (Safety.SAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp
import numpy as np

table = np.arange(12.0).reshape(4, 3)


@jax.jit
def embed(tokens):
    return table[tokens]  #! OAK207


embed(jnp.array([0, 2]))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


def make_step(matrix):
    neighbours = np.argsort(matrix, axis=1)

    def step(state, _):
        return neighbours[state, 1], state  #! OAK207

    return step


step = make_step(np.ones((3, 3)))
jax.lax.scan(step, 0, None, length=4)
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np

weights = np.linspace(0.0, 1.0, 5)


@jax.jit
def heavy(x):
    return weights[x > 0]  #! OAK207


heavy(jnp.arange(5))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import numpy as np

table = np.arange(12.0).reshape(4, 3)


@jax.jit
def embed(tokens):
    return jnp.asarray(table)[tokens]


embed(jnp.array([0, 2]))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np

weights = np.linspace(0.0, 1.0, 5)


@jax.jit
def mix(x):
    total = x * weights[: x.shape[0]]
    for i in range(x.ndim):
        total = total + weights[i] + weights @ jnp.ones(5)
    return total


mix(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def winner(scores):
    return jnp.argmax(scores)


names = np.array(["red", "green", "blue"])
print(names[winner(jnp.array([0.1, 0.7, 0.2]))])
""",
    )

    def check(self, event: NumpyIndex) -> Iterator[Finding]:
        """Reports each NumPy array with a traced index."""
        container = shown(event.container)
        yield self.finding(
            event,
            headline(
                "host array `{}` indexed by traced value `{}`",
                event.container,
                event.operand.source,
            ),
            uses.hint(Use.NUMPY_INDEX, event.operand.source, container=container),
            f"`{container}` is a NumPy array",
            traced(event, "this raises TracerArrayConversionError"),
        )

    def fix(self, event: NumpyIndex, site: Site) -> Fix | None:
        """Makes the table an array of JAX."""
        from oakum_lint.fixes.arrays.conversions import convert_container

        return convert_container(site, dotted.ASARRAY)
