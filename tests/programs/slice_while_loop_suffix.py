# category: traced-slice-bound
import jax
import jax.numpy as jnp
from typing import NamedTuple


class Cursor(NamedTuple):
    pos: jax.Array
    total: jax.Array


def consume(data, cursor, chunk=2):
    part = data[cursor.pos : cursor.pos + chunk]  #! OAK214 #~ IndexError
    return Cursor(cursor.pos + chunk, cursor.total + part.sum())


def checksum(data):
    start = Cursor(jnp.int32(0), jnp.float32(0.0))
    more = lambda c: c.pos < data.shape[0]
    return jax.lax.while_loop(more, lambda c: consume(data, c), start).total


data = jnp.arange(6.0)
print(consume(data, Cursor(0, 0.0)))
print(checksum(data))
