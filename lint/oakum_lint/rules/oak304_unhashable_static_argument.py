"""OAK304: a static argument cannot be hashed."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import UnhashableKind, UnhashableStatic
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class UnhashableStaticArgument(Rule[UnhashableStatic]):
    """## What it does
    Finds calls that give a list, a dict, a set, an array, or an object without a hash for an
    argument that `static_argnums` or `static_argnames` makes static.

    ## Why it matters
    `jit` keeps one compiled program for each value of the static arguments, and looks it up by
    their hash.

    ## Example
    ```python
    @functools.partial(jax.jit, static_argnames="shape")
    def fold(x, shape):
        return x.reshape(shape)


    fold(x, shape=[2, 3])
    ```

    ## Use instead
    ```python
    fold(x, shape=(2, 3))
    ```
    An object is hashable where its class keeps `object.__hash__`, or defines `__hash__` along with
    `__eq__`: `@dataclass(frozen=True)` does.

    ## Known limits
    Only values whose type is known are reported. A static parameter that is annotated with a type
    without a hash, or with a class whose fields are annotated as arrays or, where they are hashed,
    as lists or dicts (so is `self`, of the class itself), or that is used as only an array can be
    (`mask[..., None]`, `jax.vmap(crop)(mask)`), is likely only.

    ## Fix
    A list that is written in the call becomes a tuple, which is safe. A dataclass of the same file
    becomes a frozen one, where nothing assigns to its fields: unsafe, for other files may.

    ## At run time
    ValueError: Non-hashable static arguments are not supported.
    https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
    """

    code = codes.UNHASHABLE_STATIC_ARGUMENT
    confidence = (
        "proved where the call passes a value whose type has no hash; likely where only an "
        "annotation of the parameter, or what is done with it, says so"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="shape")
def fold(x, shape):
    return x.reshape(shape)


print(fold(jnp.arange(6), shape=(2, 3)))
print(fold(jnp.arange(6), shape=[2, 3]))  #! OAK304
""",
        """\
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Config:
    scale: float = 2.0


def apply(config, x):
    return x * config.scale


step = jax.jit(apply, static_argnums=0)


def run(config):
    return step(config, jnp.ones(3))  #! OAK304


run(Config())
""",
    )
    good = (
        """\
import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    sizes: tuple = (2, 3)


class Scale:
    factor = 2.0


@functools.partial(jax.jit, static_argnums=(0, 1))
def apply(config, scale, x, weights):
    return x.reshape(config.sizes) * scale.factor + weights[0]


print(apply(Config(), Scale(), jnp.arange(6), [1.0, 2.0]))
""",
        """\
import jax
import jax.numpy as jnp


class Bounds(tuple):
    pass


def crop(x, bounds, *, fill=(0.0,)):
    return jnp.clip(x, bounds[0], bounds[1]) + fill[0]


step = jax.jit(crop, static_argnums=1, static_argnames=["fill"])
print(step(jnp.arange(6.0), Bounds((1, 3))), step(jnp.ones(3), (0, 1), fill=(0.5,)))
""",
    )

    def check(self, event: UnhashableStatic) -> Iterator[Finding]:
        """Reports each static argument without a hash."""
        what = event.what.words
        short = what.partition(", ")[0].partition(" that ")[0]
        yield self.finding(
            event,
            headline(
                f"static argument `{{}}` of `{{}}` is unhashable: {short}",
                event.parameter,
                event.function,
            ),
            _hint(event.what.kind, event.parameter),
            f"it is {what}, and cannot be hashed; this raises ValueError",
        )

    def fix(self, event: UnhashableStatic, site: Site) -> Fix | None:
        """Gives the argument a hash."""
        from oakum_lint.fixes.functions.hashing import frozen_class, tuple_for_list

        match event.what.kind:
            case "list":
                return tuple_for_list(site, event.parameter)
            case "class":
                return frozen_class(site, event.what.cls)
            case _:
                return None


def _hint(kind: UnhashableKind, parameter: str) -> str:
    match kind:
        case "list" | "deque":
            return f"Pass a tuple for `{parameter}`."
        case "set":
            return f"Pass a frozenset for `{parameter}`."
        case "dict":
            return f"Pass `tuple(sorted({parameter}.items()))`, or a frozen dataclass."
        case "array" | "tracer":
            return f"Take `{parameter}` out of the static arguments, so that it is traced."
        case "class":
            return "Make the class a frozen dataclass, or define `__hash__` along with `__eq__`."
        case "holder":
            return f"Have `{parameter}` hold tuples, frozensets or frozen dataclasses instead."
        case "fields":
            return f"Take `{parameter}` out of the static arguments, and make its class a pytree."
