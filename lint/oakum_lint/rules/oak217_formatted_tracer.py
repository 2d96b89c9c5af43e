"""OAK217: a traced value meets a numeric format."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import FormatUse
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class FormattedTracer(Rule[FormatUse]):
    """## What it does
    Finds traced values that are formatted with a format of their own: `f"{x:.3f}"`,
    `format(x, ".3f")`, `"{:.3f}".format(x)` and `"%.3f" % x`.

    ## Why it matters
    There is no number to format while the function is traced. And the text would be made only
    once, however often the compiled function runs.

    ## Example
    ```python
    @jax.jit
    def train_step(w, x):
        loss = jnp.mean((x @ w) ** 2)
        print(f"loss {loss:.3f}")
        return w - 0.1 * loss
    ```

    ## Use instead
    ```python
    @jax.jit
    def train_step(w, x):
        loss = jnp.mean((x @ w) ** 2)
        jax.debug.print("loss {loss:.3f}", loss=loss)
        return w - 0.1 * loss
    ```
    `jax.debug.print` takes the text and the values apart (no f-string) and formats the values each
    time the program runs. Or return the value, and format it outside.

    ## Known limits
    Without a format, as in `f"{x}"` or `"%s" % x`, the text shows the tracer: no error, so not
    this code; where it is printed it is OAK110.

    ## Fix
    A text that is printed at once becomes one of `jax.debug.print`, with its formats. Safe: the
    format fails. Texts that are used otherwise have no fix.

    ## At run time
    `TypeError` ("unsupported format string passed to ..."); with `%f` its kind
    `jax.errors.ConcretizationTypeError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError
    """

    code = codes.FORMATTED_TRACER
    confidence = "proved where the format is numeric and the value a tracer of a trace that is seen"
    fixes = (Safety.SAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    title = f"loss {loss:.3f}"  #! OAK217
    with jax.named_scope(title):
        return w - 0.1 * loss


train_step(jnp.ones(3), jnp.ones((2, 3)))
""",
        """\
import jax
import jax.numpy as jnp


def percent(x):
    label = "%.1f%%" % (100.0 * x)  #! OAK217
    return x * len(label)


def body(i, total):
    with jax.named_scope("state_{:03d}".format(i)):  #! OAK217
        return total + i


jax.lax.fori_loop(0, 3, body, 0)
jax.vmap(percent)(jnp.linspace(0.0, 1.0, 3))
""",
        """\
import jax
import jax.numpy as jnp


def loss(w):
    value = jnp.sum(w**2)
    label = format(value, ".2e")  #! OAK217
    return value + 0.0 * len(label)


jax.grad(loss)(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    print(f"loss {loss:.3f} of {x.shape[0]} rows")  #! OAK217
    return w - 0.1 * loss


step(jnp.ones(3), jnp.ones((2, 3)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    jax.debug.print("loss {loss:.3f}", loss=loss)
    return w - 0.1 * loss, loss


_, loss = train_step(jnp.ones(3), jnp.ones((2, 3)))
print(f"loss {loss:.3f}")
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def checked(x):
    if x.ndim != 1:
        raise ValueError(f"expected a vector, got rank {x.ndim:d} for {x}")
    title = f"{x.shape[0]:>5d} values of {x.dtype!s:>8}, {x!r:.20}"
    return x * len(title)


checked(jnp.ones(3))
""",
    )

    def check(self, event: FormatUse) -> Iterator[Finding]:
        """Reports each format that would need the number."""
        value = quoted(event, "x")
        spec = event.spec.removeprefix("%")
        error = "TypeError"
        if event.construct.startswith("%") and spec[-1:] in _FLOATS:
            error = "ConcretizationTypeError"
        field = value if value.isidentifier() else "x"
        yield self.finding(
            event,
            headline("format `{}` on traced value `{}`", event.spec, event.operand.source),
            f'Write `jax.debug.print("{{{field}:{spec}}}", {field}={value})`, or format what '
            "the traced function returns, outside.",
            traced(event, f"this raises {error}"),
        )

    def fix(self, event: FormatUse, site: Site) -> Fix | None:
        """Formats the value when the program runs."""
        from oakum_lint.fixes.functions.prints import print_around

        return print_around(site)


_FLOATS = frozenset("eEfFgG")
