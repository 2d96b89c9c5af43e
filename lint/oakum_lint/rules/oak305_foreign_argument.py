"""OAK305: a traced function takes or returns something that is not an array."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import ITERATOR, ForeignOperand, ForeignResidual, ForeignResult
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class ForeignArgument(Rule[ForeignOperand | ForeignResidual | ForeignResult]):
    """## What it does
    Finds strings, functions, classes, sets, modules of Flax Linen and plain objects that get
    to a jitted function for an argument that is traced, that are mapped over, carried through a
    loop or handed to a branch, or that a function returns which is jitted, mapped, or run by a loop
    or branch, or that a rule of `custom_vjp` keeps for the other one. A layer of Equinox that holds
    a function, as `eqx.nn.MLP` does its activation, is one too for `jax.jit`.

    ## Why it matters
    The arguments and results of a compiled program are arrays, numbers, and containers of these.
    What only chooses between programs has to be static.

    ## Example
    ```python
    @jax.jit
    def activate(x, mode):
        return jnp.tanh(x) if mode == "tanh" else jax.nn.relu(x)


    activate(x, "tanh")
    ```

    ## Use instead
    ```python
    @functools.partial(jax.jit, static_argnames="mode")
    def activate(x, mode):
        return jnp.tanh(x) if mode == "tanh" else jax.nn.relu(x)
    ```

    ## Known limits
    Objects of classes that some library may have registered as pytrees are not reported. That a
    text is the default of a traced parameter is reported where the function is public and `jit`
    stands above it: whoever passes another one gets the error. It is likely: no call is seen.

    ## Fix
    A string or a function is passed for a static argument where the jitted function is defined in
    the file: unsafe, as there is a compiled program for each then. Other values have no fix.

    ## At run time
    TypeError: Error interpreting argument as an abstract array; or: function returned a value of
    type str, which is not a valid JAX type.
    https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
    """

    code = codes.FOREIGN_ARGUMENT
    confidence = (
        "proved where the type of the argument or result is known and JAX takes no such value"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def activate(x, mode):
    return jnp.tanh(x) if mode == "tanh" else jax.nn.relu(x)


activate(jnp.ones(3), "tanh")  #! OAK305
""",
        """\
import jax
import jax.numpy as jnp


def apply(function, x):
    return function(x)


step = jax.jit(apply)


def run(function):
    return step(function, jnp.ones(3))  #! OAK305


run(lambda x: x + 1)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def describe(x):
    return {"mean": jnp.mean(x), "kind": "float"}


describe(jnp.ones(3))  #! OAK305
""",
        """\
import jax
import jax.numpy as jnp


def scale(x, unit):
    return 1000.0 * x if unit == "km" else x


jax.vmap(scale)(jnp.ones(3), "km")  #! OAK305
""",
        """\
import jax
import jax.numpy as jnp


def advance(carry, x):
    name, total = carry
    return (name, total + x), total


jax.lax.scan(advance, ("sum", 0.0), jnp.ones(3))  #! OAK305
""",
    )
    good = (
        """\
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("mode", "function"))
def activate(x, mode, function=None, scale=None):
    x = x if function is None else function(x)
    return {mode: jnp.tanh(x) if mode == "tanh" else x, "none": None}


print(activate(jnp.ones(3), "tanh"), activate(jnp.ones(3), mode="same", function=jnp.sin))
""",
        """\
import jax
import jax.numpy as jnp


def make_step(function, label):
    @jax.jit
    def step(state, options=None):
        return {"loss": function(state["x"]), "steps": state["steps"] + 1}

    return lambda state: (label, step(state))


print(make_step(jnp.sin, "sine")({"x": jnp.ones(3), "steps": 0}))
scale = jax.vmap(lambda x, unit: 1000.0 * x if unit == "km" else x, in_axes=(0, None))
print(scale(jnp.ones(3), "km"), jax.lax.cond(True, jnp.sin, jnp.cos, 1.0))
""",
    )

    def check(self, event: ForeignOperand | ForeignResidual | ForeignResult) -> Iterator[Finding]:
        """Reports each such argument or result."""
        match event:
            case ForeignOperand(parameter=""):
                yield self.finding(
                    event,
                    headline(f"`{{}}` gets {_kind(event.what)}", event.function),
                    "Pass only arrays, numbers and containers of these, and close over the rest.",
                    *_why(event.what),
                    "this raises TypeError",
                )
            case ForeignOperand():
                yield self.finding(
                    event,
                    headline(
                        f"traced argument `{{}}` of `{{}}` is {_kind(event.what)}",
                        event.parameter,
                        event.function,
                    ),
                    _help(event),
                    *_why(event.what),
                    f"{event.operand} is passed here: this raises TypeError",
                )
            case ForeignResidual():
                yield self.finding(
                    event,
                    headline(
                        f"`{{}}` keeps {_kind(event.what)} for the backward pass", event.function
                    ),
                    "Keep only arrays, numbers and containers of these; what is in "
                    "`nondiff_argnums`, the backward pass gets anyway.",
                    *_why(event.what),
                    "this raises TypeError where the derivative is taken",
                )
            case ForeignResult():
                kind = _kind(event.what)
                yield self.finding(
                    event,
                    headline(f"`{{}}` returns {kind} to `{{}}`", event.function, event.to)
                    if event.to
                    else headline(f"jitted `{{}}` returns {kind}", event.function),
                    "Return only arrays, numbers and containers of these, and add the rest "
                    "outside.",
                    *_why(event.what),
                    "this raises TypeError",
                )

    def fix(
        self, event: ForeignOperand | ForeignResidual | ForeignResult, site: Site
    ) -> Fix | None:
        """Makes the argument static."""
        from oakum_lint.fixes.functions.static_arguments import static_at_call

        if not isinstance(event, ForeignOperand) or not event.parameter or _is_iterator(event):
            return None
        return static_at_call(site, event.parameter)


def _is_iterator(event: ForeignOperand) -> bool:
    return event.what == ITERATOR


def _help(event: ForeignOperand) -> str:
    if _is_iterator(event):
        return "Pass its items: `tuple(...)` of it."
    return f'Make it static: `static_argnames="{event.parameter}"`; or close over it.'


def _kind(what: str) -> str:
    return what.partition(", ")[0].rstrip(",")


def _why(what: str) -> tuple[str, ...]:
    """The note that says what is wrong with a value, where its kind alone does not."""
    why = what.partition(", ")[2]
    return (f"it is {what.rstrip(',')}",) if why else ()
