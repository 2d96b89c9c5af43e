"""Options of JAX by which a program forbids what would be done unasked, and their values."""

from typing import Final

RANKS: Final = "jax_numpy_rank_promotion"
DTYPES: Final = "jax_numpy_dtype_promotion"
TO_DEVICE: Final = "jax_transfer_guard_host_to_device"
TRANSFERS: Final = "jax_transfer_guard"
"""It stands for transfers in all directions."""
CAPTURED_BYTES: Final = "jax_captured_constants_warn_bytes"
CAPTURED_BYTES_DEFAULT: Final = 2_000_000_000
FORBIDS: Final = frozenset({"raise", "strict", "disallow", "disallow_explicit"})
"""What an option is set to that has its operations raise an error."""
BLOCKS: Final = {f"jax.{name[4:]}": name for name in (RANKS, DTYPES, TO_DEVICE, TRANSFERS)}
"""The context managers that set an option in a block."""
