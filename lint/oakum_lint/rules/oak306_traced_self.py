"""OAK306: a method is jitted whose `self` is not a pytree."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import TracedReceiver
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracedSelf(Rule[TracedReceiver]):
    """## What it does
    Finds methods under `jit` that get for `self` an instance of a class that is not a pytree.

    ## Why it matters
    `jit` traces all arguments that are not static, `self` too, and does not know which parts of an
    object are arrays.

    ## Example
    ```python
    class Scaler:
        def __init__(self, scale):
            self.scale = scale

        @jax.jit
        def transform(self, x):
            return x * self.scale
    ```

    ## Use instead
    Jit a function outside of the class:
    ```python
    @jax.jit
    def _transform(scale, x):
        return x * scale


    class Scaler:
        def __init__(self, scale):
            self.scale = scale

        def transform(self, x):
            return _transform(self.scale, x)
    ```
    Or make `self` static, where its attributes are never assigned again, with
    `@functools.partial(jax.jit, static_argnums=0)`. Or make the class a pytree, with
    `jax.tree_util.register_dataclass` or `jax.tree_util.register_pytree_node_class`, so that its
    arrays are traced.

    ## Known limits
    A class with a base, decorator or metaclass that is not known may be a pytree, and is not
    reported.

    ## Fix
    `self` becomes static where the attributes that `__init__` makes are assigned nowhere else, and
    a dataclass whose fields are annotated as arrays or floats is registered as a pytree. Unsafe:
    each static instance has a compiled program of its own, in which its arrays are constants
    without a gradient, and later changes of it are not seen. There is none where the class stands
    in another file.

    ## At run time
    TypeError: Error interpreting argument as an abstract array.
    https://docs.jax.dev/en/latest/faq.html#how-to-use-jit-with-methods
    """

    code = codes.TRACED_SELF
    confidence = (
        "proved where the class is seen and is not a registered pytree, and the method is called "
        "on an instance, or asks of its first parameter what instances have"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


class Scaler:
    def __init__(self, scale):
        self.scale = scale

    @jax.jit
    def transform(self, x):
        return x * self.scale


Scaler(2.0).transform(jnp.ones(3))  #! OAK306
""",
        """\
import functools

import jax
import jax.numpy as jnp


class Model:
    @functools.partial(jax.jit, static_argnames="power")
    def loss(self, x, power):
        return jnp.sum(x**power)


class Linear(Model):
    pass


def evaluate(model):
    return model.loss(jnp.ones(3), power=2)  #! OAK306


evaluate(Linear())
""",
        """\
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Wave:
    phase: float
    weights: jax.Array  # one for each frequency

    @jax.jit
    def at(self, t):
        frequencies = jnp.arange(self.weights.shape[0])
        return jnp.sum(self.weights * jnp.sin(frequencies * t + self.phase))


wave = Wave(0.5, jnp.ones(3))
print(wave.at(1.0))  #! OAK306
""",
    )
    good = (
        """\
import functools

import jax
import jax.numpy as jnp


class Scaler:
    def __init__(self, scale):
        self.scale = scale
        self.jitted = jax.jit(self.shift)

    @functools.partial(jax.jit, static_argnums=0)
    def transform(self, x):
        return x * self.scale

    def shift(self, x):
        return x + self.scale

    @staticmethod
    @jax.jit
    def square(x):
        return x * x


@jax.tree_util.register_pytree_node_class
class Tree:
    def __init__(self, weight):
        self.weight = weight

    def tree_flatten(self):
        return (self.weight,), None

    @classmethod
    def tree_unflatten(cls, auxiliary, children):
        return cls(*children)

    @jax.jit
    def transform(self, x):
        return x * self.weight


scaler = Scaler(2.0)
print(scaler.transform(jnp.ones(3)), scaler.jitted(1.0), scaler.square(3.0))
print(Tree(3.0).transform(jnp.ones(3)))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def apply(weight, x):
    return x * weight


class Layer:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        return apply(self.weight, x)

    def compiled(self):
        return jax.jit(lambda x: self(x))


layer = Layer(2.0)
print(layer(jnp.ones(3)), layer.compiled()(jnp.ones(3)))
""",
    )

    def check(self, event: TracedReceiver) -> Iterator[Finding]:
        """Reports each such call."""
        yield self.finding(
            event,
            headline(
                "jitted method `{}` traces `{}`, but `{}` is not a pytree",
                event.function,
                event.parameter,
                event.cls,
            ),
            "Jit a function outside of the class that takes the arrays; or make "
            f"`{event.parameter}` static, `@functools.partial(jax.jit, static_argnums=0)`, if "
            "its attributes never change; or register the class as a pytree.",
            "this raises TypeError",
        )

    def fix(self, event: TracedReceiver, site: Site) -> Fix | None:
        """Has `jit` know what to do with the instance."""
        from oakum_lint.fixes.functions.jitted_methods import known_receiver

        return known_receiver(site, event.cls, event.function, event.parameter)
