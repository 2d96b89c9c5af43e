# category: silent/unawaited-timing
# Pairs are made without a look at the elements: the clock is read before they are computed.
import time

import jax
import jax.numpy as jnp

product = jax.jit(lambda x: x @ x)
square = jnp.ones((200, 200))
product(square).block_until_ready()

begin = time.perf_counter()
rows = zip(range(200), product(square))
print(time.perf_counter() - begin)  #! OAK711
print(sum(row.sum() for _, row in rows))
