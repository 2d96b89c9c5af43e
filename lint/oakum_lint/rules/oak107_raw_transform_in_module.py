"""OAK107: a transform of JAX runs code that makes or changes the state of a module around it."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum_lint.domain.events import ModuleState
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding


class RawTransformInModule(Rule[ModuleState]):
    """## What it does
    Finds what a module of Flax (Linen, NNX) or Haiku makes or changes of its state inside a
    transform of JAX (`jax.jit`, `jax.lax.scan`, `jax.grad`, ...) that was begun around the module:
    layers that are made and called in the body of `jax.lax.scan`, `self.param`, `self.variable` and
    `self.sow`, variables and attributes of NNX modules that are assigned, optimizers, metrics and
    `nnx.Rngs` that it changes, and `nnx.Dropout` and `nnx.BatchNorm` that count or average in it.
    The function that `hk.transform` gets counts as a module, and so does a model of NumPyro, whose
    sites (`numpyro.sample`) stand in the body of a loop of JAX.

    ## Why it matters
    The framework keeps parameters and variables outside the function that JAX traces. What is made
    or changed inside is a tracer of that transform, and stays behind when it has ended: Linen and
    Haiku give parameters that are tracers, and NNX refuses the change. NumPyro draws one value for
    all iterations, and its samplers fail on the tracers of sites.

    ## Example
    ```python
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            def layer(x, _):
                return nn.Dense(3)(x), None

            x, _ = jax.lax.scan(layer, x, length=2)
            return x
    ```

    ## Use instead
    Use the framework's own transform of that name, which takes the state of modules in and out:
    `nn.scan`, `nn.jit`, `nn.remat`, `nn.vmap`; `nnx.jit`, `nnx.grad`, `nnx.scan` with the module as
    an argument; `hk.scan`, `hk.vmap`; `scan` and `cond` of `numpyro.contrib.control_flow`. Or call
    the layer once before, so that its parameters are there, or make the function pure:
    `variables = layer.init(key, x)` outside and `layer.apply(variables, x)` inside, `nnx.split`
    outside and `nnx.merge` inside.
    ```python
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            def layer(dense, x, _):
                return dense(x), None

            scan = nn.scan(
                layer, variable_broadcast="params", split_rngs={"params": False}, length=2
            )
            x, _ = scan(nn.Dense(3), x, None)
            return x
    ```

    ## Known limits
    A layer that is made outside the transform may have been called before: it is reported where
    nothing else in the code around it uses it. A layer that counts is reported as likely, and not
    where the program says that layers evaluate (`model.eval()`, `deterministic`). Parameters are
    reported as likely, as `apply` finds them there, except in a module whose `init` is called. A
    module that is an argument of the transform is not followed.

    ## At run time
    `UnexpectedTracerError` where the parameters are used later (Linen, Haiku);
    `flax.errors.TraceContextError` on the line of the change (NNX).
    """

    code = Code(
        "OAK107",
        "raw-transform-in-module",
        "A transform of JAX runs code that makes or changes the state of a module around it",
        "The framework keeps parameters and variables outside the transform: they become its "
        "tracers.",
        "Use the framework's own transform (nn.scan, nnx.jit, hk.scan), or pass the state in "
        "and out.",
    )
    confidence = (
        "proved where the transform is JAX's own and the module's `init` or the assignment of "
        "its state is seen inside; likely for parameters of a module whose `init` is not seen"
    )
    bad = (
        """\
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        def layer(x, _):
            return nn.Dense(3)(x), None  #! OAK107

        x, _ = jax.lax.scan(layer, x, length=2)
        return x


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((1, 3)))
jax.tree.map(jnp.sum, variables)  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp
from flax import nnx


class Normalizer(nnx.Module):
    def __init__(self):
        self.mean = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.mean[...] = 0.9 * self.mean[...] + 0.1 * jnp.mean(x)  #! OAK107
        return x - self.mean[...]


normalizer = Normalizer()


@jax.jit
def loss(w, x):
    return jnp.mean(normalizer(x @ w) ** 2)


loss(jnp.ones(3), jnp.ones((4, 3)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        def layer(dense, x, _):
            return dense(x), None

        scan = nn.scan(layer, variable_broadcast="params", split_rngs={"params": False}, length=2)
        x, _ = scan(nn.Dense(3), x, None)
        head = nn.Dense(2)
        scale = self.param("scale", nn.initializers.ones, (2,))
        return head(x), jax.vmap(lambda row: row * scale)(head(x))


@jax.jit
def predict(variables, x):
    return Net().apply(variables, x)


variables = Net().init(jax.random.key(0), jnp.ones((1, 3)))
print(predict(variables, jnp.ones((1, 3))))
""",
        """\
import jax
import jax.numpy as jnp
from flax import nnx


class Normalizer(nnx.Module):
    def __init__(self):
        self.mean = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.mean[...] = 0.9 * self.mean[...] + 0.1 * jnp.mean(x)
        return x - self.mean[...]


normalizer = Normalizer()


@nnx.jit
def loss(normalizer, w, x):
    return jnp.mean(normalizer(x @ w) ** 2)


@jax.jit
def step(state, w, x):
    normalizer = nnx.merge(structure, state)
    value = jnp.mean(normalizer(x @ w) ** 2)
    return nnx.state(normalizer), value


print(loss(normalizer, jnp.ones(3), jnp.ones((4, 3))))
structure, state = nnx.split(normalizer)
state, value = step(state, jnp.ones(3), jnp.ones((4, 3)))
print(value)
""",
    )

    def check(self, event: ModuleState) -> Iterator[Finding]:
        """Reports each piece of state that a transform of JAX would keep."""
        if event.kind == "parameters":
            yield self.finding(
                event,
                headline("`{}` makes parameters inside a raw JAX transform", event.target),
                "Use the framework's own transform (`nn.scan`, `hk.scan`, ...), or make the layer "
                "and call it once before.",
                f"{event.trace} does not know of the module around it: the parameters are tracers "
                "of it when `init` returns them",
            )
        elif event.kind == "site":
            yield self.finding(
                event,
                headline("`{}` is a site inside a raw JAX transform", event.target),
                "Use `scan` or `cond` of `numpyro.contrib.control_flow`, or draw outside.",
                f"{event.trace} does not know of the handlers around the model: what they keep of "
                "the site are its tracers",
            )
        elif event.kind == "captured":
            yield self.finding(
                event,
                headline("`{}` changes a module that the transform does not get", event.target),
                "Pass the module as an argument: a transform of NNX looks after its arguments "
                "alone.",
                f"the module is older than {event.trace}, and no argument of it: this raises "
                "TraceContextError",
            )
        else:
            yield self.finding(
                event,
                headline("`{}` changes an outer module inside a raw JAX transform", event.target),
                "Use the framework's own transform with the module as an argument (`nnx.jit`, "
                "`nnx.grad`, ...), or pass its state in and out.",
                f"{event.trace} does not know of the module, which is older: the new value would "
                "be a tracer that outlives the trace",
            )
