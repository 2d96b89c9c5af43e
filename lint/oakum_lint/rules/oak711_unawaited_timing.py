"""OAK711: a time is taken around a compiled call without waiting for its result."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import async_timing


class UnawaitedTiming(Rule["async_timing.UnawaitedTiming"]):
    """## What it does
    Finds readings of a clock whose difference to an earlier reading is taken, where a jitted
    function was called between the two, or `jax.numpy` computed with arrays, and nothing waited for
    the result; and what `timeit` is passed to call, if it does not wait.

    ## Why it matters
    Such a call returns as soon as the work is handed to the device. The time is
    that of the hand-over, and says nothing about the computation.

    ## Example
    ```python
    start = time.perf_counter()
    out = step(x)
    elapsed = time.perf_counter() - start
    ```

    ## Use instead
    ```python
    start = time.perf_counter()
    out = jax.block_until_ready(step(x))
    elapsed = time.perf_counter() - start
    ```

    ## Known limits
    Whatever may wait, and every call of a function that is not known, counts as waiting. A time
    that is compared at once, as with a limit, is not reported, nor one from call to call, `now -
    self.last` where the method keeps `now` as `self.last`: these add up to the whole.

    ## Fix
    Waits with `jax.block_until_ready` for the result that was computed last, before the later time
    is taken, or within the `lambda` that `timeit` gets. Safe: nothing else is computed. Unsafe
    where a loop that may be empty makes the result, as its name may not be bound then.

    ## At run time
    Nothing: the time is too short.
    https://docs.jax.dev/en/latest/async_dispatch.html
    """

    code = Code(
        "OAK711",
        "unawaited-timing",
        "A time is taken around a compiled call without waiting for its result",
        "The call returns before the result is computed, so the time is that of the dispatch "
        "alone.",
        "Call jax.block_until_ready on the result before taking the time.",
    )
    confidence = (
        "proved where the call is compiled, no wait for its result is seen between the two "
        "times, and both are read from one clock"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    keeps_results = True
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import time

import jax
import jax.numpy as jnp


@jax.jit
def matmul(a, b):
    return a @ b


a = jnp.ones((8, 8))
matmul(a, a)
start = time.perf_counter()
out = matmul(a, a)
elapsed = time.perf_counter() - start  #! OAK711
assert elapsed >= 0
""",
        """\
from time import monotonic

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: jnp.sin(x))


def bench(function, x):
    begin = monotonic()
    for _ in range(20):
        x = function(x)
    end = monotonic()  #! OAK711
    return end - begin


assert bench(step, jnp.ones(4)) >= 0
""",
        """\
import time

import jax.numpy as jnp

a = jnp.ones((8, 8))
start = time.time()
b = jnp.linalg.inv(a + jnp.eye(8))
taken = time.time() - start  #! OAK711
start = time.time()
c = b @ b
again = time.time() - start  #! OAK711
assert taken >= 0 and again >= 0
""",
        """\
import timeit

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x @ x)
x = jnp.ones((8, 8))
seconds = timeit.timeit(lambda: step(x), number=3)  #! OAK711
best = min(timeit.repeat(stmt=lambda: step(x), number=2))  #! OAK711
assert seconds > 0 and best > 0
""",
        """\
import time

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x @ x)


def bench(x, count):
    start = time.perf_counter()
    for _ in range(count):
        out = step(x)
    return time.perf_counter() - start  #! OAK711


assert bench(jnp.ones((8, 8)), 3) >= 0
""",
    )
    good = (
        """\
import time

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: jnp.sin(x))


def bench(x):
    start = time.perf_counter()
    step(x).block_until_ready()
    return time.perf_counter() - start


bench(jnp.ones(4))
bench(jnp.ones(4))
start = time.perf_counter()
out = jax.block_until_ready(step(jnp.ones(4)))
print(time.perf_counter() - start)
""",
        """\
import time
import timeit

import jax
import jax.numpy as jnp
import numpy as np

step = jax.jit(lambda x: jnp.sin(x))


def wait(out):
    return np.asarray(out)


for _ in range(2):
    start = time.time()
    wait(step(jnp.ones(4)))
    print(time.time() - start)
start = time.time()
total = float(step(jnp.ones(())))
print(time.time() - start)
print(timeit.timeit(lambda: step(jnp.ones(4)).block_until_ready(), number=2))
begin = time.monotonic()
while time.monotonic() - begin < 0.001:
    total = step(total)
print(timeit.timeit("1 + 1", number=2), timeit.timeit(lambda: wait(step(1.0)), number=2))
""",
    )

    def check(self, event: "async_timing.UnawaitedTiming") -> Iterator[Finding]:
        """Reports each time of a call that nobody waited for."""
        yield self.finding(
            event,
            headline("time is taken before the result of `{}` is computed", event.function),
            "Wait for the result before the clock is read: `jax.block_until_ready(result)`.",
            "the call returns at once",
        )

    def fix(self, event: "async_timing.UnawaitedTiming", site: Site) -> Fix | None:
        """Waits for the result."""
        from oakum_lint.fixes.functions.timing import wait_before_clock

        return wait_before_clock(site, event.function)
