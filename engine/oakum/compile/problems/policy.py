"""What a back end answers while a program is planned: its policy, and the problems it solves.

Rewriting, fusion and planning know nothing else of a machine. Each back end has its own numbers;
`compile.backend` says how it compiles the plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.compile.problems.contraction import Contraction
    from oakum.compile.problems.problem import Epilogue, Problem, Product, Solved


@dataclass(frozen=True, slots=True)
class Policy:
    """The numbers by which fusion and planning decide; none of them changes what a program means,
    and only `reduction_parts` and `shortest_split` the order of its sums.
    """

    longest_group: float
    """The most instructions of one group of fused equations."""
    recomputed_ns: float
    """Values that cost less per element are recomputed rather than kept for a later sweep."""
    staged_bytes: int
    """The bytes of rows kept in fast memory between sweeps; longer rows go to memory."""
    shortest_staged_row: int
    """Rows of fewer elements are never staged."""
    reduction_parts: int
    """The number of parts into which a reduction of everything is split, to be done in parallel."""
    shortest_split: int
    """Reductions of fewer elements are not split."""
    unrolled_instructions: int
    """The most instructions of an unrolled short axis; 0 if the back end has no use for that."""
    shortest_epilogue_row: int
    """Contractions with shorter rows of results get no epilogue."""
    longest_epilogue: float
    """The most instructions of an epilogue, as groups count them."""
    narrow_epilogue_ns: float
    """The most that an epilogue may cost per element if few elements are stored at a time."""
    near_bytes: int
    """The bytes that stay in a cache from a contraction to the next group: with more, not fusing
    that group costs another pass over memory.
    """
    products_per_row: int
    """The products per element whose time hides going to the next row of one more array."""


class Kernels(Protocol):
    """What a back end has for the problems of one program.

    The planner asks before it makes a step: the host evaluates what is not taken, and scratch
    memory is known before memory is assigned.
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
