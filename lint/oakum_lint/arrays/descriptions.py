"""What stands for an array without its data: `jax.ShapeDtypeStruct`, and what `eval_shape` gives.

It has a shape and a dtype as an array of NumPy, and a hash, which that has not.
"""

from typing import Literal

from oakum_lint.domain.facets import Facet

Description = Literal["without data"]


class _DescriptionFacet(Facet[Description]):
    """Whether a value may be a description."""

    __slots__ = ()

    def joined(self, first: Description, second: Description) -> Description:
        return first

    def alone(self, content: Description) -> Description:
        return content

    def widened(self, content: Description) -> Description:
        return content


DESCRIPTION = _DescriptionFacet("description")
