"""Vector quantization."""

from __future__ import annotations

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.cluster.vq.vq", results.arrays(2))
def vq(obs: ArrayLike, code_book: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """Gives the nearest code of each observation, and its distance."""
    ...
