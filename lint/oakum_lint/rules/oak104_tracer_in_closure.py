"""OAK104: a traced value is kept by a nonlocal variable, a default argument or a cache."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum_lint.domain.events import Leak, LeakKind
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import leak, shown, stored, way_out
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInClosure(Rule[Leak]):
    """## What it does
    Finds traced values that functions keep: assigned to a `nonlocal` variable, stored in a mutable
    default argument, made inside a function with `functools.lru_cache` or `functools.cache` that
    is called under a trace, or read by a callback that runs when the program has been traced.

    ## Why it matters
    What a function keeps lives longer than the trace. A cache is the least visible of them:
    under `jit` even `jnp.arange(4)` gives a tracer, so a cached helper without any traced argument
    keeps a tracer when its first call comes from a traced function, and every later caller gets it.

    ## Example
    ```python
    @functools.cache
    def frequencies(n):
        return jnp.exp(-jnp.arange(n))


    @jax.jit
    def encode(x):
        return x * frequencies(4)
    ```

    ## Use instead
    Compute constants with NumPy in the cached function, which is not traced:
    ```python
    @functools.cache
    def frequencies(n):
        return np.exp(-np.arange(n))
    ```
    A `nonlocal` that collects results becomes a returned value, or the carry of a `scan`:
    ```python
    def body(best, x):
        best = jnp.maximum(best, x)
        return best, None


    best, _ = jax.lax.scan(body, best, xs)
    ```

    ## Known limits
    A cached function that is only called outside of traces is fine. A closure that reads a traced
    value of the function around it is fine as long as both belong to one trace.

    ## Fix
    A constant that is made on first use, or in a cached function, is computed within
    `with jax.ensure_compile_time_eval():`, which makes an array of it under a trace, too. Unsafe:
    it is computed while the program is traced, and kept as a constant of it.

    ## At run time
    `jax.errors.UnexpectedTracerError` at the later use, which in a callback ends the program with
    JaxRuntimeError; at the end of the trace under `jax.checking_leaks()`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError
    """

    code = Code(
        "OAK104",
        "tracer-in-closure",
        "A traced value is kept by a nonlocal variable, a default argument or a cache",
        "It stays there after the trace has ended and fails when it is used.",
        "Return the value, and pass it on as an argument.",
    )
    confidence = (
        "proved where the variable belongs to a function outside the trace, the default or "
        "the cache to a function that is seen; likely where the tracer leaves in a function "
        "that is assumed to be called later"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


def largest(xs):
    best = jnp.zeros(())

    def body(carry, x):
        nonlocal best
        best = jnp.maximum(best, x)  #! OAK104
        return carry + x, None

    jax.lax.scan(body, 0.0, xs)
    return best + 1.0  #~ UnexpectedTracerError


largest(jnp.arange(3.0))
""",
        """\
import functools

import jax
import jax.numpy as jnp


@functools.cache
def frequencies(n):
    return jnp.exp(-jnp.arange(n))  #! OAK104


@jax.jit
def encode(x):
    return x * frequencies(4)


encode(jnp.ones(4))
frequencies(4) * 2  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp


def remember(x, seen=[]):
    seen.append(x)  #! OAK104
    return sum(seen)


@jax.jit
def step(x):
    return remember(jnp.sum(x))


step(jnp.ones(3))
step(jnp.ones(4))  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def scale(x):
    largest = jnp.max(x)

    def report(total):
        print("sum", total, "of at most", largest + 1.0)  #! OAK104

    jax.debug.callback(report, jnp.sum(x))
    return x / largest


jax.block_until_ready(scale(jnp.arange(3.0)))  #~ Exception
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


def largest(xs):
    def body(best, x):
        best = jnp.maximum(best, x)
        return best, None

    best, _ = jax.lax.scan(body, jnp.zeros(()), xs)
    return best + 1.0


largest(jnp.arange(3.0))
""",
        """\
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.cache
def frequencies(n):
    return np.exp(-np.arange(n))


@functools.cache
def compiled(power):
    return jax.jit(lambda x: x**power)


@jax.jit
def encode(x):
    return x * frequencies(4)


encode(jnp.ones(4))
compiled(2)(jnp.ones(3))
print(frequencies(4) * 2)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def mean_and_spread(x, scale=1.0):
    total = jnp.zeros(())
    calls = 0

    def add(value):
        nonlocal total, calls
        total = total + scale * value
        calls += 1

    for i in range(x.shape[0]):
        add(x[i])
    return total / calls


mean_and_spread(jnp.arange(3.0))
""",
    )

    def check(self, event: Leak) -> Iterator[Finding]:
        """Reports each tracer that a function keeps."""
        if event.kind in _KEEPERS:
            yield self.finding(
                event,
                leak(event, _KEEPERS[event.kind]),
                _hint(event),
                f"{stored(event)}, traced by {event.trace}, is kept after the trace has ended: "
                "using it later raises UnexpectedTracerError",
            )

    def fix(self, event: Leak, site: Site) -> Fix | None:
        """Computes a constant under no trace."""
        from oakum_lint.fixes.functions.kept_constants import compute_at_once

        return compute_at_once(site) if event.kind == "cache" else None


_KEEPERS: dict[LeakKind, str] = {
    "nonlocal": "nonlocal `{}`",
    "default": "default argument `{}`",
    "cache": "the cache of `{}`",
    "callback": "callback `{}`",
}


def _hint(event: Leak) -> str:
    target = shown(event.target)
    match event.kind:
        case "cache":
            return (
                f"Compute with NumPy in `{target}`, or call it outside and pass its result "
                "as an argument."
            )
        case "callback":
            return f"Pass `{event.operand.source}` to `{target}` as an argument of the callback."
        case "default":
            return f"Make a new object for `{target}` in each call, or return the value."
        case _:
            return f"{way_out(event)}, and assign `{target}` outside."
