"""OAK501: shapes that do not fit an operation."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import misfit
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class ShapeMismatch(Rule[events.Misfit]):
    """## What it does
    Finds operations on arrays whose shapes certainly do not fit: products, operators that do not
    broadcast, `reshape` to another number of elements, `concatenate` and `stack` of arrays that
    differ, axes that are not there, indices and updates of the wrong shape, axes of different
    lengths under `vmap` and `scan`, rows that are unpacked into another number of names.

    ## Why it matters
    The program fails where the line runs, which may be after an hour of training, or in the branch
    that is only taken at the end.

    ## Example
    ```python
    weights = jnp.zeros((784, 10))
    batch = jnp.zeros((10, 784))
    logits = weights @ batch.T @ jnp.ones(10)
    logits = weights @ batch
    total = jnp.concatenate([weights, batch])
    ```

    ## Use instead
    ```python
    weights = jnp.zeros((784, 10))
    batch = jnp.zeros((32, 784))
    logits = batch @ weights
    total = jnp.concatenate([weights, batch.T], axis=1)
    ```
    The message gives the shapes of the operands: transpose, reshape or slice one of them, or add an
    axis (`x[:, None]`) for broadcasting.

    ## Known limits
    Only what the program itself shows is known: arrays made with known sizes, what is computed of
    them, and what functions and modules hand on. An array of unknown shape is never reported, nor
    one of which the size that matters is unknown. Code that expects the error (`try`,
    `pytest.raises`) is left alone.

    ## Fix
    `not x` and `x or d` become `x is None` and `d if x is None else x`, where `x` is a parameter
    with the default None that gets an array: unsafe, as a value that is false and not None is kept
    then. `split` makes as many keys as there are names for them: unsafe, as the numbers that are
    drawn differ. Other misfits have no fix.

    ## At run time
    `TypeError` or `ValueError` ("incompatible shapes for broadcasting", "dot_general requires
    contracting dimensions to have the same shape"):
    https://docs.jax.dev/en/latest/notebooks/thinking_in_jax.html
    """

    code = codes.SHAPE_MISMATCH
    confidence = (
        "proved where the operands do not fit for any value of what is unknown of their shapes"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax


def noise(shape, key=None):
    if not key:  #! OAK501
        key = jax.random.PRNGKey(0)
    return jax.random.normal(key, shape)


print(noise((3,), jax.random.PRNGKey(1)))
""",
        """\
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, inputs, outputs):
        self.weights = jnp.zeros((outputs, inputs))
        self.bias = jnp.zeros(outputs)

    def __call__(self, x):
        return x @ self.weights + self.bias  #! OAK501


@jax.jit
def predict(x):
    return Layer(784, 10)(x)


predict(jnp.ones((32, 784)))
""",
        """\
import jax
import jax.numpy as jnp
from jax import lax

images = jnp.ones((8, 28, 28, 1))
images.reshape(8, 28 * 29)  #! OAK501
jnp.concatenate([images, jnp.ones((8, 28, 27, 1))], axis=-1)  #! OAK501
jnp.einsum("bhwc,wd->bhcd", images, jnp.ones((27, 16)))  #! OAK501
images.transpose(0, 3, 1)  #! OAK501
_ = images.at[0].set(jnp.zeros((27, 27, 1)))  #! OAK501
lax.conv(images, jnp.ones((4, 1, 3, 3)), (1, 1), "SAME")  #! OAK501
jax.vmap(jnp.dot)(images[:, 0, :, 0], jnp.ones((7, 28)))  #! OAK501
""",
        """\
import jax
import jax.numpy as jnp


def loss(w, x, y):
    return jnp.mean((x @ w - y) ** 2)  #! OAK501


jax.grad(loss)(jnp.zeros((3, 1)), jnp.ones((5, 3)), jnp.ones((4, 1)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, inputs, outputs):
        self.weights = jnp.zeros((inputs, outputs))
        self.bias = jnp.zeros(outputs)

    def __call__(self, x):
        if x.ndim == 3:
            x = x.reshape(x.shape[0], -1)
        return x @ self.weights + self.bias


@jax.jit
def predict(x):
    return Layer(784, 10)(x)


predict(jnp.ones((32, 784)))
predict(jnp.ones((32, 28, 28)))
""",
        """\
import jax
import jax.numpy as jnp

images = jnp.ones((8, 28, 28, 1))
images.reshape(8, -1) @ jnp.ones((28 * 28, 2))
jnp.concatenate([images, jnp.ones((8, 28, 28, 2))], axis=-1)
images - images.mean((1, 2), keepdims=True)
try:
    images + jnp.ones(3)[:, None, None]
except (TypeError, ValueError):
    pass
jax.vmap(jnp.dot, in_axes=(0, None))(images[:, 0, :, 0], jnp.ones(28))
""",
    )

    def check(self, event: events.Misfit) -> Iterator[Finding]:
        """Reports each operation whose operands certainly have shapes that do not fit."""
        if event.problem == "shape":
            message, notes = misfit(event)
            yield self.finding(event, message, event.hint, *notes)

    def fix(self, event: events.Misfit, site: Site) -> Fix | None:
        """Asks of a parameter whether it is None; takes the only element of an array for a number;
        splits a key for each of the names.
        """
        from oakum_lint.fixes.arrays.conversions import take_element
        from oakum_lint.fixes.control_flow.missing_arguments import ask_for_none
        from oakum_lint.fixes.keys.random_keys import split_for_names

        if event.problem != "shape":
            return None
        if event.function in ("not", "or"):
            return ask_for_none(site)
        if event.function in ("int", "float", "complex"):
            return take_element(site, event.given[0].aval)
        return split_for_names(site)
