"""OAK504: a loop's carry or the results of two branches differ in type."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding


class CarryMismatch(Rule[events.CarryMismatch]):
    """## What it does
    Finds `scan`, `while_loop` and `fori_loop` whose body gives a carry of another shape, dtype or
    structure than it gets, or whose condition is no scalar truth value, and `cond` and `switch`
    whose branches give results of different types. Likely where a class has the methods `reset` and
    `step` of an environment, and `step` returns another type of state than `reset` makes.

    ## Why it matters
    The loop is compiled once, for one type of carry, and a branch is chosen when the program runs.
    So the type of the state cannot change from one iteration to the next, or from one branch to the
    other.

    ## Example
    ```python
    def extend(i, history):
        return jnp.append(history, jnp.sin(1.0 * i))


    history = lax.fori_loop(0, 4, extend, jnp.zeros(1))
    ```

    ## Use instead
    ```python
    def extend(i, history):
        return history.at[i].set(jnp.sin(1.0 * i))


    history = lax.fori_loop(0, 4, extend, jnp.zeros(4))
    ```
    For a dtype, begin with the right one (`jnp.float32(0)` in place of `jnp.int32(0)`), or convert
    in the body. Rows that pile up are the second result of a `scan` body.

    ## Known limits
    Only shapes, dtypes and containers that are known on both sides are compared. A carry that is a
    Python number takes the dtype that the body gives, and is not reported for it.

    ## At run time
    `TypeError` ("scan body function carry input and carry output must have equal types", "cond
    branches must have equal output types"):
    https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
    """

    code = codes.CARRY_MISMATCH
    confidence = "proved where shapes and dtypes of both sides are known where they differ"
    bad = (
        """\
import jax.numpy as jnp
from jax import lax


def extend(i, history):
    return jnp.append(history, jnp.sin(1.0 * i))


lax.fori_loop(0, 4, extend, jnp.zeros(1))  #! OAK504
""",
        """\
import jax
import jax.numpy as jnp


def step(carry, x):
    total, count = carry
    return (total + x, count + 0.5), total


@jax.jit
def running(xs):
    start = (jnp.zeros(()), jnp.int32(0))
    return jax.lax.scan(step, start, xs)  #! OAK504


running(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp


def clipped(x):
    return jnp.clip(x, 0.0, 1.0), jnp.sum(x)


def plain(x):
    return x


jax.lax.cond(True, clipped, plain, jnp.ones(3))  #! OAK504
jax.lax.cond(True, lambda: 1, lambda: 0.5)  #! OAK504
jax.lax.while_loop(lambda s: s[0] < 3, lambda s: [s[0] + 1, s[1]], (0, 1.0))  #! OAK504
jax.lax.while_loop(lambda s: s < 3.0, lambda s: s + 1.0, jnp.zeros(2))  #! OAK504
""",
    )
    good = (
        """\
import jax.numpy as jnp
from jax import lax


def fill(i, history):
    return history.at[i].set(jnp.sin(1.0 * i))


lax.fori_loop(0, 4, fill, jnp.zeros(4))
lax.fori_loop(0, 4, lambda i, total: total + 0.5, 0)
lax.scan(lambda total, x: (total + x, total), 0, jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp


def scaled(x):
    return {"x": 2 * x, "n": 1}


def plain(x):
    return {"n": jnp.int32(0), "x": x}


jax.lax.cond(True, scaled, plain, jnp.ones(3))
jax.lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * 0.5), (0, 1.0))
""",
    )

    def check(self, event: events.CarryMismatch) -> Iterator[Finding]:
        """Reports each carry, and each pair of branches, of different types."""
        message, note = _message(event)
        yield self.finding(
            event, message, codes.CARRY_HINTS[event.kind], f"{note}: this raises TypeError"
        )


def _message(event: events.CarryMismatch) -> tuple[str, str]:
    """The headline, and the sentence that says which side is which."""
    operator, before, after = event.operator, event.before, event.after
    at = " at `{}`" if event.part else ""
    place = (event.part,) if event.part else ()
    sides = _sides(before, after)
    match event.kind:
        case "carry":
            return (
                headline(f"carry of `{operator}` changes{at} from {{}} to {{}}", *place, *sides),
                f"the carry goes in as {before} and comes out as {after}",
            )
        case "branches":
            return (
                headline(f"branches of `{operator}` differ{at}: {{}} vs {{}}", *place, *sides),
                f"one branch returns {before}, another {after}",
            )
        case "condition":
            return (
                headline(f"condition of `{operator}` returns {{}}, not {{}}", after, before),
                f"the condition has to return {before}",
            )
        case "pair":
            return (
                headline(f"body of `{operator}` returns {{}}, not {{}}", after, before),
                f"the body has to return {before}",
            )


def _sides(before: str, after: str) -> tuple[str, str]:
    """The two sides in a headline: where they are long, the words that differ.

    >>> _sides("a Filter with order=1, name='ema'", "a Filter with order=2, name='ema'")
    ('order=1', 'order=2')
    """
    pairs = list(zip(before.split(), after.split(), strict=False))
    differing = [(one.rstrip(","), two.rstrip(",")) for one, two in pairs if one != two]
    if min(len(before), len(after)) <= _SHORT or not differing:
        return before, after
    return " ".join(one for one, _ in differing), " ".join(two for _, two in differing)


_SHORT = 24
"""What is no longer than this is shown as it is."""
