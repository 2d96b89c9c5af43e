"""OAK505: a 64-bit dtype is asked for, and x64 is not enabled."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import wide_dtypes


class WideDtype(Rule["wide_dtypes.WideDtype"]):
    """## What it does
    Finds requests for `float64`, `int64`, `uint64` and `complex128` arrays in programs that nowhere
    enable x64.

    ## Why it matters
    JAX makes 32-bit arrays in their place, with a warning. Sums lose digits, and large integers
    wrap around.

    ## Example
    ```python
    table = jnp.linspace(0.0, 1.0, 5, dtype=jnp.float64)
    ```

    ## Use instead
    ```python
    import jax

    jax.config.update("jax_enable_x64", True)
    table = jnp.linspace(0.0, 1.0, 5, dtype=jnp.float64)
    ```
    before the first array is made. Where 32 bits are enough, ask for them: `jnp.float32`.

    ## Known limits
    x64 counts as enabled if code sets the option or the variable to anything but False, or imports
    a package that does (NetKet, JaxSim); a comment that names it enables nothing. The variable
    `JAX_ENABLE_X64` may enable x64 from outside, so a finding is likely and never proved. Functions
    that the program is not seen to call are not reported: they may belong to a library.

    ## Fix
    Asks for the dtype that is made. Safe: the result is the same, without the warning. Unsafe for
    `x.astype(...)` where another caller may pass an array of NumPy, which has 64 bits then.

    ## At run time
    `UserWarning` ("Explicitly requested dtype float64 is not available"):
    https://docs.jax.dev/en/latest/default_dtypes.html
    """

    code = Code(
        "OAK505",
        "wide-dtype",
        "A 64-bit dtype is asked for, and x64 is not enabled",
        "JAX makes a 32-bit array of it, with a warning that is easily overlooked.",
        "Enable it at the start: jax.config.update('jax_enable_x64', True). Or ask for 32 bits.",
    )
    confidence = "likely, never proved: `JAX_ENABLE_X64` may enable x64 from outside"
    not_in_uncalled = "who calls it may have enabled x64."
    fixes = (Safety.SAFE, Safety.UNSAFE)
    keeps_results = True
    bad = (
        """\
import jax.numpy as jnp
import numpy as np

print(jnp.linspace(0.0, 1.0, 5, dtype=jnp.float64))  #! OAK505
print(jnp.zeros(3, "int64"))  #! OAK505
print(jnp.asarray([1.0], dtype=np.float64))  #! OAK505
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def precise(x):
    return jnp.sum(x.astype(jnp.float64))  #! OAK505


def exact(n):
    return jnp.int64(n)  #! OAK505


def widened(x):
    return x.astype(jnp.float64)  #! OAK505


precise(jnp.ones(3))
exact(2)
widened(jnp.ones(3))
""",
    )
    good = (
        """\
import jax.numpy as jnp
import numpy as np

jnp.zeros(3, dtype=float)
jnp.zeros(3, dtype=jnp.float32) + jnp.asarray(np.zeros(3))
np.zeros(3, dtype=np.float64)
jnp.finfo(jnp.float64), jnp.issubdtype(jnp.int32, jnp.int64)
""",
        """\
import jax.numpy as jnp


def wide_for_its_users(x):
    return jnp.asarray(x, dtype=jnp.float64)
""",
    )

    def check(self, event: "wide_dtypes.WideDtype") -> Iterator[Finding]:
        """Reports each request for 64 bits, as likely: the environment may enable them."""
        yield self.finding(
            event.weakened("the environment may enable 64 bits"),
            headline(f"`{{}}` makes {event.given}, not {event.requested}", event.function),
            'Call `jax.config.update("jax_enable_x64", True)` at the start of the program, or '
            f"ask for {event.given}.",
            "x64 is not enabled in this program",
        )

    def fix(self, event: "wide_dtypes.WideDtype", site: Site) -> Fix | None:
        """Asks for the dtype that is made anyway."""
        from oakum_lint.fixes.arrays.conversions import narrow_dtype

        return narrow_dtype(site, event.requested, event.given)
