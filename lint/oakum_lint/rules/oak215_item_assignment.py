"""OAK215: an item of an immutable array is assigned, or a NumPy buffer gets a traced value."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, shown
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding


class ItemAssignment(Rule[events.ItemAssignment]):
    """## What it does
    Finds assignments to items of JAX arrays, `x[i] = value`, `x[i] += value` and `del x[i]`,
    inside traced functions and outside, and assignments of traced values into NumPy arrays.

    ## Why it matters
    JAX arrays are immutable, on the host as well as under a transform: the assignment is an error.
    A NumPy array can be assigned to, but holds numbers, and a tracer is none.

    ## Example
    ```python
    def set_boundary(u):
        u[0] = 0.0
        u[-1] += 1.0
        return u
    ```

    ## Use instead
    ```python
    def set_boundary(u):
        u = u.at[0].set(0.0)
        u = u.at[-1].add(1.0)
        return u
    ```
    The result has to be bound to a name: `.at[...]` changes nothing by itself. Inside `jit` the
    update is done in place where the old array is not used again. A buffer that a loop fills is
    better stacked from the results: `jnp.stack(list_of_rows)`, or the second result of `scan`.

    ## Known limits
    `x += 1` on a whole array rebinds the name and is fine. Assignments to lists, dicts and NumPy
    arrays on the host are not reported.

    ## Fix
    `x[i] = v` becomes `x = x.at[i].set(v)`, and `x[i] += v` becomes `x = x.at[i].add(v)`; where
    `i` compares elements it is `x = jnp.where(i, v, x)`. Safe: the assignment cannot be made; but
    unsafe where `v` may be an array, or the mask may have fewer dimensions. There is none where the
    name belongs to another function, or where nothing reads the array afterwards: then it was to
    change what the caller holds, and has to be returned. A NumPy buffer that is filled with traced
    values becomes an array of JAX with all its updates, which is unsafe: it may be handed to NumPy
    elsewhere.

    ## At run time
    `TypeError` ("JAX arrays are immutable"), `AttributeError` from `del`; `ValueError` or
    `jax.errors.TracerArrayConversionError` from a NumPy array:
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
    """

    code = codes.ITEM_ASSIGNMENT
    confidence = (
        "proved where the array is known to be JAX's, or NumPy's and what is assigned a tracer"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    bad = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def set_boundary(u):
    u[0] = 0.0  #! OAK215
    return u


@jax.jit
def bump(counts, i):
    counts[i] += 1  #! OAK215
    return counts


@jax.jit
def drop_first(x):
    del x[0]  #! OAK215
    return x


set_boundary(jnp.ones(4))
bump(jnp.zeros(4), 2)
drop_first(jnp.ones(4))
""",
        """\
import jax.numpy as jnp

table = jnp.zeros((3, 3))
for i in range(3):
    table[i, i] = 1.0  #! OAK215
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def powers(x):
    rows = np.zeros(3)
    rows[0] = x  #! OAK215
    return jnp.asarray(rows)


@jax.jit
def stacked(x, y):
    out = np.zeros((2, 3))
    out[1, :] = y  #! OAK215
    return jnp.asarray(out)


@jax.jit
def rotation(angle):
    matrix = np.zeros((2, 2))
    matrix[0, :] = [jnp.cos(angle), -jnp.sin(angle)]  #! OAK215
    return jnp.asarray(matrix)


powers(2.0)
stacked(jnp.ones(3), jnp.ones(3))
rotation(0.5)
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


@jax.jit
def set_boundary(u):
    u = u.at[0].set(0.0)
    u = u.at[-1].add(1.0)
    u += 1.0
    return u


set_boundary(jnp.ones(4))
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def powers(x):
    rows = [None] * 3
    named = {}
    for i in range(3):
        rows[i] = x**i
        named[i] = rows[i]
    weights = np.zeros(3)
    weights[0] = 1.0
    return jnp.stack(rows) @ weights, named


powers(2.0)
""",
        """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    return x * 0.5


history = np.zeros(3)
x = jnp.ones(())
for i in range(3):
    x = step(x)
    history[i] = x
print(history)
""",
    )

    def check(self, event: events.ItemAssignment) -> Iterator[Finding]:
        """Reports each assignment that an array cannot take."""
        container, target = shown(event.container), _target(event)
        assignment = f"{target} {event.operator} ..."
        if event.target_is_numpy:
            value = f"a value ({event.operand.aval})" if event.operand.aval else "a value"
            yield self.finding(
                event,
                headline("`{}` stores a tracer in a host array", assignment),
                f"Make `{container}` a JAX array and write `{_update(event)}`, or stack the "
                "values with `jnp.stack`.",
                f"`{container}` is a NumPy array, which cannot hold {value} traced by "
                f"{event.trace}: this fails while tracing",
            )
        elif event.operator == "del":
            yield self.finding(
                event,
                headline("`{}` on an immutable JAX array", f"del {target}"),
                f"Write `{container} = jnp.delete({container}, index)`.",
                "an item cannot be removed: this raises AttributeError",
            )
        elif not event.operator.endswith("="):
            yield self.finding(
                event,
                headline("`{}` changes an immutable JAX array", _call(event)),
                f"Make a new array: `{container}.at[index].set(value)`, or a function of `jnp`.",
                "it cannot be changed in place: this raises TypeError or AttributeError",
            )
        else:
            yield self.finding(
                event,
                headline("`{}` on an immutable JAX array", assignment),
                f"Write `{_update(event)}`.",
                "an item cannot be assigned: this raises TypeError",
            )

    def fix(self, event: events.ItemAssignment, site: Site) -> Fix | None:
        """Makes the update functional."""
        from oakum_lint.fixes.arrays.updates import functional_update, traceable_buffer

        if event.target_is_numpy:
            return traceable_buffer(site)
        return functional_update(site)


def _target(event: events.ItemAssignment) -> str:
    return f"{shown(event.container)}[{shown(event.index)}]"


def _call(event: events.ItemAssignment) -> str:
    """A method of an array or a function that changes one, as it was called."""
    container, operator = shown(event.container), event.operator
    return f"{container}{operator}" if operator.startswith(".") else f"{operator}({container}, ...)"


def _update(event: events.ItemAssignment) -> str:
    from oakum_lint.fixes.arrays.updates import METHODS

    container = shown(event.container)
    place = f"{container}.at[{shown(event.index)}]"
    operator = event.operator.removesuffix("=")
    method = METHODS.get(operator)
    if method is None:
        return f"{container} = {place}.apply(lambda old: old {operator} value)"
    return f"{container} = {place}.{method}(value)"
