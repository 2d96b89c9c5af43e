"""OAK502: dtypes that do not fit an operation."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import misfit
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class DtypeMismatch(Rule[events.Misfit]):
    """## What it does
    Finds operations on arrays whose dtypes are certainly not taken: arithmetic of booleans that has
    no meaning (`-mask`, `mask - other`), bits of floats (`x & 1`), floats as indices, integers
    passed to functions of `jax.lax` that take floats, operands of `jax.lax` whose dtypes differ.

    ## Why it matters
    NumPy and Python take some of these, and JAX raises: booleans are no numbers, and `jax.lax` does
    not promote.

    ## Example
    ```python
    mask = jnp.array([True, False])
    weights = 1 - mask
    outside = -mask
    kept = mask - (x > 0)
    ```

    ## Use instead
    ```python
    mask = jnp.array([True, False])
    weights = 1 - mask
    outside = ~mask
    kept = mask ^ (x > 0)
    ```
    Convert an operand with `astype` where a number is meant, or use the function of `jax.numpy`,
    which promotes, in place of that of `jax.lax`.

    ## Known limits
    Only dtypes that the program itself shows are known. Operands that are no arrays at all are
    reported where they are None or a text, and what is no function where a transform needs one.

    ## Fix
    `not x` and `x or d` become `x is None` and `d if x is None else x`, where `x` is a parameter
    with the default None that gets a random key: unsafe, as a value that is false and not None is
    kept then. `-mask` becomes `~mask`, and the mask of `x.mean(where=n)` becomes `n != 0`: unsafe,
    as another test may be meant. Other misfits have no fix.

    ## At run time
    `TypeError` ("neg does not accept dtype bool", "lax.add requires arguments to have the same
    dtypes"): https://docs.jax.dev/en/latest/type_promotion.html
    """

    code = codes.DTYPE_MISMATCH
    confidence = "proved where the dtypes of the operands are known, and JAX refuses them together"
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax


def noise(shape, key=None):
    if not key:  #! OAK502
        key = jax.random.key(0)
    return jax.random.normal(key, shape)


print(noise((3,), jax.random.key(1)))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def outside(x):
    inside = (x > 0) & (x < 1)
    return jnp.where(-inside, x, 0.0)  #! OAK502


outside(jnp.linspace(-1.0, 2.0, 5))
""",
        """\
import jax.numpy as jnp
from jax import lax

scores = jnp.ones(4)
counts = jnp.arange(4)
scores[jnp.floor(scores)]  #! OAK502
scores & 1  #! OAK502
(scores > 0) - (counts > 2)  #! OAK502
lax.add(scores, counts)  #! OAK502
lax.exp(counts)  #! OAK502
jnp.sum(None)  #! OAK502
scores + None  #! OAK502
jnp.where(scores > 0, scores, None)  #! OAK502
jnp.zeros(2, 3)  #! OAK502
""",
        """\
import jax
import jax.numpy as jnp


def loss(w):
    return jnp.sum(w**2)


def gradient(w):
    return jax.grad(loss(w))(w)  #! OAK502


gradient(jnp.ones(3))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def outside(x):
    inside = (x > 0) & (x < 1)
    return jnp.where(~inside, x, 0.0) + 1 - inside


outside(jnp.linspace(-1.0, 2.0, 5))
""",
        """\
import jax.numpy as jnp
from jax import lax

counts = jnp.arange(4)
jnp.ones(4)[counts] + jnp.exp(counts)
lax.add(jnp.ones(4), counts.astype(jnp.float32))
(counts > 2) ^ (counts < 1)
counts & 1
""",
    )

    def check(self, event: events.Misfit) -> Iterator[Finding]:
        """Reports each operation whose operands certainly have dtypes that it does not take."""
        if event.problem == "dtype":
            message, notes = misfit(event)
            yield self.finding(event, message, event.hint, *notes)

    def fix(self, event: events.Misfit, site: Site) -> Fix | None:
        """Asks of a parameter whether it is None, which its truth does not say, or makes a mask."""
        from oakum_lint.fixes.arrays.booleans import make_boolean
        from oakum_lint.fixes.control_flow.missing_arguments import ask_for_none

        if event.problem != "dtype":
            return None
        return ask_for_none(site) if event.function in ("not", "or") else make_boolean(site)
