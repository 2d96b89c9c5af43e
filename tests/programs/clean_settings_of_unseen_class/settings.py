import dataclasses

import jax


@dataclasses.dataclass
class Settings:
    width: int
    depth: int
    scale: float = 2.0


jax.tree_util.register_dataclass(
    Settings, data_fields=["scale"], meta_fields=["width", "depth"]
)
