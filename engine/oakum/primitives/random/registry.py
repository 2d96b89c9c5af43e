"""The random generators, and the choice of one by name, dtype of keys or configuration."""

from __future__ import annotations

from typing import Final

from oakum import config
from oakum.dtypes import DType
from oakum.primitives.random import philox_impls, prng_impls
from oakum.primitives.random.prng_impls import Generator
from oakum.runtime import key_arrays
from oakum.tracing.parameter_forms import register_form

GENERATORS: Final = {
    each.name: each
    for each in (
        prng_impls.THREEFRY,
        philox_impls.THREEFRY_4X32,
        prng_impls.RBG,
        prng_impls.UNSAFE_RBG,
        philox_impls.PHILOX_2X32,
        philox_impls.PHILOX_4X32,
    )
}
"""The generators by name."""

_OF_DTYPE: Final = {each.dtype: each for each in GENERATORS.values()}
_IN_PAIRS: Final = {
    each.dtype: each for each in (prng_impls.THREEFRY_IN_PAIRS, prng_impls.RBG_IN_PAIRS)
}


def of_dtype(dtype: DType) -> Generator:
    """Returns the generator of keys of a dtype, in the form that the configuration asks for."""
    if not config.threefry_partitionable.value and dtype in _IN_PAIRS:
        return _IN_PAIRS[dtype]
    return _OF_DTYPE[dtype]


key_arrays.register(of_dtype)


def _of_fields(name: str, partitionable: bool = True) -> Generator:
    known = (*_IN_PAIRS.values(), *GENERATORS.values())
    wanted = (name, partitionable)
    return next(each for each in known if (each.name, each.partitionable) == wanted)


register_form(
    Generator,
    lambda impl: {"name": impl.name, "partitionable": impl.partitionable},
    _of_fields,
)


def default() -> Generator:
    """Returns the generator that the configuration names."""
    return GENERATORS[config.default_prng_impl.value]


def resolve(spec: object) -> Generator:
    """Returns the generator that an argument means: None, a name, a dtype of keys or a
    generator.
    """
    if spec is None:
        return default()
    if isinstance(spec, Generator):
        return spec
    if isinstance(spec, DType) and spec in _OF_DTYPE:
        return _OF_DTYPE[spec]
    inner = getattr(spec, "generator", None)
    if isinstance(inner, Generator):
        return inner
    if isinstance(spec, str):
        if spec in GENERATORS:
            return GENERATORS[spec]
        names = ", ".join(f'"{name}"' for name in GENERATORS)
        raise ValueError(f'unrecognized PRNG implementation "{spec}"; it is none of {names}')
    raise TypeError(f"unrecognized type {type(spec)} for specifying PRNG implementation.")
