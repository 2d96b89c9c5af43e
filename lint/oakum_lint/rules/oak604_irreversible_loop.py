"""OAK604: a loop of unknown length is differentiated in reverse mode."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses.gradients import irreversible_loops


class IrreversibleLoop(Rule["irreversible_loops.IrreversibleLoop"]):
    """## What it does
    Finds `lax.while_loop`, and `lax.fori_loop` with a traced bound, through which `grad`,
    `value_and_grad`, `jacrev`, `hessian`, the pullback of `vjp`, the transpose of what `linearize`
    returns, or a minimizer (`jax.scipy.optimize.minimize`, those of JAXopt) goes back. The finding
    stands at the loop.

    ## Why it matters
    Reverse mode goes through the iterations from the last to the first, and needs what each of them
    computed. The memory for that is laid out before the program runs, so the number of iterations
    has to be known when it is traced.

    ## Example
    ```python
    def relax(x):
        return lax.while_loop(
            lambda s: s[1] < 10, lambda s: (s[0] - 0.1 * jnp.sin(s[0]), s[1] + 1), (x, 0)
        )[0]


    slope = jax.grad(relax)(2.0)
    ```

    ## Use instead
    ```python
    def relax(x):
        return lax.fori_loop(0, 10, lambda i, y: y - 0.1 * jnp.sin(y), x)


    slope = jax.grad(relax)(2.0)
    ```
    With bounds that are Python numbers `fori_loop` is a `scan`, which can be differentiated. Where
    the loop ends early, do a fixed number of iterations and keep the state with `jnp.where` once
    it is done. What a solver has found is better differentiated by a rule of its own:
    `jax.custom_vjp`, `lax.custom_root`. Forward mode (`jax.jvp`, `jax.jacfwd`) goes through loops
    of any length, and `lax.stop_gradient` of what goes in leaves the loop out of the derivative.

    ## Known limits
    A loop is reported where its carry is seen to depend on what is differentiated, and the result
    of the differentiated function on the loop. Optimistix is not followed: whether it goes back
    depends on its solver.

    ## At run time
    `ValueError` ("Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop
    with dynamic start/stop values"), from the line that takes the gradient:
    https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html
    """

    code = codes.IRREVERSIBLE_LOOP
    confidence = (
        "proved where the result of the differentiated function is computed from the loop, and "
        "that from what is differentiated; likely where one of two paths goes through the loop, "
        "or the result is not known"
    )
    bad = (
        """\
import jax
import jax.numpy as jnp
from jax import lax


def newton_root(a):
    def unfinished(state):
        x, step = state
        return (jnp.abs(x * x - a) > 1e-4) & (step < 50)

    def improve(state):
        x, step = state
        return 0.5 * (x + a / x), step + 1

    x, _ = lax.while_loop(unfinished, improve, (a, 0))  #! OAK604
    return x


def loss(a):
    return jnp.sum((newton_root(a) - 1.5) ** 2)


jax.grad(loss)(jnp.float32(2.0))  #~ ValueError
""",
        """\
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def evolve(params, state, steps):
    def advance(i, state):
        return state + 0.1 * jnp.tanh(params["w"] @ state)

    return lax.fori_loop(0, steps, advance, state)  #! OAK604


def loss(params, state, steps):
    return jnp.mean(evolve(params, state, steps) ** 2)


params = {"w": jnp.eye(3)}
value, slopes = jax.value_and_grad(loss)(params, jnp.ones(3), 5)  #~ ValueError
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
from jax import lax


def newton_root(a):
    def improve(x, _):
        return 0.5 * (x + a / x), None

    return lax.scan(improve, a, None, length=20)[0]


def evolve(params, state):
    return lax.fori_loop(0, 5, lambda i, s: s + 0.1 * jnp.tanh(params["w"] @ s), state)


jax.grad(newton_root)(jnp.float32(2.0))
jax.grad(lambda p: jnp.mean(evolve(p, jnp.ones(3))))({"w": jnp.eye(3)})
""",
        """\
import jax
import jax.numpy as jnp
from jax import lax


def collatz_length(n):
    def halve_or_triple(state):
        n, count = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

    return lax.while_loop(lambda state: state[0] != 1, halve_or_triple, (n, 0))[1]


def shrink(x):
    return lax.while_loop(lambda y: jnp.sum(y * y) > 1.0, lambda y: 0.5 * y, x)


jax.grad(lambda w: w * collatz_length(jnp.int32(6)))(1.0)
jax.grad(lambda x: jnp.sum(x * shrink(lax.stop_gradient(x))))(jnp.ones(3))
jax.jacfwd(shrink)(jnp.ones(3))
jax.jvp(shrink, (jnp.ones(3),), (jnp.ones(3),))
""",
    )

    def check(self, event: "irreversible_loops.IrreversibleLoop") -> Iterator[Finding]:
        """Reports each loop of unknown length through which a gradient goes back."""
        differentiated = f"`{event.transform}`"
        if event.function:
            differentiated += f" of `{shown(event.function)}`"
        message = f"reverse mode through `{event.loop}`"
        hint = "Use `lax.scan`, or `lax.fori_loop` with bounds that are Python numbers"
        if event.bound:
            bound = shown(event.bound)
            message = headline(
                f"reverse mode through `{event.loop}` with traced bound `{{}}`", bound
            )
            hint = (
                f"Make `{bound}` a Python number, by `static_argnums` or a shape, or use `lax.scan`"
            )
        yield self.finding(
            event,
            message,
            f"{hint}; or differentiate in forward mode: `jax.jvp`, `jax.jacfwd`.",
            f"{differentiated} fails with ValueError: it goes back through the carry of this loop",
        )
