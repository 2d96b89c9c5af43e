# category: shapes/containers
from collections import defaultdict

import jax.numpy as jnp

groups = defaultdict(list)
groups["weights"].append(jnp.ones(2))
groups["weights"].append(jnp.ones(3))
print(jnp.stack(groups["weights"]))  #! OAK501 #~ ValueError
