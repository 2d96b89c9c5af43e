"""OAK103: a traced value is assigned to an attribute of an object that outlives the trace."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum_lint.domain.events import Leak
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import leak, shown, stored, way_out
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInOuterAttribute(Rule[Leak]):
    """## What it does
    Finds assignments of traced values to attributes of objects that exist outside the trace:
    `self` where it is static or closed over, any other object, a class.

    ## Why it matters
    The assignment happens while the function is traced, once, and leaves a tracer in the object.
    Later calls of the compiled function do not assign again, and the next method that reads the
    attribute fails, with a message that does not name the assignment.

    ## Example
    ```python
    class Normalizer:
        @partial(jax.jit, static_argnums=0)
        def fit(self, x):
            self.scale = jnp.std(x)
            return x / self.scale
    ```

    ## Use instead
    Let the traced function return the new state, and keep it outside:
    ```python
    @jax.jit
    def standardize(x):
        scale = jnp.std(x)
        return x / scale, scale


    class Normalizer:
        def fit(self, x):
            y, self.scale = standardize(x)
            return y
    ```
    Or make the class a pytree (`jax.tree_util.register_dataclass`), pass the object in, and return
    a new one.

    ## Known limits
    Modules of Flax and Haiku manage their own attributes and are left alone. An object that is
    itself an argument of the traced function, as a pytree, is rebuilt for the trace: what is
    assigned to it is lost rather than leaked, and is not reported. Nor is an attribute that the
    same function sets back to what it held before. Of an object that nobody is seen to make, but
    that an outer object holds, the finding is likely only.

    ## Fix
    A constant that is made on first use, or in a cached function, is computed within
    `with jax.ensure_compile_time_eval():`, which makes an array of it under a trace, too. Unsafe:
    it is computed while the program is traced, and kept as a constant of it.

    ## At run time
    `jax.errors.UnexpectedTracerError` at the later use; at the end of the trace under
    `jax.checking_leaks()`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError
    """

    code = Code(
        "OAK103",
        "tracer-in-outer-attribute",
        "A traced value is assigned to an attribute of an object that outlives the trace",
        "The assignment happens once, while tracing, and leaves a tracer in the object.",
        "Return the new state, and let the caller keep it.",
    )
    confidence = (
        "proved where the object is seen to be made outside the trace; likely where it is "
        "known only as what an outer object holds"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
from functools import partial

import jax
import jax.numpy as jnp


class Normalizer:
    def __init__(self):
        self.scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def fit(self, x):
        self.scale = jnp.std(x) + 1e-6  #! OAK103
        return x / self.scale

    def inverse(self, y):
        return y * self.scale  #~ UnexpectedTracerError


normalizer = Normalizer()
y = normalizer.fit(jnp.arange(4.0))
normalizer.inverse(y)
""",
        """\
import jax
import jax.numpy as jnp


class Counter:
    def __init__(self):
        self.total = jnp.zeros(())

    def run(self, xs):
        def body(carry, x):
            self.total += x  #! OAK103
            return carry + x, None

        jax.lax.scan(body, 0.0, xs)
        return self.total * 2  #~ UnexpectedTracerError


Counter().run(jnp.ones(3))
""",
        """\
import types

import jax
import jax.numpy as jnp

logs = types.SimpleNamespace()


def loss(w, x):
    prediction = x @ w
    logs.prediction = prediction  #! OAK103
    return jnp.mean(prediction**2)


jax.grad(loss)(jnp.ones(3), jnp.ones((2, 3)))
logs.prediction + 1.0  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp


class Basis:
    def __init__(self, degree):
        self.degree = degree
        self._nodes = None

    @property
    def nodes(self):
        if self._nodes is None:
            self._nodes = jnp.cos(jnp.arange(self.degree) / self.degree)  #! OAK103
        return self._nodes


basis = Basis(5)


@jax.jit
def interpolate(values):
    return values * basis.nodes


interpolate(jnp.ones(5))
basis.nodes + 1.0  #~ UnexpectedTracerError
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def standardize(x):
    scale = jnp.std(x) + 1e-6
    return x / scale, scale


class Normalizer:
    def __init__(self):
        self.scale = 1.0

    def fit(self, x):
        y, self.scale = standardize(x)
        return y

    def inverse(self, y):
        return y * self.scale


normalizer = Normalizer()
normalizer.inverse(normalizer.fit(jnp.arange(4.0)))
""",
        """\
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["total"], meta_fields=[])
@dataclasses.dataclass
class Running:
    total: jax.Array

    @jax.jit
    def add(self, x):
        return dataclasses.replace(self, total=self.total + x)


running = Running(jnp.zeros(()))
running = running.add(jnp.ones(()))
print(running.total)
""",
        """\
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, weight, gain):
        self.weight = weight
        self.product = weight * gain


@jax.jit
def forward(w, x):
    layer = Layer(w, 2.0)
    layer.bias = jnp.mean(x)
    return x @ layer.product + layer.bias


forward(jnp.ones((3, 3)), jnp.ones(3))
""",
    )

    def check(self, event: Leak) -> Iterator[Finding]:
        """Reports each assignment of a tracer to an outer object's attribute."""
        if event.kind == "attribute":
            by_call = event.target.endswith(")")
            yield self.finding(
                event,
                leak(event, "an attribute by `{}`" if by_call else "attribute `{}`"),
                f"{way_out(event)}, and {'call' if by_call else 'assign'} "
                f"`{shown(event.target)}` outside.",
                f"{stored(event)}, traced by {event.trace}, outlives the trace: using it later "
                "raises UnexpectedTracerError",
            )

    def fix(self, event: Leak, site: Site) -> Fix | None:
        """Computes a constant under no trace."""
        from oakum_lint.fixes.functions.kept_constants import compute_at_once

        return compute_at_once(site) if event.kind == "attribute" else None
