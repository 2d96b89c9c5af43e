"""OAK105: an iterator made outside the traced function is advanced inside it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum.values.records import replace
from oakum_lint.domain.events import Leak
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, leak, shown, stored
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import leaks


class OuterIteratorAdvanced(Rule["leaks.IteratorAdvance | Leak"]):
    """## What it does
    Finds iterators and generators that are made outside a traced function and advanced inside it,
    by `next`, by `send`, or by a `for` loop.

    ## Why it matters
    The iterator moves while the function is traced, once. The item becomes a constant of the
    compiled program: every later call sees the first batch, the first key, the first step size. A
    generator that computes with JAX is worse: advanced under a trace it keeps tracers, and fails
    when it is advanced again outside.

    ## Example
    ```python
    batches = iter(load())


    @jax.jit
    def train_step(w):
        return w - 0.1 * jax.grad(loss)(w, next(batches))
    ```

    ## Use instead
    ```python
    @jax.jit
    def train_step(w, batch):
        return w - 0.1 * jax.grad(loss)(w, batch)


    for batch in batches:
        w = train_step(w, batch)
    ```
    Over items that are all at hand, stacked into one array, `jax.lax.scan` loops inside the
    compiled program.

    ## Known limits
    An iterator made inside the traced function (`zip`, `enumerate`, a generator expression) is
    fine. An outer iterator whose making is not in sight, `next(self.batches)`, is reported as
    *likely*. One whose name matches `call-counters` in `[tool.oakum]` (`next(frame_ids)`) is
    *information*: it may number what is made; the default is on the page of OAK112.

    ## At run time
    Nothing, as a rule: the results are wrong. With a generator that computes with JAX,
    `jax.errors.UnexpectedTracerError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError
    """

    code = Code(
        "OAK105",
        "outer-iterator-advanced",
        "An iterator made outside the traced function is advanced inside it",
        "It moves once, while tracing; later calls of the compiled function do not move it.",
        "Take the next item outside, and pass it as an argument.",
    )
    confidence = (
        "proved where the iterator is seen to be made outside the trace; likely where it is not "
        "seen, or its name says that it numbers things"
    )
    severity = Severity.WARNING
    bad = (
        """\
import jax
import jax.numpy as jnp

batches = iter([jnp.ones(2), 2 * jnp.ones(2), 3 * jnp.ones(2)])


@jax.jit
def train_step(w):
    return w - 0.1 * next(batches)  #! OAK105


w = jnp.zeros(2)
for _ in range(3):
    w = train_step(w)
print(w)
""",
        """\
import jax
import jax.numpy as jnp


def keys(seed):
    key = jax.random.key(seed)
    while True:
        key, draw = jax.random.split(key)  #~ UnexpectedTracerError
        yield draw


source = keys(0)


@jax.jit
def noisy(x):
    return x + jax.random.normal(next(source))  #! OAK105


noisy(1.0)
jax.random.normal(next(source))
""",
        """\
import jax
import jax.numpy as jnp

rates = iter([0.5, 0.1, 0.01])


def body(w, x):
    return w - next(rates) * x, None  #! OAK105


w, _ = jax.lax.scan(body, jnp.zeros(()), jnp.ones(3))
print(w)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

batches = iter([jnp.ones(2), 2 * jnp.ones(2), 3 * jnp.ones(2)])


@jax.jit
def train_step(w, batch):
    return w - 0.1 * batch


w = jnp.zeros(2)
for batch in batches:
    w = train_step(w, batch)
print(w)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def forward(layers, x):
    steps = iter(layers)
    x = x @ next(steps)
    for layer, name in zip(steps, ("hidden", "out")):
        x = jnp.tanh(x @ layer) if name == "hidden" else x @ layer
    return sum(v for v in x)


print(forward([jnp.ones((2, 2))] * 3, jnp.ones(2)))
""",
    )

    def check(self, event: "leaks.IteratorAdvance | Leak") -> Iterator[Finding]:
        """Reports each advance of an outer iterator."""
        if not isinstance(event, Leak):
            iterator = event.iterator
            found = self.finding(
                event,
                headline("`{}` advances an outer iterator while tracing", iterator)
                if iterator.endswith(")")
                else headline("outer iterator `{}` advances while tracing", iterator),
                f"Advance `{shown(iterator)}` outside, and pass the item as an argument.",
                f"it is made outside and advanced by `{event.how}` in code traced by "
                f"{event.trace}: it moves once, while tracing, and its item becomes a constant",
                *((_MEANT,) if event.meant else ()),
            )
            severity = Severity.INFORMATION if event.meant else found.severity
            yield replace(found, severity=severity)
        elif event.kind == "iterator":
            yield self.finding(
                event,
                leak(event, "iterator `{}`"),
                f"Advance `{shown(event.target)}` outside, and pass the item as an argument.",
                f"{stored(event)}, traced by {event.trace}, is kept after the trace has ended: "
                "advancing the iterator later raises UnexpectedTracerError",
            )


_MEANT = "the name says that it may be meant: `call-counters` in `[tool.oakum]`"
