# category: sequence-to-jnp-function
import jax.numpy as jnp
import numpy as np

TABLE = np.array([[0.5, 1.0], [2.0, 4.0]], np.float32)


def totals(table):
    rows = table.tolist()
    return [sum(row) for row in rows], jnp.sum(rows[0])  #! OAK503 #~ TypeError


print(totals(TABLE))
