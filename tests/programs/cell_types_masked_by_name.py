# category: clean/python-branch-on-tracer
import jax.numpy as jnp
import numpy as np


class Table:
    def __init__(self, cells):
        self.columns = {"kind": cells or ["E"] * 3 + ["PV"]}

    def get(self, name, default):
        return self.columns.get(name, default)


def audit(table):
    kinds = np.asarray(table.get("kind", [""] * 4))
    excitatory = kinds == "E"
    others = ~excitatory
    missing = np.array([None, 1.0], dtype=object) == None  # noqa: E711
    return jnp.asarray(others), int(excitatory.sum()), ~missing


print(audit(Table(None)))
