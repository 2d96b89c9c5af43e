# category: unhashable-static-argument
# A set that is made of a frozenset can be changed, and has no hash.
import functools

import jax

networks = frozenset({"actor", "critic"})


@functools.partial(jax.jit, static_argnames="chosen")
def update(x, chosen):
    return x * len(chosen)


print(update(1.0, chosen=networks))
print(update(1.0, chosen=set(networks)))  #! OAK304 #~ ValueError
