"""Values that are neither arrays of ours nor numbers of Python: which of them stand for arrays."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, errors
from oakum.values import codes, host
from oakum.values.avals import ShapedArray


def find_aval(value: Any) -> ShapedArray | None:
    """Returns the aval of an array of the host, or of what has one; None for anything else."""
    if isinstance(value, (host.np.ndarray, host.np.generic)):
        if isinstance(value, host.np.ma.MaskedArray):
            raise ValueError(
                "numpy masked arrays are not supported as direct inputs to JAX functions: give "
                "jnp.asarray(x.filled(...)), or the data and the mask"
            )
        dtype = dtypes.canonicalize(host.read_dtype(value.dtype))
        return ShapedArray(value.shape, dtype)
    known = getattr(value, "aval", None)
    return known if isinstance(known, ShapedArray) else None


def array_of(value: object) -> Any:
    """Returns the array of an object that has `__jax_array__`; raises an error where
    there is none.
    """
    if (convert := getattr(value, "__jax_array__", None)) is not None:
        return convert()
    raise errors.InvalidValueError(
        f"Value {value!r} with type {type(value)} is not a valid JAX type: it is no array and no "
        "number",
        code=codes.FOREIGN_ARGUMENT,
        hint="Give arrays or Python numbers; convert other data with jnp.asarray.",
    )
