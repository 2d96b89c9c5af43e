"""OAK605: an operation gives NaN or infinity."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses.nan_values import infinite_products


class InvalidNumber(Rule["infinite_products.InvalidNumber"]):
    """## What it does
    Finds operations that give NaN or infinity for ordinary operands:

    - infinity times what is left of a mask, `(1 - mask) * -jnp.inf`: it is NaN where the mask is 1;
    - an exponential divided by its own sum, or by one plus itself, where nothing was subtracted
      from its argument: a softmax or a sigmoid by hand;
    - the logarithm of a sum of such exponentials.

    ## Why it matters
    Zero times infinity is NaN, and a row of attention with one NaN in it is NaN. In single
    precision the exponential of 89 is infinite, and infinity over infinity is NaN; that of -104 is
    zero, and zero over zero is NaN.

    ## Example
    ```python
    causal = jnp.tril(jnp.ones((4, 4)))
    weights = jax.nn.softmax(scores + (1 - causal) * -jnp.inf)
    ```

    ## Use instead
    ```python
    causal = jnp.tril(jnp.ones((4, 4)))
    weights = jax.nn.softmax(jnp.where(causal == 1, scores, -jnp.inf))
    ```
    `jax.nn.softmax`, `jax.nn.sigmoid` and `jax.nn.logsumexp` subtract what keeps their exponentials
    from overflowing.

    ## Known limits
    Whether an element of a mask is zero, or an argument ever so large, is not known, so a finding
    is likely and never proved. A boolean mask times infinity is not reported: XLA compiles it to a
    selection. An exponential is passed over if something was subtracted from its argument, divides
    it by its own size or bounds it, also where the function binds the names in it: `exp(x -
    x.max())`; and if it is that of what is called `log_probs`.

    ## At run time
    Nothing: the result is NaN. `FloatingPointError` where `jax_debug_nans` is on.
    """

    code = codes.INVALID_NUMBER
    confidence = "likely, never proved: which numbers the operands hold is mostly not known"
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax
import jax.numpy as jnp


def attend(scores, values):
    causal = jnp.tril(jnp.ones(scores.shape))
    bias = (1.0 - causal) * -jnp.inf  #! OAK605
    return jax.nn.softmax(scores + bias, axis=-1) @ values


assert jnp.isnan(attend(jnp.zeros((3, 3)), jnp.ones((3, 2)))).all()
""",
        """\
import jax.numpy as jnp


def softmax(logits):
    weights = jnp.exp(logits)
    return weights / weights.sum(axis=-1, keepdims=True)  #! OAK605


def log_partition(energies, temperature):
    return jnp.log(jnp.sum(jnp.exp(energies / temperature)))  #! OAK605


assert jnp.isnan(softmax(jnp.array([100.0, 0.0]))).any()
assert jnp.isinf(log_partition(jnp.array([100.0, 0.0]), 1.0))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


def attend(scores, values):
    causal = jnp.tril(jnp.ones(scores.shape))
    biased = scores + (1.0 - causal) * -1e9
    return jax.nn.softmax(jnp.where(causal > 0, biased, -jnp.inf), axis=-1) @ values


assert jnp.isfinite(attend(jnp.zeros((3, 3)), jnp.ones((3, 2)))).all()
bound = jnp.ones(3) * jnp.inf
""",
        """\
import jax
import jax.numpy as jnp


def softmax(logits):
    weights = jnp.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def normalized(log_weights):
    shifted = log_weights - jax.nn.logsumexp(log_weights)
    weights = jnp.exp(shifted)
    return weights / jnp.sum(weights), jnp.log(jnp.sum(jnp.exp(jnp.minimum(log_weights, 20.0))))


def gate(x):
    return 1.0 / (1.0 + jnp.exp(-x))


assert jnp.isfinite(softmax(jnp.array([100.0, 0.0]))).all()
normalized(jnp.array([1.0, 2.0]))
gate(jnp.array([-200.0, 200.0]))
""",
    )

    def check(self, event: "infinite_products.InvalidNumber") -> Iterator[Finding]:
        """Reports each operation, as likely."""
        likely = event.weakened("which numbers the operands hold is not known")
        match event.how:
            case "product":
                yield self.finding(
                    likely,
                    headline("`{}` is NaN where the mask is one", event.operand.source),
                    "Select instead: `jnp.where(mask, 0.0, -jnp.inf)`.",
                    "zero times infinity is NaN",
                )
            case "quotient":
                yield self.finding(
                    likely,
                    headline("`{}` overflows here: the quotient is NaN", _exponential(event)),
                    "Use `jax.nn.softmax` or `jax.nn.sigmoid`, or subtract the maximum from the "
                    "argument first.",
                    "in single precision it is infinite from 89 on, and infinity over infinity is "
                    "NaN; below -103 it is zero over zero",
                )
            case "logarithm":
                yield self.finding(
                    likely,
                    headline("`{}` overflows here: its logarithm is infinite", _exponential(event)),
                    "Use `jax.nn.logsumexp`, which subtracts the maximum first.",
                    "in single precision it is infinite from 89 on, and zero below -103",
                )


def _exponential(event: "infinite_products.InvalidNumber") -> str:
    return f"{event.function}({event.argument})"
