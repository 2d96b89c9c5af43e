"""OAK201: a Python branch depends on a traced value."""

from collections.abc import Iterator

from oakum.values import codes, uses
from oakum.values.uses import Use
from oakum_lint.domain.events import Condition, ConditionKind
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInBranch(Rule[Condition]):
    """## What it does
    Finds Python branches that a traced value decides: `if` and `elif`, the conditional expression
    `a if test else b`, `assert`, a `match` that compares values or has a guard, and the `if` of a
    comprehension.

    ## Why it matters
    Python has to know which way to go while the function is being traced, and then a traced value
    has a shape and a dtype but no number. Tracing stops with an error, often far from the
    transform that caused it: the function works until someone wraps its caller in `jit` or `vmap`.

    ## Example
    ```python
    @jax.jit
    def clip_step(step, limit):
        norm = jnp.linalg.norm(step)
        if norm > limit:
            step = step * (limit / norm)
        return step
    ```

    ## Use instead
    Compute both results and select:
    ```python
    @jax.jit
    def clip_step(step, limit):
        norm = jnp.linalg.norm(step)
        return jnp.where(norm > limit, step * (limit / norm), step)
    ```
    `jax.lax.cond(test, on_true, on_false, *operands)` runs one branch only, and `jax.lax.switch`
    chooses among several. (Under `vmap` both become a selection that computes every branch.)

    A check of the input is not a branch of the computation: use `checkify.check`, or
    `equinox.error_if`, or test what tracing does know, such as `x.shape` and `x.dtype`. If the
    value is a choice that is fixed per call, such as a mode or a flag, make it a static argument.

    ## Known limits
    `x is None`, `isinstance`, and tests of `shape`, `ndim`, `dtype` or `len` are decided while
    tracing and are not reported. Neither is a branch under `grad` alone, which traces with concrete
    values. A test that is itself behind a question whether values are tracers is not reported.

    ## Fix
    Branches that only choose a value become `jnp.where`: a conditional expression, `if` with an
    assignment to the same names or a `return` on both sides, or with assignments and no `else`,
    `match` over numbers with a case for the rest, and the test of a comprehension that is summed.
    Tuples that are written out are selected item by item. `and`, `or` and `not` in the test become
    the functions of arrays. An early `return` is merged with the `return` at the end, if the lines
    between them only compute values; that is unsafe. Safe where both values are sums, products,
    comparisons or calls of `jax.numpy` without a pole: then it makes no difference that both are
    computed. Unsafe where one calls another function, which may have an effect; where one divides,
    takes a root or a logarithm: the gradient of the side that is not chosen can be NaN (OAK602);
    and where a value may be something else than an array. An `assert` becomes
    `checkify.debug_check`, which does nothing unless a caller uses `checkify.checkify`: unsafe, as
    the program goes on where it stopped before. There is none where the message is made of values.
    A flag that has True or False as its default becomes a static argument of the jitted function
    that has it: unsafe, as it may be an array elsewhere. Other branches have no fix.

    ## At run time
    `jax.errors.TracerBoolConversionError`, a kind of `ConcretizationTypeError`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError
    """

    code = codes.TRACER_IN_BRANCH
    confidence = (
        "proved where the test is a tracer in a trace that is seen; an enumeration, `None` "
        "test or `isinstance` of a tracer is decided and not reported"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def clip_step(step, limit):
    norm = jnp.linalg.norm(step)
    if norm > limit:  #! OAK201
        step = step * (limit / norm)
    return step


clip_step(jnp.ones(3), 1.0)
""",
        """\
import jax
import jax.numpy as jnp


def huber(residual, delta):
    size = jnp.abs(residual)
    return 0.5 * size**2 if size < delta else delta * (size - 0.5 * delta)  #! OAK201


def reward(position):
    if position is None:
        return 0.0
    elif position > 1.0:  #! OAK201
        return 1.0
    return position


print(jax.vmap(huber, in_axes=(0, None))(jnp.linspace(-2.0, 2.0, 5), 1.0))
print(jax.vmap(reward)(jnp.linspace(0.0, 2.0, 5)))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def safe_sqrt(x):
    assert jnp.all(x >= 0), "negative input"  #! OAK201
    return jnp.sqrt(x)


@jax.jit
def decay(kind, x):
    match kind:
        case 0:  #! OAK201
            return x
        case _:
            return 0.5 * x


@jax.jit
def activated(kind, x):
    # One of three.
    match kind:
        case 0 | 3:  #! OAK201
            y = jnp.tanh(x)
        case 1:
            y = jnp.maximum(x, 0.0)
        case _:
            y = x
    return y + 1.0


safe_sqrt(jnp.arange(3.0))
decay(1, jnp.ones(2))
decay(0, jnp.ones(2))
activated(3, jnp.ones(2))
activated(1, -jnp.ones(2))
activated(2, jnp.ones(2))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def positive_total(values):
    return sum([v for v in values if v > 0])  #! OAK201


def cell(carry, x):
    state = jnp.tanh(carry + x)
    if jnp.isnan(state).any():  #! OAK201
        state = carry
    return state, state


positive_total(jnp.array([1.0, -2.0, 3.0]))
jax.lax.scan(cell, jnp.zeros(2), jnp.ones((4, 2)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def clip_step(step, limit):
    norm = jnp.linalg.norm(step)
    return jnp.where(norm > limit, step * (limit / norm), step)


@jax.jit
def step_or_stay(go, x):
    return jax.lax.cond(go > 0, lambda v: v + 1.0, lambda v: v, x)


clip_step(jnp.ones(3), 1.0)
step_or_stay(1, jnp.ones(3))
""",
        """\
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("mode",))
def reduce(x, weights=None, mode="mean"):
    assert x.ndim <= 2, "a vector or a matrix"
    if x.ndim == 1:
        x = x[None, :]
    if weights is not None:
        x = x * weights
    if mode == "mean" and x.shape[0] > 1:
        return jnp.mean(x, axis=0)
    match mode:
        case "mean" | "sum":
            return jnp.sum(x, axis=0)
        case _:
            return x


reduce(jnp.ones(3))
reduce(jnp.ones((2, 3)), jnp.ones(3), mode="none")
""",
        """\
import jax
import jax.numpy as jnp


def huber(residual):
    if jnp.abs(residual) < 1.0:
        return 0.5 * residual**2
    return jnp.abs(residual) - 0.5


slope = jax.grad(huber)(0.3)
if slope > 0.0:
    print("rising", slope)
""",
    )

    def check(self, event: Condition) -> Iterator[Finding]:
        """Reports each branch that a tracer decides."""
        yield self.finding(
            event,
            headline(f"{_CONSTRUCTS[event.kind]} traced value `{{}}`", event.operand.source),
            _hint(event),
            traced(event, "this raises TracerBoolConversionError"),
        )

    def fix(self, event: Condition, site: Site) -> Fix | None:
        """Selects what the branch chooses, makes a flag static, checks what is asserted."""
        from oakum_lint.fixes.arrays.selections import select_between, select_in_sum
        from oakum_lint.fixes.control_flow.assertions import checked
        from oakum_lint.fixes.control_flow.branches import select_in_branch
        from oakum_lint.fixes.control_flow.cases import select_in_match
        from oakum_lint.fixes.functions.static_arguments import static_flag

        if (static := static_flag(site, event.related)) is not None:
            return static
        match event.kind:
            case "if" | "elif":
                return select_in_branch(site)
            case "conditional expression":
                return select_between(site)
            case "comprehension":
                return select_in_sum(site)
            case "match":
                return select_in_match(site)
            case "assert":
                return checked(site, event.operand.aval)
            case "enumeration":
                return None


_CONSTRUCTS: dict[ConditionKind, str] = {
    "if": "`if` on",
    "elif": "`elif` on",
    "conditional expression": "`... if ... else ...` on",
    "assert": "`assert` on",
    "match": "`match` on",
    "comprehension": "comprehension `if` on",
    "enumeration": "enumeration member chosen by",
}


def _hint(event: Condition) -> str:
    test = quoted(event, "test")
    match event.kind:
        case "if" | "elif":
            return uses.hint(Use.BRANCH, event.operand.source)
        case "conditional expression":
            return f"Write `jnp.where({test}, ..., ...)`, which takes both values and selects."
        case "assert":
            return (
                f'Write `checkify.check({test}, "...")` under `checkify.checkify`, or '
                "`eqx.error_if` with Equinox; shapes and dtypes can still be asserted."
            )
        case "match":
            return "Choose with `jax.lax.switch(index, branches, *operands)`, or make it static."
        case "comprehension":
            return f"Keep all elements and mask them: `jnp.where({test}, ..., 0)`."
        case "enumeration":
            return "Choose with `jax.lax.switch` or an index into an array, by the number as it is."
