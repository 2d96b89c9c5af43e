# category: python-branch-on-tracer
import operator
from functools import reduce

import jax


@jax.jit
def bounded_total(parts):
    total = reduce(operator.add, parts)
    if total > 10.0:  #! OAK201 8 #~ TracerBoolConversionError
        return 10.0
    return total


bounded_total([1.0, 2.0, 0.5])
