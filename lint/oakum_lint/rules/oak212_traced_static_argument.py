"""OAK212: a traced value is passed for an argument that has to be static."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import StaticArgument
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, or_static, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracedStaticArgument(Rule[StaticArgument]):
    """## What it does
    Finds traced values for arguments that decide what is computed and so have to be known while
    tracing: `axis`, `num_classes` of `one_hot`, `k` of `top_k`, `length` of `scan`,
    `num_segments`, `n` of `matrix_power`, and the static arguments of your own jitted functions;
    sizes and flags of layers (`features` of `nn.Dense`, `deterministic` of `nn.Dropout`), and such
    options of Equinox, Diffrax and optax (`filter_spec`, `max_steps`, `decay_steps`).

    ## Why it matters
    A compiled program has one axis to reduce over and one number of classes. An argument of a
    jitted function is a tracer, though the caller passes an `int`, and cannot choose between
    programs.

    ## Example
    ```python
    @jax.jit
    def spread(x, axis):
        return jnp.max(x, axis=axis) - jnp.min(x, axis=axis)
    ```

    ## Use instead
    ```python
    @partial(jax.jit, static_argnames=("axis",))
    def spread(x, axis):
        return jnp.max(x, axis=axis) - jnp.min(x, axis=axis)
    ```
    Where one jitted function calls another and hands a static argument through, it has to be
    static in both. Under `vmap` or in the body of a `scan`, close over the Python value or bind it
    with `functools.partial` instead of mapping over it.

    ## Known limits
    Sizes and shapes have their own code, OAK211. Some arguments look static and are not:
    the shift of `jnp.roll`, the index of `jax.lax.dynamic_index_in_dim`, `ddof` of `jnp.var`.

    ## Fix
    A value that is handed to the jitted function itself becomes a static argument there. Unsafe:
    each value is compiled by itself, and no caller may hand over an array.

    ## At run time
    `jax.errors.ConcretizationTypeError` or a kind of it (`TracerIntegerConversionError`,
    `TracerBoolConversionError`) from functions of JAX, `ValueError` ("Non-hashable static
    arguments") for static arguments of a jitted function:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError
    """

    code = codes.TRACED_STATIC_ARGUMENT
    confidence = (
        "proved where the parameter is static by the declaration, or by the arguments of the "
        "user's own `jit`, and a tracer is passed for it"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def spread(x, axis):
    return jnp.max(x, axis=axis)  #! OAK212


@jax.jit
def total(x, axis):
    return x.sum(axis)  #! OAK212


spread(jnp.ones((2, 3)), 0)
total(jnp.ones((2, 3)), 0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def encode(labels, classes):
    return jax.nn.one_hot(labels, classes)  #! OAK212


@jax.jit
def best(scores, k):
    values, _ = jax.lax.top_k(scores, k)  #! OAK212
    return values


@jax.jit
def repeat(x, n):
    final, _ = jax.lax.scan(lambda c, _: (c * 0.5, None), x, None, length=n)  #! OAK212
    return final


encode(jnp.array([0, 2]), 3)
best(jnp.arange(4.0), 2)
repeat(jnp.ones(2), 3)
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("power",))
def moment(x, power):
    return jnp.mean(x**power)


@jax.jit
def kurtosis(x, order):
    return moment(x, power=order) / moment(x, power=2) ** 2  #! OAK212


kurtosis(jnp.arange(3.0), 4)
""",
    )
    good = (
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("axis",))
def spread(x, axis):
    return jnp.max(x, axis=axis) - jnp.min(x, axis=axis)


@partial(jax.jit, static_argnums=(1, 2))
def best(scores, k, axis=-1):
    values, _ = jax.lax.top_k(scores, k)
    return values.sum(axis)


spread(jnp.ones((2, 3)), axis=0)
best(jnp.arange(4.0), 2)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def normalize(x):
    for axis in range(x.ndim):
        x = x - x.mean(axis=axis, keepdims=True)
    return jax.nn.one_hot(jnp.argmax(x, axis=-1), x.shape[-1])


@jax.jit
def shift(x, by, ddof):
    return jnp.roll(x, by), jnp.var(x, ddof=ddof)


normalize(jnp.ones((2, 3)))
shift(jnp.arange(4.0), 1, 1)
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("power",))
def moment(x, power):
    return jnp.mean(x**power)


@partial(jax.jit, static_argnames=("order",))
def kurtosis(x, order=4):
    return moment(x, power=order) / moment(x, power=2) ** 2


kurtosis(jnp.arange(3.0))
""",
    )

    def check(self, event: StaticArgument) -> Iterator[Finding]:
        """Reports each static argument that gets a tracer."""
        there = " there too" if event.by_user else ""
        hint = f"Pass a Python value{or_static(event)}{there}."
        if event.by_user and not or_static(event):
            hint = "Pass a Python value, for instance by closing over it."
        yield self.finding(
            event,
            headline(
                "static argument `{}` of `{}` gets traced value `{}`",
                event.parameter,
                event.function,
                event.operand.source,
            ),
            hint,
            traced(event, "this raises ValueError")
            if event.by_user
            else traced(event, "this fails while tracing"),
        )

    def fix(self, event: StaticArgument, site: Site) -> Fix | None:
        """Makes it static."""
        from oakum_lint.fixes.functions.static_arguments import make_static

        return make_static(site, event.related)
