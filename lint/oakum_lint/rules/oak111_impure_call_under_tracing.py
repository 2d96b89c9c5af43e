"""OAK111: traced code reads a clock, hidden random state, or what somebody types."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import impure_calls


class ImpureCallUnderTracing(Rule["impure_calls.ImpureCall"]):
    """## What it does
    Finds calls in traced code that give something else each time: `time.time()`, `random.random()`,
    `np.random.normal()`, `datetime.now()`, `uuid.uuid4()`, `os.urandom()`, `input()`.

    ## Why it matters
    They are called once, while the function is traced. What they gave is a constant of the compiled
    program: every later call uses the same noise, the same time, the same answer.

    ## Example
    ```python
    @jax.jit
    def forward(w, x):
        noise = np.random.normal(size=x.shape)
        return x @ w + noise
    ```

    ## Use instead
    ```python
    @jax.jit
    def forward(key, w, x):
        noise = jax.random.normal(key, x.shape)
        return x @ w + noise
    ```
    Take a time outside, and pass it as an argument where the program needs it.

    ## Known limits
    A generator that the traced function makes itself, of a fixed seed, draws the same numbers with
    and without tracing, and is not reported. Nor are calls in code of which it is only presumed
    that it is traced.

    ## At run time
    Nothing: the numbers are the same in every call.
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions
    """

    code = Code(
        "OAK111",
        "impure-call-under-tracing",
        "Traced code reads a clock, hidden random state or input",
        "It reads once, while tracing; the compiled program uses the same result in every call.",
        "Draw with jax.random from a key, and pass times and inputs as arguments.",
    )
    confidence = (
        "proved where the call stands in a trace that is seen to run; in code that is only "
        "presumed to be traced nothing is reported"
    )
    severity = Severity.WARNING
    bad = (
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def forward(w, x):
    noise = np.random.normal(size=x.shape)  #! OAK111
    return w * x + noise


print([float(forward(2.0, jnp.ones(())).sum()) for _ in range(3)])
""",
        """\
import time

import jax
import jax.numpy as jnp


def stamp(x):
    return x + time.perf_counter_ns() % 100_000  #! OAK111


def body(total, x):
    return total + x, stamp(x)


print(jax.lax.scan(body, jnp.zeros(()), jnp.ones(3))[1])
""",
        """\
import random

import jax

generator = random.Random(0)


def jitter(x):
    return x + generator.gauss(0.0, 1.0)  #! OAK111


step = jax.jit(jitter)
print(float(step(1.0)), float(step(1.0)), float(step(1.0)))
""",
    )
    good = (
        """\
import time

import jax
import jax.numpy as jnp


@jax.jit
def forward(key, w, x):
    return w * x + jax.random.normal(key, x.shape)


start = time.perf_counter()
result = forward(jax.random.key(0), 2.0, jnp.ones(3)).block_until_ready()
print(result.shape, time.perf_counter() > start)
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def project(x):
    generator = np.random.default_rng(0)
    return x @ generator.normal(size=(3, 2))


def noisy_loss(w):
    return w * w + np.random.normal()


print(project(jnp.ones(3)).shape, float(jax.grad(noisy_loss)(1.0)))
""",
    )

    def check(self, event: "impure_calls.ImpureCall") -> Iterator[Finding]:
        """Reports each such call."""
        yield self.finding(
            event,
            headline(_HEADLINES[event.what], event.function),
            _HINTS[event.what],
            f"its code is traced by {event.trace}: the compiled program uses "
            f"{_RESULTS[event.what]} in every call",
        )


_RESULTS = {"random": "the same numbers", "time": "the same time", "input": "the same input"}
_HEADLINES = {
    "random": "host RNG `{}` draws once, while tracing",
    "time": "clock `{}` is read once, while tracing",
    "input": "`{}` reads input once, while tracing",
}
_HINTS = {
    "random": "Draw with jax.random from a key that is an argument: "
    "`jax.random.normal(key, x.shape)`.",
    "time": "Read the clock outside, and pass the time as an argument where it is needed.",
    "input": "Read outside, and pass what was read as an argument.",
}
