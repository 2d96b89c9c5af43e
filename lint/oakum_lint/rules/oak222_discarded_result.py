"""OAK222: the result of a function that does nothing else is dropped."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import dropped_results


class DiscardedResult(Rule["dropped_results.DiscardedResult"]):
    """## What it does
    Finds calls of functions that only compute arrays as statements of their own:
    `jax.lax.stop_gradient(x)`, `jnp.clip(x, 0, 1)`, `x.sort()`; and of `jax.pure_callback` in
    code that is compiled, which then does not call back.

    ## Why it matters
    Functions of JAX have no effects, and arrays do not change. Where the result is dropped nothing
    has happened: the gradient flows on, the values are not clipped, nothing is sorted. NumPy's
    methods of these names do change the array.

    ## Example
    ```python
    def loss(params, target):
        jax.lax.stop_gradient(target)
        return jnp.sum((params - target) ** 2)
    ```

    ## Use instead
    ```python
    def loss(params, target):
        target = jax.lax.stop_gradient(target)
        return jnp.sum((params - target) ** 2)
    ```

    ## Known limits
    Nothing is reported at the top of a module, where a notebook shows the result. Outside every
    trace a call may be made to compile something or to be timed: there only methods of arrays, and
    functions that hand their argument on (`stop_gradient`, `with_sharding_constraint`) are
    reported. Functions that take functions are not: these may print. A method of what a call
    returns (`f(x).sort()`) is not looked at, nor a result that is bound to a name and never used.
    `x.at[i].set(v)` is OAK220.

    ## At run time
    Nothing: the statement has no effect.
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates
    """

    code = Code(
        "OAK222",
        "discarded-result",
        "The result of a function that does nothing else is dropped",
        "Functions of JAX return new arrays and change none: without the result nothing happened.",
        "Use the result: x = jnp.clip(x, 0, 1).",
    )
    confidence = (
        "proved where the call stands in a trace that is seen; likely outside, where it may be "
        "made for the time that it takes"
    )
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax
import jax.numpy as jnp


def loss(params, target):
    jax.lax.stop_gradient(target)  #! OAK222
    return jnp.sum((params - target) ** 2)


w = jnp.ones(3)
assert jax.grad(lambda w: loss(w, 2 * w))(w).sum() == 6
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def distance(x):
    total = jnp.sum(x)
    jnp.clip(total, max=1.0)  #! OAK222
    return total


def smallest(x):
    x.sort()  #! OAK222
    return x[0]


assert distance(jnp.ones(3)) == 3
assert smallest(jnp.array([3, 1, 2])) == 3
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def loss(params, target):
    target = jax.lax.stop_gradient(target)
    _ = jnp.clip(target, 0.0, 1.0)
    jax.debug.print("{}", target)
    return jnp.sum((params - target) ** 2)


def smallest(x):
    x.sort()
    return x[0]


assert smallest(np.array([3, 1, 2])) == 1
print(jax.grad(loss)(jnp.ones(3), jnp.zeros(3)))
""",
        """\
import jax
import jax.numpy as jnp


def warm_up(x):
    jnp.dot(x, x)
    x.block_until_ready()
    x.sum().block_until_ready()
    return x


@jax.jit
def shown(x):
    jax.lax.cond(x.sum() > 0, lambda: jax.debug.print("positive"), lambda: None)
    return x


print(warm_up(jnp.ones((2, 2))), shown(jnp.ones(2)))
""",
    )

    def check(self, event: "dropped_results.DiscardedResult") -> Iterator[Finding]:
        """Reports each."""
        if event.calls_back:
            yield self.finding(
                event,
                headline("`{}` does not run when compiled: its result is dropped", event.function),
                "Call `jax.debug.callback`, or `jax.experimental.io_callback`, for an effect.",
                "a compiled program leaves out a pure callback whose result nobody uses",
            )
            return
        assignment = f"{event.target} = {event.operand.source}"
        yield self.finding(
            event,
            headline("result of `{}` is dropped", event.function),
            f"Assign it: `{assignment}`." if event.target else "Use it, or remove the statement.",
            "functions of JAX return new arrays and change none: the statement does nothing",
        )
