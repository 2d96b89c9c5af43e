"""OAK216: an array or a traced value is hashed."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import ArrayHash, HashUse
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class HashedTracer(Rule[HashUse | ArrayHash]):
    """## What it does
    Finds traced values that are hashed: as the key of a dict, as a member of a set, as an argument
    of a function with `functools.lru_cache` or `functools.cache`, or by `hash()`; and arrays that
    are no tracers, but by `hash()`, also as the default of a field of a dataclass.

    ## Why it matters
    Equal keys have to have equal hashes, and a tracer does not know what it is equal to. Tracers
    have no hash, and neither has any array, also one of a single number: the look-up fails at once.

    ## Example
    ```python
    PENALTY = {0: 0.0, 1: 0.5, 2: 2.0}


    @jax.jit
    def penalty(kind):
        return PENALTY[kind]
    ```

    ## Use instead
    ```python
    PENALTY = jnp.array([0.0, 0.5, 2.0])


    @jax.jit
    def penalty(kind):
        return PENALTY[kind]
    ```
    For keys that are not small integers: `values[jnp.searchsorted(keys, key)]`. A function that is
    called with tracers needs no cache: it runs only while tracing. Cache what takes Python values
    (shapes, names), or call it outside. Outside of traces a number is made of an array:
    `table[int(kind)]`. A field that holds an array has a factory for its default:
    `field(default_factory=lambda: jnp.zeros(3))`.

    ## Known limits
    A tracer as the value of a dict is fine; only keys are hashed. Python 3.10 took arrays as
    defaults of fields, so that these are likely.

    ## Fix
    A value that is handed to the jitted function itself becomes a static argument there. Unsafe:
    each value is compiled by itself, and no caller may hand over an array.

    ## At run time
    `TypeError` ("unhashable type") or `ValueError` ("mutable default"), which are Python's own:
    https://docs.jax.dev/en/latest/errors.html
    """

    code = codes.HASHED_TRACER
    confidence = (
        "proved where the key, member or argument of a cache is a tracer of a trace that is seen"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax

PENALTY = {0: 0.0, 1: 0.5, 2: 2.0}


@jax.jit
def penalty(kind):
    return PENALTY[kind]  #! OAK216


penalty(1)
""",
        """\
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache
def kernel(width):
    return jnp.exp(-(jnp.arange(5.0) ** 2) / width)


@jax.jit
def smooth(x, width):
    return jnp.convolve(x, kernel(width), mode="same")  #! OAK216


smooth(jnp.ones(8), 2.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def is_wall(tile):
    return tile in {1, 4}  #! OAK216


def visit(carry, state):
    seen = set()
    seen.add(state)  #! OAK216
    return carry, len(seen)


is_wall(4)
jax.lax.scan(visit, 0, jnp.arange(3))
""",
        """\
import jax.numpy as jnp

ACTIONS = {0: "left", 1: "right", 2: "stay"}


def choose(values):
    best = jnp.argmax(values)
    return ACTIONS[best]  #! OAK216


print(choose(jnp.array([0.1, 0.7, 0.2])))
""",
        """\
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass  #~ ValueError
class Scaler:
    rate: float = 0.1
    scale: jax.Array = jnp.ones(3)  #! OAK216
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

PENALTY = {0: 0.0, 1: 0.5, 2: 2.0}


@jax.jit
def penalty(kind):
    return jnp.array(list(PENALTY.values()))[kind]


penalty(1)
""",
        """\
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.lru_cache
def kernel(taps):
    return np.hanning(taps)


@jax.jit
def smooth(params, x):
    results = {"raw": x}
    for name, weight in params.items():
        results[name] = weight * jnp.convolve(x, kernel(x.shape[0]), mode="same")
    return {x.ndim: results["raw"], x.dtype: results}[x.ndim]


smooth({"w": 2.0}, jnp.ones(8))
""",
        """\
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@dataclass
class Scaler:
    rate: float = 0.1
    scale: jax.Array = field(default_factory=lambda: jnp.ones(3))


print(Scaler().scale)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def label(x):
    return jnp.argmax(x)


counts = {}
for row in jnp.eye(3):
    kind = int(label(row))
    counts[kind] = counts.get(kind, 0) + 1
print(counts, {float(row.sum()) for row in jnp.eye(3)})
""",
    )

    def check(self, event: HashUse | ArrayHash) -> Iterator[Finding]:
        """Reports each tracer and each array that is hashed."""
        if isinstance(event, ArrayHash) and event.field:
            made = quoted(event, "...")
            yield self.finding(
                event,
                headline(
                    "array `{}` is the default of field `{}`", event.operand.source, event.field
                ),
                f"Make one for each object: `field(default_factory=lambda: {made})`.",
                "an array has no hash: since Python 3.11 a dataclass raises ValueError",
            )
            return
        if isinstance(event, ArrayHash):
            key = quoted(event, "key")
            yield self.finding(
                event,
                headline(f"array `{{}}` is hashed ({event.construct})", event.operand.source),
                f"Make a number of a scalar, `int({key})` or `float({key})`, or `.tobytes()` of "
                "an array.",
                "an array has no hash: this raises TypeError",
            )
            return
        yield self.finding(
            event,
            headline(f"traced value `{{}}` is hashed ({event.construct})", event.operand.source),
            f"Keep the table in an array and write `table[{quoted(event, 'key')}]`, or use a "
            "key that tracing knows: a Python number, a string, a shape.",
            "a tracer has no hash",
            traced(event, "this raises TypeError"),
        )

    def fix(self, event: HashUse | ArrayHash, site: Site) -> Fix | None:
        """Makes it static."""
        if isinstance(event, ArrayHash):
            return None
        from oakum_lint.fixes.functions.static_arguments import make_static

        return make_static(site, event.related)
