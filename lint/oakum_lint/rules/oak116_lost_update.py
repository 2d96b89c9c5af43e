"""OAK116: an object is updated in a trace that has only a copy of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses import lost_updates


class LostUpdate(Rule["lost_updates.LostUpdate"]):
    """## What it does
    Finds an object that a function under `jax.jit`, `jax.grad`, `jax.vmap`, `jax.lax.scan` or their
    like gets as an argument, changes, and does not return: a module, an optimizer, metrics or
    `nnx.Rngs` of Flax NNX, or an instance of a class that is registered as a pytree.

    ## Why it matters
    A transform of JAX takes its arguments apart into arrays and makes a new object of these inside.
    The function changes that copy. The object of the caller stays as it was: the optimizer makes no
    step, averages do not move, and the next call draws the same numbers.

    ## Example
    ```python
    @jax.jit
    def step(model, optimizer, x, y):
        loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
        optimizer.update(model, grads)
        return loss
    ```

    ## Use instead
    Use the transform of NNX, which brings what has changed back to the objects of the caller; or
    return the object, or its state, and go on with that.
    ```python
    @nnx.jit
    def step(model, optimizer, x, y):
        loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
        optimizer.update(model, grads)
        return loss
    ```

    ## Known limits
    Where a function returns something of unknown structure, the state may be in it, and nothing is
    reported. Of several updates in a function the first is. Layers that count in training
    (`nnx.BatchNorm`, `nnx.Dropout`) are reported where a gradient is taken. A change of a module
    that the function reads from outside is no copy, and Flax refuses it: `OAK107`.

    ## At run time
    Nothing: the object of the caller keeps what it held.
    """

    code = Code(
        "OAK116",
        "lost-update",
        "An object is changed in a function under a transform, which got a copy and does not "
        "return it",
        "A transform of JAX makes new objects of its arguments: the caller's stay as they were.",
        "Use the transform of NNX, or return the object or its new state.",
    )
    severity = Severity.WARNING
    silent = True
    confidence = "likely, never proved: the function may use the changed copy, and no one else"
    bad = (
        """\
import jax
import jax.numpy as jnp
import optax
from flax import nnx


def loss_of(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@jax.jit
def step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
    optimizer.update(model, grads)  #! OAK116
    return loss


model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
before = model.kernel[...]
step(model, optimizer, jnp.ones((3, 2)), jnp.zeros((3, 1)))
assert (model.kernel[...] == before).all()
""",
        """\
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Meter:
    def __init__(self, total, count):
        self.total = total
        self.count = count

    def tree_flatten(self):
        return (self.total, self.count), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    @jax.jit
    def add(self, x):
        self.total = self.total + x.sum()  #! OAK116
        self.count = self.count + x.size


meter = Meter(jnp.zeros(()), jnp.zeros(()))
meter.add(jnp.ones(3))
assert meter.count == 0
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import optax
from flax import nnx


def loss_of(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@nnx.jit
def step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
    optimizer.update(model, grads)
    return loss


@jax.jit
def pure_step(structure, state, x, y):
    model, optimizer = nnx.merge(structure, state)
    loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
    optimizer.update(model, grads)
    return loss, nnx.state((model, optimizer))


model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
step(model, optimizer, jnp.ones((3, 2)), jnp.zeros((3, 1)))
structure, state = nnx.split((model, optimizer))
loss, state = pure_step(structure, state, jnp.ones((3, 2)), jnp.zeros((3, 1)))
nnx.update((model, optimizer), state)
""",
        """\
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Meter:
    def __init__(self, total, count):
        self.total = total
        self.count = count

    def tree_flatten(self):
        return (self.total, self.count), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    @jax.jit
    def add(self, x):
        self.total = self.total + x.sum()
        self.count = self.count + x.size
        return self


meter = Meter(jnp.zeros(()), jnp.zeros(()))
meter = meter.add(jnp.ones(3))
print(meter.total / meter.count)
""",
    )

    def check(self, event: "lost_updates.LostUpdate") -> Iterator[Finding]:
        """Reports the first update of each trace."""
        match event.kind:
            case "variable" | "attribute":
                title = headline("`{}` is set on a copy, which is not returned", event.update)
            case "method":
                title = headline("`{}` changes a copy, which is not returned", event.update)
            case "layer":
                title = headline("`{}` counts on a copy, which is not returned", event.update)
            case "draw":
                title = headline("`{}` draws from a copy, which is not returned", event.update)
        hint = (
            "Return the object, and go on with the one that the call returns."
            if event.kind == "attribute"
            else "Use the transform of NNX (`nnx.jit`, `nnx.grad`, ...), or return the object or "
            "its new state."
        )
        yield self.finding(
            event,
            title,
            hint,
            f"{event.transform} makes a new object of the leaves of the argument: the caller's "
            "object stays as it was",
        )
