"""OAK208: a function that runs on the host gets a traced value."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import HostCall, NumpyCall
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown, traced
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class NumpyCallOnTracer(Rule[NumpyCall | HostCall]):
    """## What it does
    Finds calls of NumPy and SciPy functions, of methods of NumPy arrays, and of other functions
    that run on the host (saving, plotting, converting; pandas, Pillow, OpenCV, matplotlib.pyplot,
    scikit-learn, TensorFlow, PyTorch), with a traced value among the arguments.

    ## Why it matters
    NumPy turns its arguments into arrays of numbers, and a tracer has none. The same call works
    outside `jit`, `vmap` and `grad`, so the error appears when the function is transformed for the
    first time, perhaps by someone else.

    ## Example
    ```python
    import numpy as np


    @jax.jit
    def log_likelihood(probabilities):
        return np.sum(np.log(probabilities))
    ```

    ## Use instead
    ```python
    @jax.jit
    def log_likelihood(probabilities):
        return jnp.sum(jnp.log(probabilities))
    ```
    Where `jax.numpy` and `jax.scipy` have no such function, call the host function through
    `jax.pure_callback(function, result_shape_dtypes, *args)`, or outside, on what the traced
    function returns. For saving and plotting from inside use `jax.debug.callback`.

    ## Known limits
    NumPy on shapes, sizes and constants is right and is not reported. Some NumPy functions only
    ask for the shape (`np.shape`, `np.ndim`, `np.result_type`) or hand over to a method of the
    tracer (`np.sum`, `np.mean`): these work. Operators between NumPy arrays and tracers work too.

    ## Fix
    Calls the function of `jax.numpy` or `jax.scipy` of the same name, where it takes the same
    arguments, and adds the import that is missing. Safe: NumPy's function cannot be called there.

    ## At run time
    `jax.errors.TracerArrayConversionError`, or `TracerIntegerConversionError` where NumPy needs an
    integer:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerArrayConversionError
    """

    code = codes.NUMPY_CALL_ON_TRACER
    confidence = (
        "proved where the function is NumPy's, SciPy's or known to need data on the host; a "
        "conversion by `np.asarray` is not reported in code that is only assumed to be traced"
    )
    fixes = (Safety.SAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def log_likelihood(probabilities):
    return jnp.sum(np.log(probabilities))  #! OAK208


log_likelihood(jnp.array([0.2, 0.8]))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


def standardize(x):
    return x / np.linalg.norm(x)  #! OAK208


def loss(w, x):
    return jnp.sum(standardize(x * w))


jax.grad(loss)(jnp.ones((2, 2)), jnp.ones((2, 2)))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np

basis = np.eye(3)


@jax.jit
def project(x):
    return basis.dot(x)  #! OAK208


@jax.jit
def features(x, y):
    return jnp.asarray(np.array([x, y, x * y]))  #! OAK208


project(jnp.ones(3))
features(1.0, 2.0)
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


def body(carry, x):
    carry = np.maximum(carry, x)  #! OAK208
    return carry, None


jax.lax.scan(body, jnp.zeros(2), jnp.ones((3, 2)))
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def log_likelihood(probabilities):
    return jnp.sum(jnp.log(probabilities))


@jax.jit
def through_the_host(x):
    result = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda v: np.sinc(v).astype(v.dtype), result, x)


print(np.round(log_likelihood(jnp.array([0.2, 0.8])), 3))
through_the_host(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np

GRID = np.linspace(0.0, 1.0, 3)


@jax.jit
def integrate(x):
    width = np.prod(x.shape) / np.float32(2.0)
    twiddle = np.exp(-GRID) * np.sqrt(x.shape[0])
    return GRID @ x + width * np.sum(x) + jnp.asarray(twiddle) @ x


integrate(jnp.ones(3))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def shape_only(x):
    rows = np.shape(x)[0]
    kind = np.result_type(x, np.float32)
    return jnp.zeros(rows, dtype=kind) + x.sum()


collected = [np.asarray(shape_only(jnp.ones(2) * i)) for i in range(3)]
print(np.mean(np.stack(collected)))
""",
    )

    def check(self, event: NumpyCall | HostCall) -> Iterator[Finding]:
        """Reports each host function that gets a tracer."""
        match event:
            case NumpyCall(function=function, replacement=replacement):
                yield self.finding(
                    event,
                    headline("`{}` on traced value `{}`", function, event.operand.source),
                    f"Write `{replacement}`."
                    if replacement
                    else "Use a function of `jax.numpy` or `jax.scipy`, or call this one through "
                    "`jax.pure_callback`.",
                    traced(event, "this raises TracerArrayConversionError"),
                )
            case HostCall(function=function):
                yield self.finding(
                    event,
                    headline("`{}` on traced value `{}`", function, event.operand.source),
                    "Call it on what the traced function returns, or from inside through "
                    "`jax.debug.callback` or `jax.pure_callback`.",
                    f"`{shown(function)}` runs on the host and needs concrete numbers",
                    traced(event, "this fails while tracing"),
                )

    def fix(self, event: NumpyCall | HostCall, site: Site) -> Fix | None:
        """Calls JAX's function of that name."""
        from oakum_lint.fixes.editing.calls import call_instead

        if not isinstance(event, NumpyCall) or not event.replacement:
            return None
        path = event.replacement.replace("jnp.", dotted.IN_JNP, 1)
        return call_instead(site, event.function, path, Safety.SAFE)
