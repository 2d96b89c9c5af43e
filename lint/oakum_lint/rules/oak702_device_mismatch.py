"""OAK702: the operands of an operation are committed to different devices."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import devices


class DeviceMismatch(Rule["devices.DeviceMismatch"]):
    """## What it does
    Finds operations, and calls of jitted functions, on arrays that were put on different devices:
    `jax.device_put(x, jax.devices()[1])`, `jnp.zeros(3, device=...)`, and what was computed of
    them.

    ## Why it matters
    An array that was put on a device stays there: JAX moves only what nobody has put anywhere. Of
    two such arrays it cannot tell where the result is to be.

    ## Example
    ```python
    first, second = jax.devices()[:2]
    weights = jax.device_put(jnp.ones(3), first)
    batch = jax.device_put(jnp.arange(3.0), second)
    print(weights * batch)
    ```

    ## Use instead
    Put one where the other is:
    ```python
    first, second = jax.devices()[:2]
    weights = jax.device_put(jnp.ones(3), second)
    batch = jax.device_put(jnp.arange(3.0), second)
    print(weights * batch)
    ```

    ## Known limits
    Devices are distinguished by their place in the list that `jax.devices` or `jax.local_devices`
    gives. That a loop over that list has a second iteration is likely and never proved. Shardings
    are not followed.

    ## At run time
    ValueError: Received incompatible devices for jitted computation.
    https://docs.jax.dev/en/latest/faq.html#controlling-data-and-computation-placement-on-devices
    """

    code = codes.DEVICE_MISMATCH
    confidence = (
        "proved where both arrays are seen to be put on devices of one list that differ; "
        "likely where only code for several devices says so"
    )
    bad = (
        """\
import jax
import jax.numpy as jnp

first, second = jax.devices()[:2]
weights = jax.device_put(jnp.ones(3), first)
batch = jax.device_put(jnp.arange(3.0), second)
print(weights * batch)  #! OAK702
total = jnp.dot(weights + 1.0, batch)  #! OAK702
""",
        """\
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, device):
        self.params = jax.device_put({"w": jnp.ones((2, 2))}, device)

    def __call__(self, x):
        return predict(self.params, x)  #! OAK702


@jax.jit
def predict(params, x):
    return x @ params["w"]


devices = jax.devices("cpu")
model = Model(devices[0])
x = jnp.zeros((1, 2), device=devices[1])
print(model(x))
""",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def step(params, rate):
    return {"w": params["w"] * rate, "rate": rate}


first, second = jax.devices()[:2]
ours = step(jax.device_put({"w": jnp.ones(3)}, first), 0.5)
theirs = step(jax.device_put({"w": jnp.ones(3)}, second), 0.5)
print(ours["w"] + theirs["w"])  #! OAK702
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

first, second, *_ = jax.devices()
weights = jax.device_put(jnp.ones(3), first)
batch = jax.device_put(jnp.arange(3.0), second)
pair = jax.block_until_ready((weights, batch))
batch = jax.device_put(batch, jax.devices()[0])
print(weights * batch, weights + jnp.ones(3), jax.device_put(pair, second))
""",
        """\
import jax
import jax.numpy as jnp


def place(x, last):
    device = jax.devices()[1] if last else jax.devices()[0]
    return jax.device_put(x, device)


copies = [jax.device_put(jnp.ones(2), device) for device in jax.devices()]
print(place(jnp.ones(2), True) + place(copies[0], True), [copy.sum() for copy in copies])
print(jax.device_put(jnp.ones(2), jax.local_devices()[0]) + jax.device_put(1.0, jax.devices()[0]))
""",
        """\
import jax
import jax.numpy as jnp

first, second = jax.devices()[:2]
here, there = (jax.device_put(jnp.ones(3), device) for device in (first, second))
sloped = jax.grad(lambda x: x.sum())
print(sloped(there) + here, jax.jit(jnp.sin)(there) + there)
""",
    )

    def check(self, event: "devices.DeviceMismatch") -> Iterator[Finding]:
        """Reports each."""
        first, second = event.devices
        yield self.finding(
            event,
            headline("`{}` has operands on two devices", event.operand.source),
            "Put one of them on the device of the other, by `jax.device_put`.",
            f"the devices are `{first}` and `{second}`: this raises ValueError",
        )
