"""OAK701: an array is used that was donated to a call."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses.donation import deleted_arrays


class DeletedArray(Rule["deleted_arrays.DeletedArrayUse"]):
    """## What it does
    Finds uses of arrays that were donated to a jitted function before (`donate_argnums`), or freed
    by `delete`, and arrays that one call donates and gets in another argument too.

    ## Why it matters
    The result of the function was written into their memory: the arrays are gone.

    ## Example
    ```python
    update = jax.jit(lambda params, grads: params - 0.1 * grads, donate_argnums=0)
    new_params = update(params, grads)
    drift = new_params - params
    ```

    ## Use instead
    ```python
    update = jax.jit(lambda params, grads: params - 0.1 * grads)
    new_params = update(params, grads)
    drift = new_params - params
    ```
    Or donate a copy, `update(params.copy(), grads)`; or rebind the name: `params = update(params,
    grads)`.

    ## Known limits
    Of a tree of which not all is known, such as the parameters and the optimizer's state of a
    `TrainState`, it is likely that a result takes the memory: where one of its class is returned,
    or something of which nothing is known. What keeps the shapes, as `tree.map(jnp.shape, params)`,
    and what code that is not seen does with it is not reported.

    ## At run time
    RuntimeError: Array has been deleted. ValueError where it is donated again. JaxRuntimeError
    (INVALID_ARGUMENT) where one call gets it twice.
    https://docs.jax.dev/en/latest/buffer_donation.html
    """

    code = codes.DELETED_ARRAY
    confidence = (
        "proved where the call that donates the array runs before the use on every path; "
        "likely where the use is in the next iteration of a loop that may have none, and of a tree "
        "of which not all is known"
    )
    bad = (
        """\
import jax
import jax.numpy as jnp


def sgd(params, grads):
    return params - 0.1 * grads


update = jax.jit(sgd, donate_argnums=(0,))
params, grads = jnp.ones(4), jnp.full(4, 0.5)
new_params = update(params, grads)
drift = new_params - params  #! OAK701
""",
        """\
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnames="state")
def step(state, x):
    return {"w": state["w"] + x}


def run():
    state = {"w": jnp.zeros(3)}
    after = step(state, 1.0)
    return after, jnp.sum(state["w"])  #! OAK701


run()
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def norm(x):
    return jnp.sqrt(jnp.sum(x * x))


def advance(carry, x):
    mean, count = carry
    return mean + (x - mean) / (count + 1), count + 1


advance = jax.jit(advance, donate_argnames="carry")
mean, count = jnp.zeros(2), jnp.zeros(2)
before = mean
mean, count = advance(carry=(mean, count), x=jnp.ones(2))
print(norm(mean - before))  #! OAK701
""",
        """\
import jax
import jax.numpy as jnp

step = jax.jit(lambda state, x: {"w": state["w"] - x}, donate_argnums=0)


def fit(state, x):
    for _ in range(3):
        state = step(state, x)
    return state


start = {"w": jnp.ones(3)}
first = start["w"]
print(fit(start, 1.0)["w"] - first)  #! OAK701
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

update = jax.jit(lambda params, grads: params - 0.1 * grads, donate_argnums=0)
params, grads = jnp.ones(4), jnp.full(4, 0.5)
for _ in range(3):
    params = update(params, grads)
print(params + grads)
""",
        """\
import jax
import jax.numpy as jnp

update = jax.jit(lambda params, grads: params - 0.1 * grads, donate_argnums=0)
params, grads = jnp.ones(4), jnp.full(4, 0.5)
after = update(params.copy(), grads)
print(after - params, params.shape)
best = params
params = jnp.zeros(4)
params = update(params, grads)
print(best - params)
""",
    )

    def check(self, event: "deleted_arrays.DeletedArrayUse") -> Iterator[Finding]:
        """Reports each such use."""
        if event.how == "deleted":
            yield self.finding(
                event,
                headline("`{}` reads a deleted array", event.operand.source),
                "Delete the array after its last use, or leave that to Python.",
                "`delete` has freed the memory of the array",
            )
            return
        if event.how == "passed twice":
            yield self.finding(
                event,
                headline("`{}` is donated and passed a second time", event.operand.source),
                "Pass a copy (`x.copy()`), or do not donate the argument.",
                f"the same call donates it as `{shown(event.donated)}`: a result takes the memory",
            )
            return
        if event.how == "held":
            yield self.finding(
                event,
                headline("`{}` reads donated arrays", event.operand.source),
                "Use the result, donate a copy, or do not donate the argument.",
                "they were donated with a tree: a result takes their memory, and they are deleted",
            )
            return
        yield self.finding(
            event,
            headline("`{}` reads a donated array", event.operand.source),
            "Use the result, donate a copy (`x.copy()`), or do not donate the argument.",
            "a result has taken the memory of the array: it has been deleted",
        )
