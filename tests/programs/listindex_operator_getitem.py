# category: list-index-by-tracer
import operator

import jax


@jax.jit
def pick(index, first, second):
    return operator.getitem([first, second], index)  #! OAK206  #~ TracerIntegerConversionError


print(pick(0, 1.0, 2.0))
