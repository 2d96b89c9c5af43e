# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def by_size(x):
    """A sort by what is concrete keeps what the list holds, in an order that is not seen."""
    rows = [x, x[:2], x[:1]]
    ordered = rows.copy()
    ordered.sort(key=len)
    rows.clear()
    if ordered and not rows and ordered[0].sum() > 0:  #! OAK201 #~ TracerBoolConversionError
        return ordered[0]
    return x


@jax.jit
def by_value(x):
    rows = [x[0], x[1]]
    rows.sort()  #! OAK203
    return rows[0]


@jax.jit
def by_norm(x):
    rows = [x[:1], x[1:2]]
    rows.sort(key=lambda row: row.sum())  #! OAK203
    return rows[0]


@jax.jit
def merged(x):
    base = {"bias": 1.0}
    settings = base.copy()
    settings.update({"scale": x})
    # The copy has what was put into it, the original has not.
    if base.get("scale") is not None:
        return x
    for name, value in settings.items():
        if name.startswith("s") and value > 0:  #! OAK201
            return value
    return x


@jax.jit
def reversed_(x):
    rows = [0.0, x]
    rows.reverse()
    return float(x) if len(rows) == 2 else rows[0]  #! OAK204


for function in (by_size, by_value, by_norm):
    print(function(jnp.ones(3)))
print(merged(1.0), reversed_(1.0))
