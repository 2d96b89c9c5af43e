"""OAK704: an argument is donated whose memory no result can take."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses.donation import deleted_arrays


class UnusableDonation(Rule["deleted_arrays.UselessDonation"]):
    """## What it does
    Finds donated arguments (`donate_argnums`) whose memory no result can take.

    ## Why it matters
    Memory is handed on to a result of the same shape and dtype, or of as many elements and bytes.
    Without one nothing is saved. JAX warns at each compilation where no result has as many
    elements, and says nothing where one has, but of another size.

    ## Example
    ```python
    @functools.partial(jax.jit, donate_argnums=0)
    def loss(batch):
        return jnp.mean(batch**2)
    ```

    ## Use instead
    ```python
    @jax.jit
    def loss(batch):
        return jnp.mean(batch**2)
    ```

    ## Known limits
    Reported are calls whose shapes and dtypes are all known.

    ## Fix
    The argument is taken out of those that are donated. Safe: nothing was saved.

    ## At run time
    UserWarning: Some donated buffers were not usable.
    https://docs.jax.dev/en/latest/buffer_donation.html
    """

    code = Code(
        "OAK704",
        "unusable-donation",
        "An argument is donated whose memory no result can take",
        "Memory is handed on to a result of the same shape and dtype, and there is none.",
        "Do not donate the argument, or return a result of its shape and dtype.",
    )
    confidence = "proved where the shapes and dtypes of the argument and of all results are known"
    severity = Severity.WARNING
    silent = True
    keeps_results = True
    fixes = (Safety.SAFE,)
    bad = (
        """\
import functools
import warnings

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=(0,))  #! OAK704
def loss(batch):
    return jnp.mean(batch**2)


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    loss(jnp.ones((16, 8)))
assert any("donated" in str(warning.message) for warning in caught)
""",
        """\
import warnings

import jax
import jax.numpy as jnp


def halve(x):
    return x[::2], jnp.argmax(x)


step = jax.jit(halve, donate_argnums=0)  #! OAK704
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    step(jnp.arange(8.0))
assert any("donated" in str(warning.message) for warning in caught)
""",
        """\
import warnings

import jax
import jax.numpy as jnp

total = jax.jit(lambda x: jnp.sum(x), donate_argnums=0)  #! OAK704
halved = jax.jit(lambda x: x.astype(jnp.bfloat16), donate_argnums=0)  #! OAK704
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    total(jnp.ones(8))
    halved(jnp.ones(8))
assert any("donated" in str(warning.message) for warning in caught)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

step = jax.jit(lambda x, y: x + y, donate_argnums=0)
print(step(jnp.ones(3), 2.0))
counted = jax.jit(lambda x: x.reshape(2, 2).astype(jnp.int32), donate_argnums=0)
print(counted(jnp.ones(4)))
""",
        """\
import jax
import jax.numpy as jnp


def update(state, x):
    return {"w": state["w"] + x}, jnp.sum(x)


step = jax.jit(update, donate_argnames="state")
print(step({"w": jnp.ones(3)}, jnp.ones(3)))
""",
    )

    def check(self, event: "deleted_arrays.UselessDonation") -> Iterator[Finding]:
        """Reports each such donation."""
        yield self.finding(
            event,
            headline(
                f"donated `{{}}` is not reused: no result of `{{}}` fits {event.given}",
                event.parameter,
                event.function,
            ),
            "Do not donate the argument.",
            f"`{event.parameter}` is {event.given}, and no result is left that could take its "
            "memory",
        )

    def fix(self, event: "deleted_arrays.UselessDonation", site: Site) -> Fix | None:
        """Donates the argument no more."""
        from oakum_lint.fixes.functions.donations import keep_argument

        return keep_argument(site, event.parameter)
