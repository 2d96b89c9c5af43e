"""OAK106: a traced value is in the metadata of a pytree that leaves the trace."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain.events import Leak, MetadataArray
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class TracerInMetadata(Rule[Leak | MetadataArray]):
    """## What it does
    Finds pytrees that a traced function returns with a traced value in their metadata: in a field
    that is marked as static (`metadata={"static": True}`, `meta_fields`, `static=True` of equinox,
    `pytree_node=False` of flax), or in the second part of what `tree_flatten` gives. Finds fields
    that are marked so and annotated as arrays of JAX, or get one, too.

    ## Why it matters
    Only the leaves of a result are values of the compiled program. Metadata is a part of the
    structure, which is kept as it was while the function was traced: with a tracer in it. Using
    that tracer fails later, in another place; so does comparing two structures, as the next call of
    a jitted function or a loop's carry does.

    ## Example
    ```python
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Normalized:
        values: jax.Array
        mean: jax.Array = dataclasses.field(metadata={"static": True})


    @jax.jit
    def normalize(x):
        return Normalized(x - x.mean(), x.mean())
    ```

    ## Use instead
    Make the array a child, and keep as metadata only what has a hash and is known while tracing, as
    strings, shapes and functions:
    ```python
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Normalized:
        values: jax.Array
        mean: jax.Array
    ```

    ## Known limits
    Metadata that holds an array of no trace is likely only: it works as long as it is the same
    object in all calls. A pytree that stays within its
    trace may have tracers of it in its metadata.

    ## Fix
    What is declared as static becomes a child: the mark of the field is taken away, the name moves
    from `meta_fields` to `data_fields`, or the item moves to the other part of what `tree_flatten`
    gives. Unsafe: it changes the class for all who use it. There is none where the class stands in
    another file, where it is marked by other means, or where `tree_unflatten` does not hand all
    children and then the metadata to the class, so that the item comes to the same parameter.

    ## At run time
    `jax.errors.UnexpectedTracerError` at the later use, or at the end of the trace under
    `jax.checking_leaks()`; `ValueError` where the structure is compared with another one.
    """

    code = codes.TRACER_IN_METADATA
    confidence = (
        "proved where the class is seen to put the value into its metadata and the instance "
        "is returned from a trace that is seen; likely of a field that is annotated as an array or "
        "gets one"
    )
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Normalized:
    values: jax.Array
    mean: object = dataclasses.field(metadata={"static": True})


@jax.jit
def normalize(x):
    mean = x.mean()
    return Normalized(x - mean, mean)  #! OAK106


normalized = normalize(jnp.arange(3.0))
print(normalized.values)
print(normalized.values + normalized.mean)  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, values, scale):
        self.values = values
        self.scale = scale

    def tree_flatten(self):
        return (self.values,), {"scale": self.scale}

    @classmethod
    def tree_unflatten(cls, metadata, children):
        return cls(*children, **metadata)


def rescale(x):
    largest = jnp.max(jnp.abs(x))
    return Scaled(x / largest, largest)  #! OAK106


scaled = jax.vmap(rescale)(jnp.ones((2, 3)))
print(scaled.values)
print(2.0 * scaled.scale)  #~ UnexpectedTracerError
""",
        """\
import jax
import jax.numpy as jnp


class Running:
    def __init__(self, total, last):
        self.total = total
        self.last = last


jax.tree_util.register_pytree_node(
    Running,
    lambda running: ((running.total,), (running.last,)),
    lambda metadata, children: Running(*children, *metadata),
)


def loss(w, x):
    error = x @ w - 1.0
    running = Running(jnp.sum(error**2), error)
    return jnp.mean(error**2), running  #! OAK106


gradient, running = jax.grad(loss, has_aux=True)(jnp.ones(3), jnp.ones((4, 3)))
print(running.total)
print(jnp.max(running.last))  #~ UnexpectedTracerError
""",
    )
    good = (
        """\
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Normalized:
    values: jax.Array
    mean: jax.Array
    name: str = dataclasses.field(metadata={"static": True})


@jax.jit
def normalize(x):
    mean = x.mean()
    return Normalized(x - mean, mean, name="normalized")


normalized = normalize(jnp.arange(3.0))
print(normalized.name, normalized.values + normalized.mean)
""",
        """\
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Scaled:
    values: jax.Array
    scale: object = dataclasses.field(metadata={"static": True})


@jax.jit
def total(x):
    scaled = Scaled(x, jnp.max(x))
    doubled = jax.tree.map(lambda leaf: 2 * leaf, scaled)
    return jnp.sum(doubled.values * doubled.scale), x.shape


print(total(jnp.arange(3.0)))
""",
    )

    def check(self, event: Leak | MetadataArray) -> Iterator[Finding]:
        """Reports each tracer that leaves its trace in a structure, and each field for one."""
        if isinstance(event, MetadataArray):
            gets = "gets an array" if event.stored else "is annotated as an array"
            yield self.finding(
                event,
                headline(f"static field `{{}}` of `{{}}` {gets}", event.member, event.target),
                f"Make it a child of `{shown(event.target)}` (a data field): metadata is for what "
                "has a hash and is known while tracing.",
                "the next call of a jitted function with another instance compares the arrays, and "
                "raises ValueError; traced values that are kept in it leak",
            )
        elif event.kind == "metadata":
            value = f"a value ({event.operand.aval})" if event.operand.aval else "a value"
            yield self.finding(
                event,
                headline("tracer leaks into the metadata of returned `{}`", event.target),
                f"Make it a child of `{shown(event.target)}` (a data field): metadata is for what "
                "has a hash and is known while tracing.",
                f"{value}, traced by {event.trace}, is kept by the structure that is returned: "
                "using it later raises UnexpectedTracerError",
            )

    def fix(self, event: Leak | MetadataArray, site: Site) -> Fix | None:
        """Makes a child of what is metadata."""
        from oakum_lint.fixes.functions.pytree_metadata import make_children

        if isinstance(event, MetadataArray) and event.stored:
            # The class stands elsewhere.
            return None
        members = (event.member,) if isinstance(event, MetadataArray) else event.members
        return make_children(site, event.target, members)
