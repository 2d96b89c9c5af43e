"""OAK223: a method that arrays do not have, or a function of another module of JAX."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import missing_attributes


class MissingAttribute(Rule["missing_attributes.MissingAttribute"]):
    """## What it does
    Finds calls of methods that arrays of JAX do not have, such as `key.split(2)`, `x.numpy()` or
    `x.unsqueeze(0)`, and of functions of one module of JAX that stand in another: `jax.stack`,
    `jnp.softmax`.

    ## Why it matters
    Code that is moved from PyTorch or NumPy, or written from memory, has such calls in branches
    that run late: in the evaluation after an hour of training, or in a wrapper that nothing tests.

    ## Example
    ```python
    def reset(key):
        key, subkey = key.split(2)
        return jax.random.normal(subkey, (3,))
    ```

    ## Use instead
    ```python
    def reset(key):
        key, subkey = jax.random.split(key, 2)
        return jax.random.normal(subkey, (3,))
    ```

    ## Known limits
    Only methods are reported that keys or arrays of other libraries have, or `jax.numpy` a function
    of the same name. Methods that NumPy's arrays have and JAX's have not are OAK208 and OAK215,
    where tracers come. Attributes that are only read are not reported, nor what stands behind a
    test of what an object is (`isinstance`, `hasattr`, `type`), or in a `try` that handles
    `AttributeError`.

    ## Fix
    Calls the function of that name, with the array before its arguments, or in its own module:
    `jnp.tile(x, 2)`, `jax.nn.softmax(x)`, and `jax.random.split(key)` by what a key is called.
    Unsafe: an object of another class may come to the same place.

    ## At run time
    `AttributeError`.
    """

    code = Code(
        "OAK223",
        "missing-attribute",
        "A method that arrays do not have is called, or a function of another module",
        "There is no attribute of that name: the call raises AttributeError.",
        "Call the function that does it: jax.random.split(key), jax.nn.relu(x).",
    )
    confidence = (
        "likely, never proved: an object of another class may come to the same place, and code "
        "that is not seen may have set the function"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


def reset(key):
    key, subkey = key.split(2)  #! OAK223
    return jax.random.normal(subkey, (3,))


reset(jax.random.PRNGKey(0))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def attend(logits):
    weights = jnp.softmax(logits)  #! OAK223
    return weights.sum()


attend(jnp.ones(3))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def attend(logits):
    weights = jax.nn.softmax(logits)
    return jnp.expand_dims(weights, 0)


key, subkey = jax.random.split(jax.random.PRNGKey(0), 2)
attend(jax.random.normal(subkey, (3,)))
""",
        """\
import jax.numpy as jnp


def on_host(x):
    if hasattr(x, "numpy"):
        return x.numpy()
    try:
        return x.detach()
    except AttributeError:
        return x


on_host(jnp.ones(3))
""",
    )

    def check(self, event: "missing_attributes.MissingAttribute") -> Iterator[Finding]:
        """Reports each."""
        hint = f"Use {event.instead}."
        if event.function:
            title = headline("`{}` does not exist", shown(event.function))
            yield self.finding(event, title, hint, "this raises AttributeError")
            return
        title = headline("array `{}` has no method `{}`", event.operand.source, event.method)
        yield self.finding(
            event, title, hint, "arrays of JAX have none: this raises AttributeError"
        )

    def fix(self, event: "missing_attributes.MissingAttribute", site: Site) -> Fix | None:
        """Calls the function."""
        from oakum_lint.fixes.editing.calls import call_elsewhere

        path = _function_instead(event)
        return call_elsewhere(site, path) if path else None


def _function_instead(event: "missing_attributes.MissingAttribute") -> str:
    """The path of the function that takes the same arguments; "" where that is not known."""
    from oakum_lint.models.attributes import SAME_ARGUMENTS
    from oakum_lint.models.habits import holds_key

    if event.method == "split":
        return dotted.SPLIT if holds_key(event.operand.source) else ""
    path = event.instead.strip("`")
    is_same = path.rpartition(".")[2] == event.method or event.method in SAME_ARGUMENTS
    return path if event.function or is_same else ""
