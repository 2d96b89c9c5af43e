"""OAK601: a gradient is taken of something that has none."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class GradientType(Rule[events.GradientType]):
    """## What it does
    Finds calls of differentiated functions whose argument is an integer, or whose result is no
    single real number: an array, a tuple, an integer.

    ## Why it matters
    A gradient says how one real number changes with real inputs. `jax.grad` refuses all else when
    the function is called.

    ## Example
    ```python
    def energy(x):
        return jnp.tanh(x) ** 2


    slope = jax.grad(energy)(2)
    ```

    ## Use instead
    ```python
    def energy(x):
        return jnp.tanh(x) ** 2


    slope = jax.grad(energy)(2.0)
    ```
    Sum or average a result that is an array, or take `jax.jacrev`. Return what is not
    differentiated as the second of two results, with `jax.grad(loss, has_aux=True)`.

    ## Known limits
    Only what is known of the argument and the result is judged: a call with unknown arrays is
    not reported.

    ## Fix
    An integer that is written out becomes a float, which is safe: it cannot be differentiated by.
    An array of integers is passed as one of floats, which is unsafe: the results of the function
    may differ. What gives no single number has no fix.

    ## At run time
    `TypeError` ("grad requires real- or complex-valued inputs", "Gradient only defined for
    scalar-output functions") at the call:
    https://docs.jax.dev/en/latest/_autosummary/jax.grad.html
    """

    code = codes.GRADIENT_TYPE
    confidence = "proved where the dtype or shape of the argument or result is known"
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import jax
import jax.numpy as jnp


def energy(x):
    return jnp.tanh(x) ** 2


slope = jax.grad(energy)
slope(2)  #! OAK601
jax.vmap(slope)(jnp.arange(3))  #! OAK601
""",
        """\
import jax
import jax.numpy as jnp


def residuals(w, x):
    return (x @ w) ** 2


step = jax.jit(jax.grad(residuals))
jax.grad(residuals)(jnp.ones(3), jnp.ones((2, 3)))  #! OAK601
step(jnp.ones(3), jnp.ones((2, 3)))  #! OAK601
""",
        """\
import jax
import jax.numpy as jnp


def loss(w):
    error = jnp.sum(w**2)
    return error, {"norm": jnp.sqrt(error)}


def hits(w):
    return jnp.sum(w > 0)


value, gradient = jax.value_and_grad(loss)(jnp.ones(3))  #! OAK601
jax.grad(hits)(jnp.ones(3))  #! OAK601
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


def loss(w, n):
    error = jnp.mean(w**2) / n
    return error, {"norm": jnp.sqrt(error)}


jax.grad(loss, has_aux=True)(jnp.ones(3), 2)
(value, aux), gradient = jax.value_and_grad(loss, has_aux=True)(jnp.ones(3), 2)
jax.jacrev(lambda w: w**2)(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp

jax.grad(lambda x: x**2)(2.0)
jax.vmap(jax.grad(jnp.tanh))(jnp.ones(3))
jax.grad(lambda table, i: table[i], argnums=0)(jnp.ones(3), 1)
jax.grad(lambda i: 1.0 * i, allow_int=True)(3)
jax.grad(lambda x: jnp.sum(x.astype(jnp.float32)))(jnp.ones(2))
""",
    )

    def check(self, event: events.GradientType) -> Iterator[Finding]:
        """Reports each gradient of something that has none."""
        yield self.finding(
            event,
            _message(event),
            codes.GRADIENT_HINTS[event.problem],
            "this raises TypeError",
        )

    def fix(self, event: events.GradientType, site: Site) -> Fix | None:
        """Gives floats where integers cannot be differentiated by."""
        from oakum_lint.fixes.arrays.conversions import float_argument

        if event.problem != "input":
            return None
        return float_argument(site, event.operand.source, event.found)


def _message(event: events.GradientType) -> str:
    transform, function, found = event.transform, event.function, event.found
    match event.problem:
        case "input":
            return headline(
                f"`{transform}` of `{{}}` by `{{}}`, which is {{}}",
                function,
                event.operand.source,
                found,
            )
        case "aux":
            return headline(
                f"`{transform}` with `has_aux` needs a pair, but `{{}}` returns {{}}",
                function,
                found,
            )
        case "dtype":
            return headline(
                f"`{transform}` needs a real result, but `{{}}` returns {{}}", function, found
            )
        case "shape" | "tree":
            return headline(
                f"`{transform}` needs one number, but `{{}}` returns {{}}", function, found
            )
