"""OAK703: an array moves where the transfer guard forbids it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import guards


class GuardedTransfer(Rule["guards.GuardedTransfer"]):
    """## What it does
    Finds arrays of NumPy among the operands of operations, and among the arguments of jitted
    functions, where `jax.transfer_guard("disallow")` forbids transfers to the device.

    ## Why it matters
    An array of NumPy is copied to the device each time that it is used. The guard is set where that
    must not happen, as in a training loop, and raises.

    ## Example
    ```python
    scale = np.ones(3, np.float32)
    with jax.transfer_guard("disallow"):
        scaled = weights * scale
    ```

    ## Use instead
    ```python
    scale = jax.device_put(np.ones(3, np.float32))
    with jax.transfer_guard("disallow"):
        scaled = weights * scale
    ```

    ## Known limits
    The guard is known where `jax.config.update` or a `with` statement sets it, in the module that
    runs or in one that calls it. Numbers of Python, which JAX transfers too, are not
    reported, nor is what leaves a device.

    ## At run time
    `JaxRuntimeError` ("Disallowed host-to-device transfer"):
    https://docs.jax.dev/en/latest/transfer_guard.html
    """

    code = codes.GUARDED_TRANSFER
    confidence = "proved where an array of NumPy is seen to be used, and the guard to be set"
    not_in_uncalled = "who calls it may have set the guard to another value."
    bad = (
        """\
import jax
import jax.numpy as jnp
import numpy as np

weights, scale = jnp.ones(3), np.ones(3, np.float32)
with jax.transfer_guard("disallow"):
    scaled = weights * scale  #! OAK703
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(params, batch):
    return {"w": params["w"] - batch.mean()}


params, batch = {"w": jnp.ones(3)}, np.ones(8, np.float32)
jax.config.update("jax_transfer_guard", "disallow")
params = step(params, batch)  #! OAK703
jax.config.update("jax_transfer_guard", "allow")
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
import numpy as np

weights, scale = jnp.ones(3), np.ones(3, np.float32)
placed = jax.device_put(scale)
with jax.transfer_guard("disallow"):
    scaled = weights * placed
    print(np.asarray(scaled) * scale)
print(weights * scale)
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(params, batch):
    return {"w": params["w"] - batch.mean()}


params, batch = {"w": jnp.ones(3)}, np.ones(8, np.float32)
with jax.transfer_guard("disallow"):
    params = step(params, jax.device_put(batch))
    with jax.transfer_guard("allow"):
        params = step(params, batch)
""",
    )

    def check(self, event: "guards.GuardedTransfer") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("`{}` is moved to a device, which is forbidden here", event.operand.source),
            "Put it on the device before, with `jax.device_put`.",
            f"{event.operand} is an array of NumPy, and `{event.operation}` computes on the "
            "device: this raises JaxRuntimeError",
        )
