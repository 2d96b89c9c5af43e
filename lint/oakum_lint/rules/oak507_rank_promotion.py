"""OAK507: operands of several ranks meet where the program forbids that."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import guards


class RankPromotion(Rule["guards.RankPromotion"]):
    """## What it does
    Finds operations on arrays of several ranks in programs that set `jax_numpy_rank_promotion` to
    "raise".

    ## Why it matters
    The option is set against shapes that fit by accident: `f32[3,3]` minus `f32[3]` subtracts from
    each row, which may have been meant of each column. Each such operation raises.

    ## Example
    ```python
    with jax.numpy_rank_promotion("raise"):
        centred = rows - rows.mean(axis=0)
    ```

    ## Use instead
    ```python
    with jax.numpy_rank_promotion("raise"):
        centred = rows - rows.mean(axis=0, keepdims=True)
    ```

    ## Known limits
    The option is known where `jax.config.update` or a `with` statement sets it, in the module that
    runs or in one that calls it; the variable `JAX_NUMPY_RANK_PROMOTION` is not. Scalars
    have no rank that counts.

    ## At run time
    `ValueError` ("Operands could not be broadcast together ... and with the config option
    jax_numpy_rank_promotion='raise'"): https://docs.jax.dev/en/latest/rank_promotion_warning.html
    """

    code = codes.RANK_PROMOTION
    confidence = "proved where the ranks are known, and the module that runs sets the option"
    not_in_uncalled = "who calls it may have set the option to another value."
    bad = (
        """\
import jax
import jax.numpy as jnp

rows = jnp.ones((4, 3))
with jax.numpy_rank_promotion("raise"):
    centred = rows - rows.mean(axis=0)  #! OAK507
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def predict(weights, bias, batch):
    return jnp.maximum(batch @ weights, bias)  #! OAK507


jax.config.update("jax_numpy_rank_promotion", "raise")
predict(jnp.ones((3, 2)), jnp.zeros(2), jnp.ones((5, 3)))
jax.config.update("jax_numpy_rank_promotion", "allow")
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

rows = jnp.ones((4, 3))
with jax.numpy_rank_promotion("raise"):
    centred = rows - rows.mean(axis=0, keepdims=True)
    print(centred * 2.0 + rows.sum(), rows @ jnp.ones(3))
    with jax.numpy_rank_promotion("allow"):
        print(rows - rows.mean(axis=0))
print(rows - rows.mean(axis=0))
""",
        """\
import jax
import jax.numpy as jnp


def centre(rows):
    return rows - rows.mean(axis=0)


jax.config.update("jax_numpy_rank_promotion", "raise")
print(jnp.ones((4, 3)) - jnp.ones((1, 3)))
jax.config.update("jax_numpy_rank_promotion", "allow")
print(centre(jnp.ones((4, 3))))
""",
    )

    def check(self, event: "guards.RankPromotion") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("`{}` has another rank than what it meets", event.operand.source),
            "Give the operands one rank: `x[None, :]`, `keepdims=True`, or `reshape`.",
            f"`{event.operation}` gets {event.shapes}: jax_numpy_rank_promotion is 'raise'",
        )
