"""OAK102: a traced value is assigned to a global variable."""

from collections.abc import Iterator

from oakum.values.code_row import Code
from oakum_lint.domain.events import Leak
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import leak, shown, stored, way_out
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInGlobal(Rule[Leak]):
    """## What it does
    Finds assignments of traced values to variables that a traced function declares `global`, and
    to attributes of modules.

    ## Why it matters
    The assignment happens while the function is traced, once, and leaves a tracer in the variable.
    The compiled program neither updates the variable nor reads its later values. The next
    operation on it outside fails.

    ## Example
    ```python
    last_norm = 0.0


    @jax.jit
    def normalize(x):
        global last_norm
        last_norm = jnp.linalg.norm(x)
        return x / last_norm
    ```

    ## Use instead
    ```python
    @jax.jit
    def normalize(x):
        norm = jnp.linalg.norm(x)
        return x / norm, norm


    y, last_norm = normalize(x)
    ```

    ## Known limits
    A global that gets a Python value, such as a counter of traces, is no leak.

    ## Fix
    The function returns the value beside its result, and the callers store it in the variable.
    Unsafe: callers in other files get two results where there was one. It is made where the
    function is jitted where it is defined, returns once, at its end, and is only called in
    statements of their own. A constant that is made on first use is computed within
    `with jax.ensure_compile_time_eval():` elsewhere.

    ## At run time
    `jax.errors.UnexpectedTracerError` at the later use; at the end of the trace under
    `jax.checking_leaks()`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError
    """

    code = Code(
        "OAK102",
        "tracer-in-global",
        "A traced value is assigned to a global variable",
        "The assignment happens once, while tracing, and leaves a tracer in the variable.",
        "Return the value, and let the caller assign it.",
    )
    confidence = (
        "proved where the assignment runs in a trace that is seen, and no later statement of "
        "the trace takes the value out again"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp

last_norm = jnp.zeros(())


@jax.jit
def normalize(x):
    global last_norm
    last_norm = jnp.linalg.norm(x)  #! OAK102
    return x / last_norm


normalize(jnp.ones(4))
print(last_norm + 1.0)  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp

total = 0.0


def accumulate(x):
    global total
    total += jnp.sum(x)  #! OAK102


def loss(w):
    accumulate(w)
    return jnp.sum(w**2)


jax.grad(loss)(jnp.ones(3))
jnp.sqrt(total)  #~ UnexpectedTracerError
""",
        """\
import jax

previous = None


def visit(carry, x):
    global previous
    previous = carry  #! OAK102
    return carry + x, carry


jax.lax.scan(visit, 0.0, jax.numpy.arange(3.0))
print(previous * 2)  #~ UnexpectedTracerError
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

last_norm = jnp.zeros(())


@jax.jit
def normalize(x):
    norm = jnp.linalg.norm(x)
    return x / norm, norm


def report(x):
    global last_norm
    y, last_norm = normalize(x)
    return y


report(jnp.ones(4))
print(last_norm + 1.0)
""",
        """\
import jax
import jax.numpy as jnp

width = None
norm = 2.0


@jax.jit
def forward(x):
    global width
    width = x.shape[-1]
    norm = jnp.linalg.norm(x)
    return x / norm


forward(jnp.ones(4))
print(width + 1, norm * 2)
""",
    )

    def check(self, event: Leak) -> Iterator[Finding]:
        """Reports each assignment of a tracer to a global."""
        if event.kind == "global":
            yield self.finding(
                event,
                leak(event, "global `{}`"),
                f"{way_out(event)}, and assign `{shown(event.target)}` outside.",
                f"{stored(event)}, traced by {event.trace}, outlives the trace: using it later "
                "raises UnexpectedTracerError",
            )

    def fix(self, event: Leak, site: Site) -> Fix | None:
        """Returns the value instead, or computes a constant under no trace."""
        from oakum_lint.fixes.functions.kept_constants import compute_at_once
        from oakum_lint.fixes.functions.leaks import return_instead

        return return_instead(site, event.related) or compute_at_once(site)
