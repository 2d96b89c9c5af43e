# category: clean/python-branch-on-tracer
# The first that the generator gives is a number; how many there are hangs on a parameter alone.
import jax


def parts(x, times):
    yield times
    for _ in range(times):
        x = x * 2.0
        yield x


@jax.jit
def scaled(x):
    given = list(parts(x, 3))
    if given[0] > 2:
        x = given[-1]
    if len(given) == 4:
        x = x + 1.0
    times, *_ = parts(x, 2)
    return x if times else -x


print(scaled(1.0))
