"""OAK101: a traced value is stored in a container that outlives the trace."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import Leak, LeakKind
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import leak, shown, stored, way_out
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInOuterContainer(Rule[Leak]):
    """## What it does
    Finds traced values that are stored in a list, dict, set or deque that was made outside the
    traced function: by `append`, `extend`, `insert`, `update`, `add`, `setdefault` or by assigning
    to an item.

    ## Why it matters
    The store happens while the function is traced, once, and not when the compiled program runs.
    What it leaves behind is a tracer: it has no value, and the next operation on it fails, in
    another place and perhaps much later. The message at run time can tell where the tracer was
    made, but not where it was stored.

    ## Example
    ```python
    activations = []


    @jax.jit
    def forward(w, x):
        hidden = jnp.tanh(x @ w)
        activations.append(hidden)
        return hidden.sum()
    ```

    ## Use instead
    Return the value, and store it outside:
    ```python
    @jax.jit
    def forward(w, x):
        hidden = jnp.tanh(x @ w)
        return hidden.sum(), hidden


    total, hidden = forward(w, x)
    activations.append(hidden)
    ```
    The body of `jax.lax.scan` returns what is to be collected as its second result; `grad` and
    `value_and_grad` let values through with `has_aux=True`. To look at values while debugging, use
    `jax.debug.print` or `jax.debug.callback`.

    ## Known limits
    A container made inside the traced function is fine. A container that is an argument of the
    traced function is a copy made for the trace: storing into it is lost rather than leaked, and
    is not reported.

    ## Fix
    The function returns the value beside its result, and the callers store it in the list. Unsafe:
    callers in other files get two results where there was one. It is made where the function is
    jitted where it is defined, returns once, at its end, and is only called in statements of their
    own.

    ## At run time
    `jax.errors.UnexpectedTracerError` at the later use; at the end of the trace under
    `jax.checking_leaks()`:
    https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError
    `oakum.checking_leaks()` and `oakum run` name the line that stored it: where there is a leak the
    function is traced once more, in a copy of the process (on Windows in the process itself, where
    what it writes to files or adds to lists is there twice).
    """

    code = codes.TRACER_IN_OUTER_CONTAINER
    confidence = (
        "proved where the container is seen to be made outside the trace that makes the "
        "tracer; likely where it is known only by its way there (`self.history`, an argument)"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp

activations = []


@jax.jit
def forward(w, x):
    hidden = jnp.tanh(x @ w)
    activations.append(hidden)  #! OAK101
    return hidden.sum()


forward(jnp.ones((3, 2)), jnp.ones((4, 3)))
print(activations[0] * 2)  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp

state = {"mean": jnp.zeros(())}


def normalize(x):
    mean = jnp.mean(x)
    state["mean"] = mean  #! OAK101
    return x - mean


jax.vmap(normalize)(jnp.ones((2, 3)))
state["mean"] + 1.0  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp


def train(w, batches):
    losses = []

    def loss(w, batch):
        value = jnp.mean((batch @ w) ** 2)
        losses.append(value)  #! OAK101
        return value

    for batch in batches:
        w = w - 0.1 * jax.grad(loss)(w, batch)
    return w, jnp.stack(losses)  #~ UnexpectedTracerError


train(jnp.ones(3), jnp.ones((2, 4, 3)))
""",
        """\
import jax
import jax.numpy as jnp

registry = {}


def record(name, **values):
    registry.update({name: values})  #! OAK101


def body(carry, x):
    carry = carry + x
    record("carry", last=carry)
    return carry, None


jax.lax.scan(body, jnp.zeros(2), jnp.ones((3, 2)))
jnp.sum(registry["carry"]["last"])  #~ UnexpectedTracerError
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

activations = []


@jax.jit
def forward(w, x):
    hidden = jnp.tanh(x @ w)
    return hidden.sum(), hidden


_, hidden = forward(jnp.ones((3, 2)), jnp.ones((4, 3)))
activations.append(hidden)
print(activations[0] * 2)
""",
        """\
import jax
import jax.numpy as jnp

shapes_seen = []


@jax.jit
def trajectory(x):
    states = []
    parts = {}
    for i in range(3):
        x = 0.5 * x + 1.0
        states.append(x)
        parts[i] = x
    shapes_seen.append(x.shape)
    return jnp.stack(states), parts


history = [trajectory(jnp.ones(2)) for _ in range(2)]
print(history, shapes_seen)
""",
        """\
import jax
import jax.numpy as jnp


def loss(w, batch):
    prediction = batch @ w
    return jnp.mean(prediction**2), {"prediction": prediction}


def body(carry, x):
    carry = carry + x
    return carry, carry


logs = {}
(_, extra), _ = jax.value_and_grad(loss, has_aux=True)(jnp.ones(3), jnp.ones((2, 3)))
logs.update(extra)
_, logs["sums"] = jax.lax.scan(body, jnp.zeros(2), jnp.ones((3, 2)))
print(logs["sums"] * 2, logs["prediction"] + 1)
""",
    )

    def check(self, event: Leak) -> Iterator[Finding]:
        """Reports each store of a tracer into an outer container."""
        if event.kind in _CONTAINERS:
            way = f"stored by `{event.how}`" if event.how.isidentifier() else "stored"
            kind = _CONTAINERS[event.kind]
            yield self.finding(
                event,
                leak(event, f"outer {kind} `{{}}`"),
                f"{way_out(event)}, and store it in `{shown(event.target)}` outside.",
                f"{stored(event)}, traced by {event.trace}, is {way} in a {kind} that outlives the "
                "trace: using it later raises UnexpectedTracerError",
            )

    def fix(self, event: Leak, site: Site) -> Fix | None:
        """Returns the value instead."""
        from oakum_lint.fixes.functions.leaks import return_instead

        return return_instead(site, event.related)


_CONTAINERS: dict[LeakKind, str] = {
    "list": "list",
    "dict": "dict",
    "set": "set",
    "deque": "deque",
    "container": "container",
}
