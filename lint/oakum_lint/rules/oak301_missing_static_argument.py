"""OAK301: an option of `jit` names a parameter that the function does not have."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class MissingStaticArgument(Rule[events.MissingStaticArgument]):
    """## What it does
    Finds names in `static_argnames` and `donate_argnames`, and positions in `static_argnums` and
    `donate_argnums`, that the jitted function does not have: misspelt, miscounted, or left behind
    by a change of the signature. Also finds calls of `jax.grad(f, argnums=n)` without an argument
    at that position.

    ## Why it matters
    `jit` compares the names with the signature when it is applied. For a decorated function that
    is when its module is imported, so nothing else of the module can be used either.

    ## Example
    ```python
    @partial(jax.jit, static_argnames=("num_step",))
    def simulate(state, num_steps):
        return jax.lax.fori_loop(0, num_steps, lambda i, s: 0.5 * s, state)
    ```

    ## Use instead
    ```python
    @partial(jax.jit, static_argnames=("num_steps",))
    def simulate(state, num_steps):
        return jax.lax.fori_loop(0, num_steps, lambda i, s: 0.5 * s, state)
    ```

    ## Known limits
    A function with `**options` can take every name, and is not checked. Nor is a function behind a
    decorator that may change its parameters.

    ## Fix
    Names the parameter whose name is nearest, or takes the name away where none is near. Unsafe: it
    is a guess.

    ## At run time
    `ValueError` ("Jitted function has invalid argnames ... in static_argnames"), where `jit` is
    applied, and `TypeError` where what `grad` gives is called:
    https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
    """

    code = codes.MISSING_STATIC_ARGUMENT
    confidence = (
        "proved where the signature of the function is seen and has no such parameter, and no "
        "`**kwargs` that takes it"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
from functools import partial

import jax


@partial(jax.jit, static_argnames=("num_step",))  #! OAK301
def simulate(state, num_steps):
    return jax.lax.fori_loop(0, num_steps, lambda i, s: 0.5 * s, state)
""",
        """\
import jax
import jax.numpy as jnp


def normalize(x, axis, eps=1e-6):
    return x / (jnp.linalg.norm(x, axis=axis, keepdims=True) + eps)


fast_normalize = jax.jit(normalize, static_argnames=("axis", "keepdims"))  #! OAK301 18
""",
        """\
import functools

import jax
import jax.numpy as jnp


class Encoder:
    def __init__(self, width):
        self.width = width

    @functools.partial(jax.jit, static_argnames=["self", "train"])  #! OAK301
    def __call__(self, x, training=False):
        x = jnp.tile(x, self.width)
        return jnp.where(training, 0.5 * x, x)
""",
        """\
import jax


def power(x, n):
    return x**n


cube = jax.jit(power, static_argnums=2)  #! OAK301
""",
        """\
import jax
import jax.numpy as jnp


def loss(w, x, scale=1.0):
    return jnp.sum(scale * w * x)


by_scale = jax.grad(loss, argnums=(0, 2))
print(by_scale(jnp.ones(2), jnp.ones(2), 2.0))
print(by_scale(jnp.ones(2), jnp.ones(2)))  #! OAK301
print(jax.value_and_grad(loss)(w=jnp.ones(2), x=jnp.ones(2)))  #! OAK301
""",
    )
    good = (
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("num_steps",))
def simulate(state, num_steps):
    return jax.lax.fori_loop(0, num_steps, lambda i, s: 0.5 * s, state)


def normalize(x, *, axis, eps=1e-6):
    return x / (jnp.linalg.norm(x, axis=axis, keepdims=True) + eps)


simulate(jnp.ones(3), 2)
by_both = jax.jit(jax.value_and_grad(lambda w, x=1.0: w * x, argnums=(0, -1)))
by_both(2.0, 3.0)
jax.jit(normalize, static_argnames="axis")(jnp.ones((2, 3)), axis=-1)
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("axis", "keepdims"))
def reduce(x, **options):
    return jnp.sum(x, **options)


class Encoder:
    def __init__(self, width):
        self.width = width

    @partial(jax.jit, static_argnames=("self", "training"))
    def __call__(self, x, training=False):
        x = jnp.tile(x, self.width)
        return 0.5 * x if training else x


reduce(jnp.ones((2, 3)), axis=0, keepdims=True)
Encoder(2)(jnp.ones(3), training=True)
""",
    )

    def check(self, event: events.MissingStaticArgument) -> Iterator[Finding]:
        """Reports each name or position without a parameter."""
        option, parameter = event.option, event.parameter
        if option == "argnums":
            count = len(event.parameters)
            positional = "1 argument" if count == 1 else f"{count} arguments"
            yield self.finding(
                event,
                headline(
                    f"`argnums` {parameter}, but `{{}}` gets {positional} by position",
                    event.function,
                ),
                "Positions are counted from 0: correct `argnums`, or pass the argument by "
                "position.",
                "this raises TypeError",
            )
        elif option.endswith("names"):
            yield self.finding(
                event,
                headline(
                    f"`{option}` names `{{}}`, not a parameter of `{{}}`", parameter, event.function
                ),
                _hint(event),
                "this raises ValueError",
            )
        else:
            yield self.finding(
                event,
                headline(f"`{option}` {parameter} is not a parameter of `{{}}`", event.function),
                _hint(event),
                "this raises ValueError",
            )

    def fix(self, event: events.MissingStaticArgument, site: Site) -> Fix | None:
        """Names the parameter that was probably meant, or none."""
        from oakum_lint.fixes.functions.static_arguments import drop_static, rename_static

        if event.option == "argnums":
            return None
        near = _nearest(event)
        if near:
            return rename_static(site, event.parameter, near)
        return drop_static(site, event.parameter)


def _nearest(event: events.MissingStaticArgument) -> str:
    import difflib  # Only a wrong name pays for it.

    if event.option.endswith("nums"):
        return ""
    near = difflib.get_close_matches(event.parameter, event.parameters, n=1)
    return near[0] if near else ""


def _hint(event: events.MissingStaticArgument) -> str:
    if event.option.endswith("nums"):
        count = len(event.parameters)
        return f"Name a position that the function has: it has {count}, counted from 0."
    near = _nearest(event)
    if near:
        return f"Write `{near}` in its place."
    listed = ", ".join(f"`{name}`" for name in event.parameters)
    if not listed:
        return f"Remove `{event.parameter}`: the function has no parameters."
    return f"Remove `{event.parameter}`, or name a parameter that the function has: {listed}."
