"""OAK508: operands of several dtypes meet where the program forbids that."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import guards


class DtypePromotion(Rule["guards.DtypePromotion"]):
    """## What it does
    Finds operations on arrays of several dtypes in programs that set `jax_numpy_dtype_promotion`
    to "strict".

    ## Why it matters
    The option is set so that no array gets wider unseen: `bfloat16` weights times a `float32` mask
    are `float32`. Each such operation raises.

    ## Example
    ```python
    with jax.numpy_dtype_promotion("strict"):
        mean = total / counts
    ```

    ## Use instead
    ```python
    with jax.numpy_dtype_promotion("strict"):
        mean = total / counts.astype(total.dtype)
    ```

    ## Known limits
    The option is known where `jax.config.update` or a `with` statement sets it, in the module that
    runs or in one that calls it; the variable `JAX_NUMPY_DTYPE_PROMOTION` is not.

    ## At run time
    `TypePromotionError` ("Input dtypes ... have no available implicit dtype promotion path"):
    https://docs.jax.dev/en/latest/type_promotion.html#strict-dtype-promotion
    """

    code = codes.DTYPE_PROMOTION
    confidence = "proved where the dtypes are known, and the module that runs sets the option"
    not_in_uncalled = "who calls it may have set the option to another value."
    bad = (
        """\
import jax
import jax.numpy as jnp

total, counts = jnp.ones(3), jnp.array([1, 2, 3], dtype=jnp.int32)
with jax.numpy_dtype_promotion("strict"):
    mean = total / counts  #! OAK508
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def masked(weights, mask):
    return jnp.multiply(weights, mask)  #! OAK508


jax.config.update("jax_numpy_dtype_promotion", "strict")
masked(jnp.ones(3, dtype=jnp.bfloat16), jnp.ones(3, dtype=jnp.float32))
jax.config.update("jax_numpy_dtype_promotion", "standard")
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

total, counts = jnp.ones(3), jnp.array([1, 2, 3], dtype=jnp.int32)
with jax.numpy_dtype_promotion("strict"):
    print(total / counts.astype(total.dtype), total * 2 + 1.0, counts + 1)
    with jax.numpy_dtype_promotion("standard"):
        print(total / counts)
print(total / counts)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def masked(weights, mask):
    return weights * mask.astype(weights.dtype)


jax.config.update("jax_numpy_dtype_promotion", "strict")
masked(jnp.ones(3, dtype=jnp.bfloat16), jnp.ones(3, dtype=jnp.float32))
jax.config.update("jax_numpy_dtype_promotion", "standard")
""",
    )

    def check(self, event: "guards.DtypePromotion") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("`{}` has another dtype than what it meets", event.operand.source),
            "Convert one of the operands with `astype`.",
            f"`{event.operation}` gets {event.dtypes}: jax_numpy_dtype_promotion is 'strict'",
        )
