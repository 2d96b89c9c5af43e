# category: clean/leak-append
import jax
import jax.numpy as jnp

TRACE_LOG = []
SHAPES = {}
COUNTS = {"forward": 0}


def traced(fn):
    """Counts traces and notes static facts: nothing traced is kept."""

    def inner(x, *args):
        COUNTS[fn.__name__] = COUNTS.get(fn.__name__, 0) + 1  #? OAK112
        TRACE_LOG.append((fn.__name__, x.shape, str(x.dtype), len(args)))
        SHAPES.setdefault(fn.__name__, set()).add(jnp.shape(x))
        return fn(x, *args)

    return inner


@jax.jit
@traced
def forward(x, y=1.0):
    n = x.shape[0]
    TRACE_LOG.append(n)  #? OAK112
    COUNTS["last"] = x.ndim
    return x * y


for n in (2, 3):
    forward(jnp.ones(n), 2.0)
print(COUNTS, TRACE_LOG, {k: sorted(v) for k, v in SHAPES.items()})
