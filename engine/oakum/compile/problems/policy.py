"""What a back end answers while a program is planned: its policy, and the problems it solves.

Rewriting, fusion and planning know nothing of a machine but what is here. Each back end has its own
numbers and says in `compile.backend` how it compiles the plan that follows from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.compile.problems.contraction import Contraction
    from oakum.compile.problems.epilogue import Epilogue
    from oakum.compile.problems.problem import Problem, Product, Solved


@dataclass(frozen=True, slots=True)
class Policy:
    """The numbers by which fusion and planning decide; none of them changes what a program means,
    and only `reduction_parts` and `shortest_split` the order of its sums.
    """

    longest_group: float
    """The most instructions of one group of fused equations."""
    recomputed_ns: float
    """What costs less per element is computed again rather than kept for a later sweep."""
    staged_bytes: int
    """The bytes of a row that are kept close by between sweeps; longer rows go to memory."""
    shortest_staged_row: int
    """Rows of fewer elements are not kept close by."""
    reduction_parts: int
    """A reduction of everything is cut into so many parts, which can be done at the same time."""
    shortest_split: int
    """Reductions of fewer elements are not cut."""
    unrolled_instructions: int
    """A short axis is unroll up to so many instructions; 0 if the back end has no use for it."""
    shortest_epilogue_row: int
    """Contractions with shorter rows of results have no epilogues fused."""
    longest_epilogue: float
    """The most instructions of an epilogue, as groups count them."""
    narrow_epilogue_ns: float
    """The most that an epilogue may cost per element where few elements are stored at a time."""
    near_bytes: int
    """The bytes that stay in a cache between a contraction and a group behind it, so that fusing
    the group always pays.
    """
    products_per_row: int
    """The products per element that take as long as going to the next row of one more array."""


class Kernels(Protocol):
    """What a back end has for the problems of one program.

    The planner asks before it makes a step: what is not taken is evaluated by the host, and the
    memory that a step needs is known before memory is laid out.
    """

    @property
    def policy(self) -> Policy:
        """The numbers by which fusion and planning decide."""
        ...

    def takes(self, problem: Problem) -> bool:
        """Returns whether a step may have this problem.

        The answer depends on dtypes and extents, never on strides: fusion asks about a product
        before it knows which operands are read in place.
        """
        ...

    def stores_vectors(self, problem: Contraction) -> bool:
        """Returns whether results are stored many at a time, so that long epilogues pay."""
        ...

    def scratch_bytes(self, problem: Product | Solved, epilogue: Epilogue | None = None) -> int:
        """Returns the bytes of scratch memory that solving a problem takes."""
        ...
