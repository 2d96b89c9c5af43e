# category: out-of-bounds-index
# The containers that may be filled are others than the one whose size is asked for.
import sys

import jax.numpy as jnp

first, second, third = [], [], []
some = second if len(sys.argv) > 1 else third
some.append(1)
found = jnp.zeros((len(first), 3))
print(found[0])  #! OAK506 #~ IndexError
