"""OAK204: a traced value is converted to a Python number."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import ScalarConversion
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.models.host.jax_equivalents import GIVING_OTHERS, OF_SEVERAL, of_math
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, or_static, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerToScalar(Rule[ScalarConversion]):
    """## What it does
    Finds conversions of traced values to Python numbers: `int()`, `float()`, `bool()`, `complex()`,
    the methods `.item()` and `.tolist()`, and functions of `math` and `cmath`, which convert their
    arguments first.

    ## Why it matters
    The number does not exist while the function is traced. Nor would a Python number be of use
    there: it would be built into the compiled program as a constant.

    ## Example
    ```python
    @jax.jit
    def log_density(x, variance):
        scale = 1.0 / math.sqrt(2.0 * math.pi * variance)
        return math.log(scale) - x**2 / (2.0 * variance)
    ```

    ## Use instead
    ```python
    @jax.jit
    def log_density(x, variance):
        scale = 1.0 / jnp.sqrt(2.0 * math.pi * variance)
        return jnp.log(scale) - x**2 / (2.0 * variance)
    ```
    Use `x.astype(jnp.float32)` to change the type of an array, and the functions of `jax.numpy` in
    place of those of `math`. Convert to Python numbers outside, on what the traced function
    returns. A number that is the same on every call belongs in a static argument.

    ## Known limits
    `grad` alone traces with concrete values: there `int()`, `bool()` and `.item()` work and are not
    reported, while `float()`, `complex()`, `.tolist()` and `math` fail there too. `round`, `abs`,
    `divmod` and `math.prod` work on tracers.

    ## Fix
    `math.sqrt(x)` becomes `jnp.sqrt(x)`, and so the other functions of `math`: safe, because the
    `math` version always raises here; but unsafe for `floor`, `ceil` and `trunc`, whose JAX version
    returns a float, and for `isclose`, which has other tolerances. `float(x)`, `int(x)` and
    `bool(x)` become `x.astype(...)` and `x.item()` becomes `x`: unsafe, for what is done with the
    number may need one. A parameter of which `int(n)` is an index or an argument is named in
    `static_argnames`: unsafe. A `print` of such a number becomes `jax.debug.print`: safe.

    ## At run time
    `jax.errors.ConcretizationTypeError`; `TracerBoolConversionError` from `bool()` and
    `TracerIntegerConversionError` from the integer functions of `math`, which are kinds of it:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError
    """

    code = codes.TRACER_TO_SCALAR
    confidence = (
        "proved where the argument is a tracer in a trace that is seen; likely where it is an "
        "element of what a generator yields"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import math

import jax
import jax.numpy as jnp


@jax.jit
def log_density(x, variance):
    scale = 1.0 / math.sqrt(2.0 * math.pi * variance)  #! OAK204
    return jnp.log(scale) - x**2 / (2.0 * variance)


log_density(0.5, 2.0)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def report(logits, labels):
    return float(jnp.mean(jnp.argmax(logits, -1) == labels))  #! OAK204


@jax.jit
def largest(x):
    return x.max().item()  #! OAK204


@jax.jit
def epoch_rate(step):
    return 0.1 * 0.5 ** int(step / 100)  #! OAK204


report(jnp.ones((4, 3)), jnp.zeros(4))
largest(jnp.arange(3.0))
epoch_rate(250)
""",
        """\
import jax
import jax.numpy as jnp


def loss(w, x):
    error = jnp.mean((x @ w) ** 2)
    metrics.append(float(error))  #! OAK204
    return error


metrics = []
jax.grad(loss)(jnp.ones(3), jnp.ones((2, 3)))
""",
        """\
import jax
import jax.numpy as jnp


def body(carry, x):
    carry = carry + x
    return carry, carry.tolist()  #! OAK204


@jax.jit
def converged(old, new):
    return bool(jnp.allclose(old, new))  #! OAK204


jax.lax.scan(body, jnp.zeros(2), jnp.ones((3, 2)))
converged(jnp.ones(2), jnp.ones(2))
""",
    )
    good = (
        """\
import math

import jax
import jax.numpy as jnp


@jax.jit
def log_density(x, variance):
    return -0.5 * jnp.log(2.0 * math.pi * variance) - x**2 / (2.0 * variance)


print(float(log_density(0.5, 2.0)))
""",
        """\
import math
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("heads",))
def attention_scale(q, heads):
    width = int(q.shape[-1] / heads)
    return q / math.sqrt(width) * float(heads)


attention_scale(jnp.ones((2, 8)), heads=4)
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def round_down(x):
    return round(x, 1).astype(jnp.int32), abs(x), divmod(x, 2.0)


def slope(x):
    if int(x) % 2 == 0:
        return x
    return -x


whole, _, _ = round_down(jnp.array([1.26, 2.0]))
print(whole.tolist(), jax.grad(slope)(2.5))
""",
    )

    def check(self, event: ScalarConversion) -> Iterator[Finding]:
        """Reports each conversion of a tracer to a number."""
        function = event.function.removeprefix(".").removesuffix("()")
        call = f".{function}()" if function in _METHODS else function
        yield self.finding(
            event,
            headline("`{}` on traced value `{}`", call, event.operand.source),
            _hint(event, function),
            traced(event, f"this raises {_error(function)}"),
        )

    def fix(self, event: ScalarConversion, site: Site) -> Fix | None:
        """Leaves the value an array."""
        from oakum_lint.fixes.arrays.conversions import (
            call_around,
            called_around,
            static_size,
            stay_array,
        )
        from oakum_lint.fixes.control_flow.logical_operators import (
            asks_in_operation,
            operation_of_truths,
        )
        from oakum_lint.fixes.functions.prints import print_around

        function = called_around(site)
        path = of_math(function)
        if not path:
            if asks_in_operation(site):
                return operation_of_truths(site)
            return print_around(site) or static_size(site, event.related) or stay_array(site)
        if function in OF_SEVERAL:
            return None
        safety = Safety.UNSAFE if function in GIVING_OTHERS else Safety.SAFE
        return call_around(site, path, safety)


_METHODS = frozenset({"item", "tolist"})

_INTEGER_FUNCTIONS = frozenset({"comb", "factorial", "gcd", "isqrt", "lcm", "perm"})


def _error(function: str) -> str:
    if function == "bool":
        return "TracerBoolConversionError"
    if function.rpartition(".")[2] in _INTEGER_FUNCTIONS:
        return "TracerIntegerConversionError"
    return "ConcretizationTypeError"


def _hint(event: ScalarConversion, function: str) -> str:
    name = function.rpartition(".")[2]
    path = of_math(function) or of_math(function.removeprefix("c"))
    if path:
        return f"Write `{path.replace(dotted.IN_JNP, 'jnp.', 1)}`."
    match name:
        case "int":
            return f"Write `.astype(jnp.int32)` to stay an array{or_static(event)}."
        case "float" | "complex":
            return "Leave it an array, or convert what the traced function returns, outside."
        case "bool":
            return "Leave it a boolean array, and select with `jnp.where` or `jax.lax.cond`."
        case "item" | "tolist":
            return f"Call `.{name}()` outside, on what the traced function returns."
        case _:
            return f"Use a function of `jax.numpy` or `jax.scipy.special`{or_static(event)}."
